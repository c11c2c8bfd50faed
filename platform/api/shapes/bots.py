"""Bots, their versions and what their owner alone sees."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from django.urls import reverse
from ninja import Field, Schema

from api.auth import caller
from bots import author_pages, selectors
from bots.models import Bot, BotVersion
from tournaments.models import GameLog

VersionState = Literal["checking", "ready", "rejected", "parked"]
Reason = Literal["load", "crash", "illegal", "protocol", "time", "memory", "output", "pondering"]


class BotShort(Schema):
    """A bot, by name."""

    slug: str = Field(description="Its address, which never changes.")
    name: str


class BotName(BotShort):
    """A bot and whose it is."""

    owner: str


class BotOut(BotName):
    """A bot as everybody sees it."""

    description: str = Field(description="Empty for everybody but its owner while the bot or its owner is suspended.")
    created_at: datetime
    version: int | None = Field(description="The number of the version that plays; null while none has passed.")
    url: str = Field(description="Its page.")


class VersionOut(Schema):
    """One upload of a bot. It never changes."""

    number: int
    state: VersionState = Field(description="`parked`: the arena could not check it, by no fault of the bot.")
    created_at: datetime
    checked_at: datetime | None
    url: str = Field(description="The page that follows its check.")


class OwnVersion(VersionOut):
    """A version as its owner sees it."""

    bot: str = Field(description="The slug of its bot.")
    filename: str
    size: int = Field(description="In bytes.")
    sha256: str


class Check(Schema):
    """How far a check is, and what it found."""

    done: int = Field(description="Games played so far.")
    total: int = Field(description="Games in all; 0 before the check began.")
    ahead: int = Field(description="How many checks come before it while it waits.")
    report: dict[str, Any] | None = Field(
        description="What the check found, exactly as `python -m arena check --json` prints it; null before it ended."
    )


class CheckedVersion(VersionOut):
    """A version, and its check for whom it concerns."""

    bot: str = Field(description="The slug of its bot.")
    check: Check | None = Field(description="For its owner; null for everybody else.")


class OwnBot(BotOut):
    """A bot in its author's list."""

    newest: VersionOut | None = Field(description="The newest upload; null before the first.")


class LogOut(Schema):
    """What one bot printed in one game, and how it failed there. For its owner only."""

    game: int
    match: int
    tournament: str
    version: int
    seat: int = Field(description="Where it sat in that game.")
    reason: Reason | None = Field(description="Why it failed; null where it did not.")
    message: str = Field(description="The failure in one sentence; empty where there is none.")
    log: str = Field(description="The first and last 16 KB of what it printed.")
    failure: dict[str, Any] | None = Field(
        description="All that is known of the failure: `detail` (file, line, traceback) and `view`, what it was asked."
    )
    played_at: datetime
    url: str = Field(description="The replay.")


def link(request: HttpRequest, path: str) -> str:
    """The whole address of a page of the site."""
    return request.build_absolute_uri(path)


def bot_name(bot: Bot) -> dict[str, Any]:
    """Read the bot with its owner."""
    return {"slug": bot.slug, "name": bot.name, "owner": bot.owner.username}


def bot_out(request: HttpRequest, bot: Bot, version: int | None) -> dict[str, Any]:
    """A bot and the number of the version that plays. What its owner wrote of one that is suspended is for him and for
    staff alone, as on its page."""
    shown = not (bot.is_suspended or bot.owner.is_suspended) or selectors.is_owner(caller(request).user, bot)
    return {
        **bot_name(bot),
        "description": bot.description if shown else "",
        "created_at": bot.created_at,
        "version": version,
        "url": link(request, bot.get_absolute_url()),
    }


def version_out(request: HttpRequest, slug: str, version: BotVersion) -> dict[str, Any]:
    """A version of the bot with a slug, as everybody sees it; its own bot is not read."""
    return {
        "number": version.number,
        "state": version.state,
        "created_at": version.created_at,
        "checked_at": version.checked_at,
        "url": link(request, reverse("bots:version", args=[slug, version.number])),
    }


def own_version(request: HttpRequest, slug: str, version: BotVersion) -> dict[str, Any]:
    """A version for its owner. Read it with its file, without the content."""
    return {
        **version_out(request, slug, version),
        "bot": slug,
        "filename": version.filename,
        "size": version.file.size,
        "sha256": version.file_id,
    }


def checked_version(request: HttpRequest, version: BotVersion, check: author_pages.Check) -> dict[str, Any]:
    """A version with what the one who asks may see of its check."""
    shown = {"done": check.done, "total": check.total, "ahead": check.ahead, "report": check.report or None}
    slug = version.bot.slug
    return {
        **version_out(request, slug, version),
        "bot": slug,
        "check": shown if check.sees_report else None,
    }


def own_bot(request: HttpRequest, own: author_pages.OwnBot) -> dict[str, Any]:
    """One of one's own bots."""
    newest = version_out(request, own.bot.slug, own.newest) if own.newest else None
    return {**bot_out(request, own.bot, own.current.number if own.current else None), "newest": newest}


def log_out(request: HttpRequest, log: GameLog) -> dict[str, Any]:
    """A log. Read it with its game, the game's match and tournament, and its seat's version."""
    failure = log.failure if isinstance(log.failure, Mapping) else None
    return {
        "game": log.game_id,
        "match": log.game.match_id,
        "tournament": log.game.match.tournament.slug,
        "version": log.seat.version.number,
        "seat": list(log.game.seating).index(log.seat.index),
        "reason": failure.get("reason") if failure else None,
        "message": str(failure.get("message", "")) if failure else "",
        "log": log.log,
        "failure": failure,
        "played_at": log.game.created_at,
        "url": link(request, log.game.get_absolute_url()),
    }
