"""Bots as everybody sees them, and the state of their versions."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Field, Query, Schema

from api import finding
from api.auth import OPTIONAL, anyone, caller
from api.errors import answers
from api.paging import Number, PageOf, Paging, Slug, page_of
from api.routes.own import router
from api.shapes import bots as shapes
from api.shapes import tournaments as tables
from bots import author_pages, selectors
from bots.models import BotVersion
from pages import profiles

TAGS = ["Bots"]

Words = Annotated[str, Field(max_length=100, description="Part of the name of a bot or of its owner.")]


class Search(Schema):
    """Which bots."""

    q: Words = ""


class In(Schema):
    """Where a bot plays."""

    tournament: Slug = Field(
        "", pattern=r"^[-a-zA-Z0-9_]*$", description="Empty: the ladder, or where it entered last."
    )


class OpponentOut(Schema):
    """The bot against another."""

    bot: shapes.BotShort
    version: int
    score: float = Field(description="The mean, from 0 to 1.")
    matches: int
    deals: int
    games: int


class EntryOut(Schema):
    """The bot in a tournament."""

    tournament: str
    version: int
    state: str


class BotDetail(shapes.BotOut):
    """A bot and how it plays in one tournament."""

    entries: list[EntryOut] = Field(description="Its newest entry in each tournament, the newest first.")
    tournament: str | None = Field(description="Which of them the rest tells about; null where it plays in none.")
    standing: tables.TableLine | None
    opponents: list[OpponentOut] = Field(description="The worst score first.")


def plain(text: str) -> str:
    """What was searched for, without the null bytes that a database refuses."""
    return text.replace("\0", "").strip()


@router.get(
    "/bots",
    auth=anyone,
    tags=TAGS,
    openapi_extra=OPTIONAL,
    response=answers(PageOf[shapes.BotOut], 422),
    operation_id="bots",
    summary="All bots that may play",
)
def index(request: HttpRequest, search: Query[Search], paging: Query[Paging]) -> Any:
    """By name. A bot is in the list once a version of it has passed its check."""
    found = profiles.listed(plain(search.q))
    return page_of(found, paging, lambda bot: shapes.bot_out(request, bot, bot.current_number))


@router.get(
    "/bots/{slug:slug}",
    auth=anyone,
    tags=TAGS,
    openapi_extra=OPTIONAL,
    response=answers(BotDetail, 404, 422),
    operation_id="bot",
    summary="A bot, its standing and its opponents",
)
def detail(request: HttpRequest, slug: Slug, where: Query[In]) -> Any:
    """How it does in one tournament: the ladder, unless you name another."""
    bot = finding.bot(slug)
    profile = profiles.profile(bot, where.tournament)
    current = selectors.current_version(bot)
    return {
        **shapes.bot_out(request, bot, current.number if current else None),
        "entries": [
            {"tournament": entry.tournament.slug, "version": entry.version.number, "state": entry.state}
            for entry in profile.entries
        ],
        "tournament": profile.entry.tournament.slug if profile.entry else None,
        "standing": tables.table_line(profile.row) if profile.row else None,
        "opponents": [_opponent(opponent) for opponent in profile.opponents],
    }


def _opponent(opponent: profiles.Opponent) -> dict[str, Any]:
    meeting = opponent.meeting
    return {
        "bot": {"slug": opponent.slug, "name": opponent.name},
        "version": opponent.version,
        "score": meeting.score,
        "matches": meeting.matches,
        "deals": meeting.deals,
        "games": meeting.games,
    }


@router.get(
    "/bots/{slug:slug}/versions",
    auth=anyone,
    tags=TAGS,
    openapi_extra=OPTIONAL,
    response=answers(PageOf[shapes.VersionOut], 404, 422),
    operation_id="versions",
    summary="The versions of a bot",
)
def versions(request: HttpRequest, slug: Slug, paging: Query[Paging]) -> Any:
    """The newest first. Versions that have not passed their check are for the owner of the bot."""
    bot = finding.bot(slug)
    found = BotVersion.objects.filter(bot=bot).defer("report", "progress").order_by("-number")
    if not selectors.is_owner(caller(request).user, bot):
        found = found.filter(state=BotVersion.State.READY)
    return page_of(found, paging, lambda version: shapes.version_out(request, slug, version))


@router.get(
    "/bots/{slug:slug}/versions/{int:number}",
    auth=anyone,
    tags=TAGS,
    openapi_extra=OPTIONAL,
    response=answers(shapes.CheckedVersion, 404, 422),
    operation_id="version",
    summary="A version and its check",
)
def version(request: HttpRequest, slug: Slug, number: Number) -> Any:
    """How far the check is, and its report: for the owner of the bot. Ask again every few seconds while it runs."""
    found = finding.version(request, slug, number)
    return shapes.checked_version(request, found, author_pages.check_of(caller(request).user, found))


__all__ = ["router"]
