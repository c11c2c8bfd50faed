"""The interface itself: its operations, its description, and its addresses below `/api/`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, re_path
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from ninja import NinjaAPI

from api import errors, reference
from api.routes import bots, changing, exports, failing, matches, tournaments

VERSION = "1"
"""Grows when something that worked stops working. What is added changes nothing for who does not ask for it."""

DESCRIPTION = """\
Everything that the pages of Durak Arena do for authors of bots, for programs. Reading what is public needs no token.
"""

api = NinjaAPI(
    title="Durak Arena",
    version=VERSION,
    description=DESCRIPTION,
    urls_namespace="api",
    docs_url=None,
    openapi_url=None,
)
errors.register(api)
# Several files of operations share a router, since an address belongs to one, whatever its methods.
for router in dict.fromkeys(file.router for file in (bots, changing, failing, tournaments, matches, exports)):
    api.add_router("", router)

View = Callable[..., HttpResponseBase]


@cache
def description() -> dict[str, Any]:
    """The interface in the words of OpenAPI: made once, since it never changes, and not to be changed."""
    return dict(api.get_openapi_schema(path_prefix="/api/"))


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - a view takes a request
    """The description for programs."""
    response = JsonResponse(description(), json_dumps_params={"ensure_ascii": False})
    patch_cache_control(response, public=True, max_age=300)
    return response


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The description for people: our own page, since a ready-made one would need scripts from elsewhere."""
    return reference.page(request, description())


def nowhere(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - as above
    """What is at no address of the interface, in the shape of its other errors."""
    refusal = errors.not_found()
    return errors.answer(refusal.status, refusal.message)


def dressed(view: View) -> View:
    """An operation's view with what django-ninja leaves out: HEAD, a wrong method in our shape, how long to keep it."""

    @wraps(view)
    def dressed_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        head = request.method == "HEAD"
        if head:
            request.method = "GET"
        response = view(request, *args, **kwargs)
        if head:
            request.method = "HEAD"
        if isinstance(response, HttpResponseNotAllowed):
            allowed = ", ".join(sorted(response.headers["Allow"].split(", ")))
            sentence = _("This address takes %(methods)s, not %(method)s.")
            sentence %= {"methods": allowed, "method": request.method}
            response = errors.answer(405, sentence, headers={"Allow": allowed})
        if not response.has_header("Cache-Control"):
            # What one caller may see, another may not: no cache in between keeps it.
            patch_cache_control(response, private=True, no_cache=True)
        return response

    # The interface knows no cookies, so there is nothing that a foreign page could make a browser send.
    dressed_view.csrf_exempt = True  # type: ignore[attr-defined]
    return dressed_view


def _addresses() -> list[URLPattern]:
    operations = [pattern for pattern in api.urls[0] if isinstance(pattern, URLPattern) and pattern.name != "api-root"]
    for pattern in operations:
        pattern.callback = dressed(pattern.callback)
    nowhere.csrf_exempt = True  # type: ignore[attr-defined]
    return [
        path("", index, name="api-root"),
        path("openapi.json", openapi, name="openapi"),
        *operations,
        # Whatever is left, line ends in it included.
        re_path("", nowhere, name="nowhere"),
    ]


urls = (_addresses(), "api")
"""For `include` in the addresses of the site."""
