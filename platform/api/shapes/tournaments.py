"""Tournaments, their tables and crosstables. The numbers are those of `tournaments.standings`, unchanged."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Field, Schema

from api.shapes.bots import BotName, link
from tournaments import standings
from tournaments.board import Row
from tournaments.cross_page import Cross
from tournaments.listings import ShownSecret
from tournaments.models import Tournament
from tournaments.standings import Standing

TournamentState = Literal["draft", "open", "running", "finished", "cancelled"]


class TournamentOut(Schema):
    """A tournament in a list."""

    slug: str
    name: str
    kind: Literal["round_robin", "ladder"]
    state: TournamentState
    ruleset: str = Field(description="The name of its ruleset.")
    players: int = Field(description="Seats at a table.")
    deals: int = Field(description="Deals a match; each is played once in every rotation.")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    url: str


class Counted(TournamentOut):
    """A tournament in a list, with how far it is."""

    entries: int = Field(description="Bots that play in it.")
    matches: int = Field(description="Matches that were or will be played.")
    finished: int = Field(description="Matches that have been played.")


class ProgressOut(Schema):
    """Matches by state."""

    queued: int
    running: int
    finished: int
    parked: int
    cancelled: int


class TournamentDetail(TournamentOut):
    """A tournament with its rules."""

    description: str
    options: dict[str, Any] = Field(description="Every option of its ruleset, by name.")
    limits: dict[str, Any] = Field(description="What its bots may use, by name.")
    progress: ProgressOut


class SecretOut(Schema):
    """A commitment to decks, and what they were derived from once that is revealed."""

    day: date | None = Field(description="Of a ladder; null where one secret is for the whole tournament.")
    commitment: str = Field(description="SHA-256 of the secret, in hex.")
    secret: str | None = Field(description="In hex; null until it is revealed.")


class StandingOut(Schema):
    """One line of the table."""

    place: int | None = Field(description="From 1; null for who no longer plays.")
    bot: BotName
    version: int
    state: Literal["active", "replaced", "withdrawn", "disqualified", "suspended"]
    reason: str = Field(description="Why it no longer plays; else empty.")
    rating: float | None = Field(description="On the Elo scale; null before the first finished match.")
    low: float | None = Field(description="Lower end of the 95 % interval of the rating.")
    high: float | None
    elo: float
    matches: int
    games: int
    won: int
    drawn: int
    lost: int
    score: float | None = Field(description="Share of the points, from 0 to 1; null before the first finished match.")
    lost_by: dict[str, int] = Field(description="Lost games by cause: `play`, or the reason of a failure.")
    seconds: float = Field(description="Thinking time over all games.")
    decisions: int
    slowest: float = Field(description="The longest decision, in seconds.")


class TableLine(StandingOut):
    """One line of the table, with what it has been told apart from."""

    best: int | None = Field(description="The best place that the games so far leave open; null without a rating.")
    worst: int | None
    group: int | None = Field(description="Bots of different groups are told apart from each other.")


class CrossCellOut(Schema):
    """What one bot scored against another."""

    score: float = Field(description="The mean, from 0 to 1.")
    deals: int = Field(description="How many deals it rests on.")


class CrossRowOut(Schema):
    """One bot against each of the others."""

    place: int | None
    bot: BotName
    version: int
    cells: list[CrossCellOut | None] = Field(
        description="In the order of the rows; null against itself, and where two have not met."
    )


class CrossOut(Schema):
    """Who scored what against whom."""

    rows: list[CrossRowOut] = Field(description="The best of the table, in its order.")
    left_out: int = Field(description="Bots of the table that are not among them.")


def tournament_out(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """A tournament."""
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "kind": tournament.kind,
        "state": tournament.state,
        "ruleset": tournament.ruleset_name,
        "players": tournament.players,
        "deals": tournament.deals,
        "created_at": tournament.created_at,
        "started_at": tournament.started_at,
        "finished_at": tournament.finished_at,
        "url": link(request, tournament.get_absolute_url()),
    }


def counted(request: HttpRequest, tournament: Any) -> dict[str, Any]:
    """A tournament as `tournaments.listings.tournaments` gives it, with its counts."""
    return {
        **tournament_out(request, tournament),
        "entries": tournament.entry_count,
        "matches": tournament.match_count,
        "finished": tournament.finished_count,
    }


def tournament_detail(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """A tournament with its rules and its progress. One query."""
    progress = standings.progress(tournament)
    return {
        **tournament_out(request, tournament),
        "description": tournament.description,
        "options": tournament.ruleset,
        "limits": tournament.limits,
        "progress": {state: getattr(progress, state) for state in ProgressOut.model_fields},
    }


def secret_out(secret: ShownSecret) -> dict[str, Any]:
    """What may be shown of a secret."""
    return {"day": secret.day, "commitment": secret.commitment, "secret": secret.shown or None}


_SAME = sorted(set(StandingOut.model_fields) - {"bot"})


def standing_out(line: Standing) -> dict[str, Any]:
    """A line, number by number as it is in the table."""
    return {
        "bot": {"slug": line.bot_slug, "name": line.bot_name, "owner": line.owner},
        **{name: getattr(line, name) for name in _SAME},
    }


def table_line(row: Row) -> dict[str, Any]:
    """A line with its span."""
    span = row.span
    return {
        **standing_out(row.standing),
        "best": span.best if span else None,
        "worst": span.worst if span else None,
        "group": span.group if span else None,
    }


def cross_out(cross: Cross) -> dict[str, Any]:
    """A crosstable."""
    rows = []
    for row in cross.rows:
        line = row.line
        cells = [{"score": cell.score, "deals": cell.deals} if cell.deals else None for cell in row.cells]
        bot = {"slug": line.bot_slug, "name": line.bot_name, "owner": line.owner}
        rows.append({"place": line.place, "bot": bot, "version": line.version, "cells": cells})
    return {"rows": rows, "left_out": cross.left_out}
