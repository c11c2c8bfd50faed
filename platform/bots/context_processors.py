"""What every page knows about the bots' sandboxes."""

from django.http import HttpRequest

from bots import sandboxes


def sandboxed(request: HttpRequest) -> dict[str, bool]:  # noqa: ARG001 - a context processor takes a request
    """`sandboxed`: false while bots run as plain processes of the machine, which the pages say in a banner."""
    return {"sandboxed": sandboxes.are_walled()}
