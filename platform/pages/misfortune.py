"""What a reader sees when a request failed by our fault."""

import sys

from django.http import HttpRequest, HttpResponse
from django.template import loader

from upkeep.away import AWAY, RETRY_AFTER_SECONDS


def server_error(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django passes it
    """The page for an error that nobody caught: status 500, or 503 with the time to come again while a server behind
    the site is away. It asks neither database nor cache for anything."""
    away = isinstance(sys.exc_info()[1], AWAY)
    response = HttpResponse(loader.get_template("500.html").render({"away": away}), status=503 if away else 500)
    response["Cache-Control"] = "no-store"
    if away:
        response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response
