"""The replay of a game: its page, the frame to embed, and the two files behind them."""

import gzip
import hashlib
import json
from typing import Any, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import http_date, quote_etag
from django.utils.translation import check_for_language, get_language, override
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from accounts.models import User
from arena.durak import RecordError
from replays import deals, games, payload, plain, reproductions
from replays.games import ShownGame
from tournaments.records import RecordDroppedError
from tournaments.values import ruleset_of

FOR_GOOD = 365 * 24 * 60 * 60


def _find(request: HttpRequest, pk: int, *, drafts: bool = True) -> ShownGame:
    """The game, or 404. Only for a draft is it asked who reads: pages that are the same for all stay cacheable."""
    try:
        return games.find_game(pk)
    except games.NotThere:
        if not (drafts and request.user.is_staff):
            raise Http404 from None
    try:
        return games.find_game(pk, drafts=True)
    except games.NotThere:
        raise Http404 from None


def _context(shown: ShownGame) -> dict[str, Any]:
    """What both pages show. A record that cannot be followed is our fault: the page still tells the stored result."""
    context: dict[str, Any] = {"shown": shown, "names": shown.names, "ruleset_name": shown.tournament.ruleset_name}
    try:
        context["frames"] = payload.frames_of(shown)
        context["banner"] = context["frames"]["result"]["banner"]
    except RecordError as error:
        payload.note_unreadable(shown.game.pk, error)
        context["dropped"] = isinstance(error, RecordDroppedError)
        context["banner"] = payload.reader_words().banner(shown.result, ruleset_of(shown.tournament))
    address = reverse("replays:frames", args=[shown.game.pk])
    context["frames_url"] = f"{address}?{urlencode({'lang': get_language(), 'v': payload.tag_of(shown)})}"
    return context


@require_safe
def game(request: HttpRequest, pk: int) -> HttpResponse:
    """The page of a game."""
    shown = _find(request, pk)
    context = _context(shown)
    if "frames" in context:
        context["bouts"], context["page"] = plain.bouts(context["frames"], request.GET.get("page"))
    context |= {
        "deal_games": games.same_deal(shown.game),
        "own_bots": games.own_bots(shown, request.user.pk),
        "embed_url": request.build_absolute_uri(reverse("replays:embed", args=[pk])),
        "page_url": request.build_absolute_uri(shown.game.get_absolute_url()),
    }
    return render(request, "replays/game.html", context)


@require_safe
def deal(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The games of one deal of a match beside each other."""
    try:
        found = games.find_deal(pk, number, drafts=request.user.is_staff)
    except games.NotThere:
        raise Http404 from None
    shown = deals.deal(found)
    rows, page = shown.rows(request.GET.get("page"))
    context = {"deal": shown, "match": found[0].match, "rows": rows, "page": page}
    return render(request, "replays/deal.html", context)


@require_safe
@xframe_options_exempt
def embed(request: HttpRequest, pk: int) -> HttpResponse:
    """The viewer alone, to stand in a frame on any page. What only staff may see is not to be framed."""
    response = render(request, "replays/embed.html", _context(_find(request, pk, drafts=False)))
    # What `csp.decorators.csp_replace` would set; its type knows no view with an argument.
    response._csp_replace = {"frame-ancestors": ["*"]}  # type: ignore[attr-defined]
    return response


@require_safe
def frames(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The frames of a game as JSON, in the language `lang`. Under their tag, `v`, they may be kept for good."""
    shown = _find(request, pk)
    language = request.GET.get("lang", "")
    if language not in dict(settings.LANGUAGES) or not check_for_language(language):
        language = get_language() or settings.LANGUAGE_CODE
    with override(language):
        tag = payload.tag_of(shown)
        try:
            packed = payload.packed_frames(shown)
        except RecordError as error:
            payload.note_unreadable(pk, error)
            return HttpResponse(json.dumps({"error": str(error)}), status=404, content_type="application/json")
    return _file(request, shown, packed, tag, for_good=request.GET.get("v") == tag)


@require_safe
def record(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The record of a game, to download and to verify."""
    shown = _find(request, pk)
    try:
        text = shown.record.dumps()
    except RecordError as error:
        payload.note_unreadable(pk, error)
        return HttpResponse(json.dumps({"error": str(error)}), status=404, content_type="application/json")
    body = gzip.compress(text.encode() + b"\n", mtime=0)
    response = _file(request, shown, body, hashlib.sha256(body).hexdigest()[:20], for_good=False)
    response["Content-Disposition"] = f'attachment; filename="durak-game-{pk}.json"'
    return response


@login_required
@require_safe
def reproduction(request: HttpRequest, pk: int, seat: int) -> HttpResponse:
    """The file with which the owner of a bot reproduces its failure in a game."""
    shown = _find(request, pk)
    try:
        found = reproductions.reproduction(shown, seat, cast("User", request.user))
    except games.NotThere:
        raise Http404 from None
    except reproductions.NotYours:
        raise PermissionDenied from None
    except RecordError as error:
        payload.note_unreadable(pk, error)
        raise Http404 from None
    return own_file(found.dumps(), f"durak-failure-{pk}-{seat}.json")


def own_file(text: str, filename: str) -> HttpResponse:
    """JSON that is for its owner alone: saved and not shown, and kept by no cache between."""
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    patch_cache_control(response, private=True, no_store=True)
    return response


def _file(request: HttpRequest, shown: ShownGame, packed: bytes, tag: str, *, for_good: bool) -> HttpResponseBase:
    """JSON that never changes under its tag, compressed where the reader can take it so."""
    etag = quote_etag(tag)
    written = int(shown.game.created_at.timestamp())
    response = HttpResponse(content_type="application/json; charset=utf-8")
    accepted = request.headers.get("Accept-Encoding", "")
    if "gzip" in accepted and "gzip;q=0" not in accepted.replace(" ", ""):
        response["Content-Encoding"] = "gzip"
        response.content = packed
    else:
        response.content = gzip.decompress(packed)
    response["Content-Length"] = str(len(response.content))
    response["ETag"] = etag
    response["Last-Modified"] = http_date(written)
    patch_vary_headers(response, ["Accept-Encoding"])
    age = {"max_age": FOR_GOOD, "immutable": True} if for_good else {"no_cache": True}
    patch_cache_control(response, **{"public" if shown.public else "private": True}, **age)
    return get_conditional_response(request, etag, written, response) or response
