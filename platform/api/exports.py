"""The games of a tournament as rows of a spreadsheet. Its other files are made by `tournaments.exports`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from tournaments.exports import safe_cell
from tournaments.listings import SEATS
from tournaments.models import Game, Match, Tournament

BATCH = 50
"""Matches that are read at once."""


def game_lines(tournament: Tournament) -> Iterator[bytes]:
    """Every finished game as a line of CSV, below a line of names, in the order of matches, rotations and deals.

    Read in batches along an index, so that neither memory nor the time to the first line grows with the tournament.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    for row in _rows(tournament):
        writer.writerow([safe_cell(value) for value in row])
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()


def _rows(tournament: Tournament) -> Iterator[Sequence[Any]]:
    yield (
        *("game", "match", "round", "deal", "rotation", "ending", "moves", "seconds", "played_at"),
        *(
            f"seat_{seat}_{what}"
            for seat in range(tournament.players)
            for what in ("bot", "version", "place", "failure")
        ),
    )
    for match, games in _finished(tournament):
        by_index = {seat.index: seat for seat in match.seats.all()}
        for game in games:
            failures = {int(failure["seat"]): str(failure["reason"]) for failure in game.failures}
            cells: list[Any] = []
            for seat, (index, place) in enumerate(zip(game.seating, game.places, strict=True)):
                version = by_index[index].version
                cells += [version.bot.name, version.number, place, failures.get(seat)]
            about = (game.pk, match.number, match.round, game.deal, game.rotation, game.ending, game.moves)
            yield (*about, game.seconds, game.created_at.isoformat(), *cells)


def _finished(tournament: Tournament) -> Iterator[tuple[Match, list[Game]]]:
    matches = Match.objects.filter(tournament=tournament, state=Match.State.FINISHED).order_by("id")
    matches = matches.prefetch_related(SEATS)
    last = 0
    while batch := list(matches.filter(pk__gt=last)[:BATCH]):
        games: dict[int, list[Game]] = {match.pk: [] for match in batch}
        found = Game.objects.filter(match__in=batch).defer("record").order_by("match_id", "rotation", "deal")
        for game in found:
            games[game.match_id].append(game)
        for match in batch:
            yield match, games[match.pk]
        last = batch[-1].pk
