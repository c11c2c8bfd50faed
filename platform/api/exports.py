"""A tournament to take away: its table and games as rows, its records one after the other.

What is long is read in batches along an index, so that memory and the time to the first line do not grow with the
tournament.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import structlog

from arena.durak import GameRecord, RecordError
from tournaments import board, standings
from tournaments.cross_page import Cross
from tournaments.listings import SEATS
from tournaments.models import Game, Match, Tournament

log = structlog.get_logger(__name__)

BATCH = 50
"""Matches that are read at once."""

REASONS = ("play", "load", "crash", "illegal", "protocol", "time", "memory", "output", "pondering")
Row = Sequence[Any]


def table_rows(tournament: Tournament) -> Iterator[Row]:
    """The whole table, a line a bot, under its heads. One query."""
    yield (
        *("place", "bot", "owner", "version", "state", "rating", "low", "high", "best", "worst", "elo"),
        *("matches", "games", "won", "drawn", "lost", "score", *(f"lost by {reason}" for reason in REASONS)),
        *("seconds", "decisions", "slowest", "address"),
    )
    for row in board.lines(standings.table(tournament)):
        line, span = row.standing, row.span
        yield (
            *(line.place, line.bot_name, line.owner, line.version, line.state, line.rating, line.low, line.high),
            *((span.best, span.worst) if span else (None, None)),
            *(line.elo, line.matches, line.games, line.won, line.drawn, line.lost, line.score),
            *(line.lost_by.get(reason, 0) for reason in REASONS),
            *(line.seconds, line.decisions, line.slowest, line.bot_slug),
        )


def cross_rows(cross: Cross) -> Iterator[Row]:
    """A crosstable: the score of each against each, from 0 to 1, and beside it on how many deals it rests."""
    names = [f"{row.line.bot_name} v{row.line.version}" for row in cross.rows]
    yield ("place", "bot", *names, *(f"deals against {name}" for name in names))
    for row, name in zip(cross.rows, names, strict=True):
        scores = [cell.score if cell.deals else None for cell in row.cells]
        yield (row.line.place, name, *scores, *(cell.deals or None for cell in row.cells))


def game_rows(tournament: Tournament) -> Iterator[Row]:
    """Every finished game, a line a game, under the heads. Two queries for each batch of matches, and one before."""
    seats = range(1, tournament.players + 1)
    yield (
        *("game", "match", "round", "deal", "rotation", "ending", "moves", "seconds", "played"),
        *(f"seat {seat} {what}" for seat in seats for what in ("bot", "version", "place", "failure")),
    )
    for match, games in _finished(tournament, records=False):
        by_index = {seat.index: seat for seat in match.seats.all()}
        for game in games:
            failures = {int(failure["seat"]): str(failure["reason"]) for failure in game.failures}
            cells: list[Any] = []
            for number, (index, place) in enumerate(zip(game.seating, game.places, strict=True)):
                version = by_index[index].version
                cells += [version.bot.name, version.number, place, failures.get(number)]
            about = (game.pk, match.number, match.round, game.deal, game.rotation, game.ending, game.moves)
            yield (*about, game.seconds, game.created_at.isoformat(), *cells)


def record_lines(tournament: Tournament) -> Iterator[str]:
    """Every record, a line of JSON a game: `{"game": 1, "match": 1, "deal": 0, "rotation": 0, "record": {...}}`.

    A record that is damaged is null, with the `error` beside it.
    """
    for match, games in _finished(tournament, records=True):
        for game in games:
            line: dict[str, Any] = {"game": game.pk, "match": match.number, "deal": game.deal}
            line["rotation"] = game.rotation
            try:
                line["record"] = GameRecord.from_compact(bytes(game.record)).to_json()
            except RecordError as error:
                log.error("record_unreadable", game=game.pk, error=str(error))  # noqa: TRY400 - the sentence says it all
                line |= {"record": None, "error": str(error)}
            yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _finished(tournament: Tournament, *, records: bool) -> Iterator[tuple[Match, list[Game]]]:
    """The finished matches in the order of their making, each with its games."""
    matches = Match.objects.filter(tournament=tournament, state=Match.State.FINISHED).order_by("id")
    if not records:
        matches = matches.prefetch_related(SEATS)
    last = 0
    while batch := list(matches.filter(pk__gt=last)[:BATCH]):
        found = Game.objects.filter(match__in=batch).order_by("match_id", "rotation", "deal")
        games: dict[int, list[Game]] = {match.pk: [] for match in batch}
        for game in found if records else found.defer("record"):
            games[game.match_id].append(game)
        for match in batch:
            yield match, games[match.pk]
        last = batch[-1].pk
