"""What every page knows about the bots' sandboxes, and where to appeal."""

from django.conf import settings
from django.http import HttpRequest

from bots import sandboxes


def sandboxed(request: HttpRequest) -> dict[str, bool]:  # noqa: ARG001 - a context processor takes a request
    """`sandboxed`: false while bots run as plain processes of the machine, which the pages say in a banner."""
    return {"sandboxed": sandboxes.are_walled()}


def appeal(request: HttpRequest) -> dict[str, str]:  # noqa: ARG001 - as above
    """`appeal_contact`: where somebody writes whom staff has suspended; empty where the operator has set nothing."""
    return {"appeal_contact": settings.APPEAL_CONTACT}
