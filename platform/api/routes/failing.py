"""How one's bots fail and how long they think, and the files that reproduce a failure."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Field, Query, Schema

from api import finding
from api.auth import OPTIONAL, anyone, caller, reader
from api.errors import Refusal, answers, not_found
from api.paging import Number, Slug
from api.routes.matches import router as match_router
from api.routes.own import TAGS, router
from api.shapes import bots as shapes
from arena.durak import RecordError
from arena.reproduction import FORMAT, Reproduction
from bots import author_pages
from pages import failures, thinking
from replays import games, reproductions

Seat = Annotated[int, Field(ge=0, le=5)]

FILE: dict[str, Any] = {
    "responses": {
        200: {
            "content": {
                "application/json": {
                    "schema": {"type": "object", "properties": {"format": {"const": FORMAT}}, "required": ["format"]}
                }
            }
        }
    }
}


class FailureFilters(Schema):
    """Which failures."""

    bot: Slug | None = Field(None, description="Only of this bot; else of all of yours.")
    version: Number | None = Field(None, description="Only of this version.")
    reason: shapes.Reason | None = Field(None, description="Only for this reason.")


class FailedGameOut(Schema):
    """A game in which a bot failed."""

    game: int
    bot: str
    version: int
    seat: int
    at: int = Field(description="How many moves had been played.")
    played_at: datetime
    url: str = Field(description="The replay, at that move, as the bot saw the table.")
    reproduction: str = Field(description="The file for `python -m arena reproduce`; send the token with the request.")


class FailureGroup(Schema):
    """Failures of one reason with one traceback."""

    reason: shapes.Reason
    message: str = Field(description="The newest of them in one sentence.")
    traceback: str = Field(description="Empty where nothing was raised.")
    games: int = Field(description="In how many games.")
    newest: FailedGameOut


class FailuresOut(Schema):
    """How bots fail."""

    lost: dict[str, int] = Field(description="Lost games by cause: `play`, or the reason of a failure.")
    groups: list[FailureGroup] = Field(description="The most frequent first.")
    more: bool = Field(description="Whether there are older failures, or more groups, than these.")


class SlowOut(Schema):
    """A slow decision."""

    ms: float
    game: int
    move: int = Field(description="The number of the move in its game, from 1.")
    seat: int
    notation: str
    version: int
    url: str = Field(description="The replay, at that move.")


class TimesOut(Schema):
    """How long a bot thinks, in milliseconds, over its newest games."""

    games: int
    decisions: int
    mean_ms: float | None
    median_ms: float | None
    p95_ms: float | None
    slowest_ms: float | None
    slowest: list[SlowOut] = Field(description="The slowest decisions, the slowest first.")


class OfVersion(Schema):
    """Of which version."""

    version: Number | None = Field(None, description="Only of this version.")


@router.get(
    "/me/failures",
    auth=reader,
    tags=TAGS,
    response=answers(FailuresOut, 403, 404, 422),
    operation_id="my_failures",
    summary="How your bots fail, grouped by traceback",
)
def my_failures(request: HttpRequest, filters: Query[FailureFilters]) -> Any:
    """What the page “My failures” shows. Each single game is in `/bots/{slug}/logs?failed=true`."""
    bot = finding.own_bot(request, filters.bot) if filters.bot else None
    chosen = [bot] if bot else failures.own_bots(caller(request).owner)
    found = failures.read(chosen, failures.Filters(bot, filters.version, filters.reason or ""))
    return {
        "lost": dict(found.lost),
        "groups": [
            {
                "reason": group.reason,
                "message": str(group.newest.failure.get("message", "")),
                "traceback": group.traceback,
                "games": group.count,
                "newest": _failed_game(request, group.newest),
            }
            for group in found.groups
        ],
        "more": found.more,
    }


def _failed_game(request: HttpRequest, failed: failures.FailedGame) -> dict[str, Any]:
    game, version = failed.log.game, failed.log.seat.version
    return {
        "game": game.pk,
        "bot": version.bot.slug,
        "version": version.number,
        "seat": failed.seat,
        "at": int(failed.failure.get("at", 0)),
        "played_at": game.created_at,
        "url": shapes.link(request, game.get_absolute_url() + failed.fragment),
        "reproduction": shapes.link(request, reverse("api:reproduction", args=[game.pk, failed.seat])),
    }


@match_router.get(
    "/games/{int:number}/failures/{int:seat}",
    auth=reader,
    response=answers(None, 403, 404, 422),
    operation_id="reproduction",
    url_name="reproduction",
    summary="The file that reproduces a failure",
    openapi_extra=FILE,
)
def reproduction(request: HttpRequest, number: Number, seat: Seat) -> HttpResponse:
    """For the owner of the bot that sat there: `python -m arena reproduce FILE mybot/` plays the game again, up to the
    failure, and stops there in the debugger."""
    shown = finding.game(request, number)
    try:
        found = reproductions.reproduction(shown, seat, caller(request).owner)
    except games.NotThere:
        sentence = _("No bot failed at seat %(seat)d of game %(number)d.")
        raise not_found(sentence % {"seat": seat, "number": number}) from None
    except reproductions.NotYours:
        raise Refusal(403, _("The bot at that seat is somebody else's.")) from None
    except RecordError:
        sentence = _("The record of game %(number)d is damaged; staff will look into it.")
        raise not_found(sentence % {"number": number}) from None
    return _file(found, f"durak-failure-{number}-{seat}.json")


@router.get(
    "/bots/{slug:slug}/versions/{int:number}/failure",
    auth=reader,
    tags=TAGS,
    response=answers(None, 403, 404, 422),
    operation_id="version_reproduction",
    summary="The file that reproduces a failed check",
    openapi_extra=FILE,
)
def version_reproduction(request: HttpRequest, slug: Slug, number: Number) -> HttpResponse:
    """The game in which a version failed its check. For the owner of the bot."""
    finding.own_bot(request, slug)
    found = author_pages.reproduction(finding.version(request, slug, number))
    if found is None:
        sentence = _("Version %(number)d of the bot “%(slug)s” failed in no game of its check.")
        raise not_found(sentence % {"number": number, "slug": slug})
    return _file(found, f"{slug}-v{number}-failure.json")


def _file(found: Reproduction, filename: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{filename}"', "Cache-Control": "private, no-store"}
    return HttpResponse(found.dumps(), content_type="application/json; charset=utf-8", headers=headers)


@router.get(
    "/bots/{slug:slug}/times",
    auth=anyone,
    tags=["Bots"],
    openapi_extra=OPTIONAL,
    response=answers(TimesOut, 404, 422),
    operation_id="bot_times",
    summary="How long a bot thinks",
)
def bot_times(request: HttpRequest, slug: Slug, which: Query[OfVersion]) -> Any:
    """Over its newest games, from the public records, with the slowest decisions."""
    found = thinking.read(finding.bot(slug), which.version)
    if found is None:
        figures = dict.fromkeys(("mean_ms", "median_ms", "p95_ms", "slowest_ms"))
        return {"games": 0, "decisions": 0, **figures, "slowest": []}
    return {
        "games": found.games,
        "decisions": found.decisions,
        "mean_ms": found.mean,
        "median_ms": found.median,
        "p95_ms": found.p95,
        "slowest_ms": found.slowest_ms,
        "slowest": [
            {
                **{name: getattr(slow, name) for name in ("ms", "move", "seat", "notation", "version")},
                "game": slow.game.pk,
                "url": shapes.link(request, f"{slow.game.get_absolute_url()}#m={slow.move}&seat={slow.seat}"),
            }
            for slow in found.slowest
        ],
    }
