"""What a reader sees when a request failed by our fault, or could not be answered as it was made."""

import sys

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.template import loader
from django.utils.deprecation import MiddlewareMixin

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


class WrongMethodMiddleware(MiddlewareMixin):
    """Gives an answer that is empty, because the address takes another method, a page: a browser would show its own.

    Readers come to such an address without meaning to: whose session ends before a button is pressed signs in, and is
    led back to where the button led.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer, with a page in it."""
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = loader.get_template("405.html").render({}, request).encode()
        return response
