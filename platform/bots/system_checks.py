"""What must hold before the site starts. `manage.py check` says so, and so does every command."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


@register(Tags.security)
def check_sandbox(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Bots may run without walls on a developer's own machine only: unreachable from elsewhere, and with DEBUG on."""
    if settings.SANDBOX == "docker":
        return []
    if not settings.DEBUG:
        return [
            Error(
                f"SANDBOX={settings.SANDBOX} may run strangers' bots without walls, and DEBUG is off.",
                hint="Set SANDBOX=docker.",
                id="bots.E001",
            )
        ]
    reachable = sorted(set(settings.ALLOWED_HOSTS) - set(settings.LOCAL_HOSTS))
    if reachable:
        return [
            Error(
                f"SANDBOX={settings.SANDBOX} may run bots without walls, and the site answers as {reachable[0]}.",
                hint="Set SANDBOX=docker, or leave ALLOWED_HOSTS unset so that only this machine can reach the site.",
                id="bots.E002",
            )
        ]
    return []
