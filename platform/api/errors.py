"""What the interface answers when it does not do what was asked: one JSON shape, with a sentence, for every error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from ninja import Field, NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError

from api.limits import OverLimitError
from upkeep.away import AWAY, RETRY_AFTER_SECONDS

log = structlog.get_logger(__name__)

CODES: Mapping[int, str] = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    412: "precondition_failed",
    413: "too_large",
    422: "invalid",
    429: "too_many_requests",
    500: "internal_error",
    503: "unavailable",
}
"""The word for each status that is an error."""


class Detail(Schema):
    """One value of the request that does not fit."""

    where: str = Field(description="Where it stands: `query.page`, `path.slug`, `body.name`, `file`.")
    message: str = Field(description="What is wrong with it.")


class Problem(Schema):
    """Why a request was not fulfilled."""

    code: str = Field(description="A word for programs.", examples=list(CODES.values()))
    message: str = Field(description="One sentence for people, in the language that was asked for.")
    details: list[Detail] = Field(description="The values that do not fit, where it is that; else empty.")


class Refusal(Exception):  # noqa: N818 - an answer, no error of this program
    """The request is not fulfilled; carries the status and the sentence."""

    def __init__(
        self, status: int, message: str, details: Sequence[Mapping[str, str]] = (), headers: Mapping[str, str] = {}
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.details = details
        self.headers = headers


def answer(
    status: int, message: str, details: Sequence[Mapping[str, str]] = (), headers: Mapping[str, str] = {}
) -> HttpResponse:
    """An error as it goes over the wire."""
    body = {"code": CODES[status], "message": message, "details": [dict(detail) for detail in details]}
    response = JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})
    for name, value in headers.items():
        response[name] = value
    return response


def not_found(what: str = "") -> Refusal:
    """404, with a sentence that names what is missing."""
    return Refusal(404, what or _("There is nothing at this address. The addresses stand in openapi.json."))


def register(api: NinjaAPI) -> None:
    """Have an interface answer every error in our shape."""

    def refusal(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
        return answer(error.status, error.message, error.details, error.headers)

    def over_limit(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
        return too_many(error)

    def missing(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
        return refusal(request, not_found())

    def invalid(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
        return answer(422, *describe(error.errors))

    def http(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
        # Of django-ninja's own errors only this one can occur: the body is no JSON.
        return answer(error.status_code, _("The body of the request cannot be read as JSON."))

    def too_big(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
        return answer(413, _("The body of the request is too large."))

    def unreadable(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
        told = str(error).rstrip(".") or type(error).__name__
        return answer(400, _("The request cannot be read: %(error)s.") % {"error": told})

    def fault(request: HttpRequest, error: Any) -> HttpResponse:
        # Whoever watches for errors of the site (logs, a test client) hears of this one as of any other.
        got_request_exception.send(sender=None, request=request)
        log.error("api_failed", path=request.path, exc_info=error)
        return answer(500, _("Something went wrong on our side. It has been noted; please try again later."))

    def away(request: HttpRequest, error: Any) -> HttpResponse:
        log.warning("api_unavailable", path=request.path, reason=str(error))
        sentence = _("Something went wrong on our side. It has been noted; please try again later.")
        return answer(503, sentence, headers={"Retry-After": str(RETRY_AFTER_SECONDS)})

    handlers: Mapping[type[Exception], Any] = {
        Refusal: refusal,
        OverLimitError: over_limit,
        Http404: missing,
        ValidationError: invalid,
        HttpError: http,
        RequestDataTooBig: too_big,
        SuspiciousOperation: unreadable,
        BadRequest: unreadable,
        MultiPartParserError: unreadable,
        UnreadablePostError: unreadable,
        **dict.fromkeys(AWAY, away),
        Exception: fault,
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)


def too_many(error: OverLimitError) -> HttpResponse:
    """429: what the allowance is, and when to come again."""
    sentence = _(
        "That is more than %(requests)d requests in %(seconds)d seconds. Please try again in %(wait)d seconds."
    ) % {"requests": error.allowance.requests, "seconds": error.allowance.seconds, "wait": error.wait}
    return answer(429, sentence, headers={"Retry-After": str(error.wait)})


def describe(errors: Sequence[Mapping[str, Any]]) -> tuple[str, list[dict[str, str]]]:
    """The sentence for values that do not fit, and each of them."""
    details = []
    for error in errors:
        # The names of our functions' parameters for a whole body say nothing to the caller.
        where = [str(part) for part in error["loc"] if part not in {"payload", "paging", "filters"}]
        details.append({"where": ".".join(where), "message": str(error["msg"])})
    if not details:
        return _("The request does not fit its description in openapi.json."), details
    first = details[0]
    return _("%(where)s does not fit: %(message)s.") % {
        "where": first["where"],
        "message": first["message"].rstrip("."),
    }, details


def answers(success: Any, *errors: int, status: int = 200) -> dict[Any, Any]:
    """The `response` of an operation: its success, the errors it may end in, and those that all may end in."""
    problems = frozenset({HTTPStatus(error).value for error in errors} | {401, 429})
    return {status: success, problems: Problem}
