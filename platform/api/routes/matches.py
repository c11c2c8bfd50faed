"""Matches, games and their records."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import structlog
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import http_date, quote_etag
from django.utils.translation import gettext as _
from ninja import Field, Query, Router, Schema

from api import finding
from api.auth import OPTIONAL, anyone, caller
from api.errors import Refusal, answers, not_found
from api.paging import Number, PageOf, Paging, Slug, page_of
from api.shapes import matches as shapes
from arena.durak import RecordError
from tournaments import listings
from tournaments.models import Match
from tournaments.records import RecordDroppedError

log = structlog.get_logger(__name__)

router = Router(tags=["Matches and games"])

RECORD_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"format": {"const": "durak-record/1"}},
    "required": ["format"],
}


class Filters(Schema):
    """Which matches."""

    tournament: Slug | None = Field(None, description="Only of this tournament.")
    bot: Slug | None = Field(None, description="Only with this bot at the table.")
    against: Slug | None = Field(None, description="Only with this other bot at the table as well.")
    state: Literal["played", "all", "queued", "running", "finished", "parked", "cancelled"] = Field(
        "played", description="`played`: running, parked and finished; not the plan, but what came of it."
    )


@router.get(
    "/matches",
    auth=anyone,
    openapi_extra=OPTIONAL,
    response=answers(PageOf[shapes.MatchOut], 404, 422),
    operation_id="matches",
    summary="Matches",
)
def index(request: HttpRequest, filters: Query[Filters], paging: Query[Paging]) -> Any:
    """What is being played first, then the newest."""
    tournament = finding.tournament(request, filters.tournament) if filters.tournament else None
    found = listings.matches(
        tournament,
        state=filters.state,
        bot=filters.bot or "",
        against=filters.against or "",
        drafts=caller(request).is_staff,
    )
    return page_of(found, paging, lambda match: shapes.match_out(request, match))


@router.get(
    "/matches/{int:number}",
    auth=anyone,
    openapi_extra=OPTIONAL,
    response=answers(shapes.MatchDetail, 404, 422),
    operation_id="match",
    summary="A match and its games",
)
def detail(request: HttpRequest, number: Number) -> Any:
    """In whatever state it is; `number` is its `id`. The games are there when the match is finished."""
    wanted = listings.matches(state="all", drafts=caller(request).is_staff).select_related("tournament", "secret")
    match = wanted.filter(pk=number).first()
    if match is None:
        raise not_found(_("There is no match %(number)d.") % {"number": number})
    return shapes.match_detail(request, listings.match_page(match), decks_of(match))


def decks_of(match: Match) -> dict[str, Any]:
    """What may be known about where the decks of a match come from."""
    secret = match.secret
    shown = bytes(secret.secret).hex() if secret.revealed_at else None
    return {"day": secret.day, "commitment": secret.commitment, "secret": shown}


@router.get(
    "/games/{int:number}",
    auth=anyone,
    openapi_extra=OPTIONAL,
    response=answers(shapes.GameDetail, 404, 422),
    operation_id="game",
    summary="A finished game",
)
def game(request: HttpRequest, number: Number) -> Any:
    """Who sat where, and how it ended."""
    shown = finding.game(request, number)
    prefetch_related_objects([seat.version.bot for seat in shown.seats], "owner")
    return shapes.game_detail(request, shown)


@router.get(
    "/games/{int:number}/record",
    auth=anyone,
    response=answers(None, 404, 412, 422),
    operation_id="game_record",
    url_name="game_record",
    summary="The record of a game",
    openapi_extra=OPTIONAL
    | {
        "responses": {
            200: {"content": {"application/json": {"schema": RECORD_SCHEMA}}},
            304: {"description": "It is what you have (`If-None-Match` or `If-Modified-Since`)."},
        }
    },
)
def game_record(request: HttpRequest, number: Number) -> HttpResponseBase:
    """All that is needed to play the game again and to check it: `python -m arena verify FILE`.

    A record never changes. Keep its `ETag` and send it as `If-None-Match`: the answer is then 304, without a body.
    """
    shown = finding.game(request, number)
    packed = bytes(shown.game.record)
    etag = quote_etag(hashlib.sha256(packed).hexdigest()[:20])
    written = int(shown.game.created_at.timestamp())
    response = HttpResponse(content_type="application/json; charset=utf-8")
    response["ETag"] = etag
    response["Last-Modified"] = http_date(written)
    patch_cache_control(response, **{"public" if shown.public else "private": True}, no_cache=True)
    asked = get_conditional_response(request, etag, written, response) or response
    if asked.status_code == 304:
        return asked
    if asked.status_code == 412:
        raise Refusal(412, _("The record is not the one that you named in If-Match or If-Unmodified-Since."))
    try:
        response.content = shown.record.dumps()
    except RecordDroppedError as error:
        raise not_found(str(error)) from None
    except RecordError as error:
        log.error("record_unreadable", game=number, error=str(error))  # noqa: TRY400 - the sentence says it all
        raise not_found(
            _("The record of game %(number)d is damaged; staff will look into it.") % {"number": number}
        ) from None
    response["Content-Disposition"] = f'attachment; filename="durak-game-{number}.json"'
    return response
