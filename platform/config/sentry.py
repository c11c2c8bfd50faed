"""Reporting errors to Sentry, where the operator wants that. The package is not among the requirements."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured


def start(dsn: str, environment: str) -> None:
    """Report unhandled errors of this process to Sentry, without what tells who somebody is.

    Raises:
        ImproperlyConfigured: the package is not installed, or the address is none.
    """
    try:
        import sentry_sdk
    except ImportError as error:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set, and the package sentry-sdk is not installed: install it, or unset SENTRY_DSN."
        ) from error
    try:
        sentry_sdk.init(
            dsn=dsn,
            environment=environment,
            # Neither names nor addresses nor cookies; and no local variables, among which bots' code and secrets are.
            send_default_pii=False,
            include_local_variables=False,
            max_request_body_size="never",
            traces_sample_rate=0.0,
            before_send=scrub,
        )
    except ValueError as error:  # BadDsn is one
        raise ImproperlyConfigured(f"SENTRY_DSN cannot be used: {error}.") from error


def scrub(event: Any, _hint: Any) -> Any:
    """Take out of an event what may tell who made the request; the request's identifier finds it in our logs."""
    event.pop("user", None)
    request = event.get("request")
    if isinstance(request, dict):
        for part in ("cookies", "headers", "data", "env", "query_string"):
            request.pop(part, None)
    return event
