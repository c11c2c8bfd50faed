"""Who scored what against whom: for a whole tournament, or for one bot against each of its opponents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from tournaments.models import Entry, Match, Seat, Tournament


@dataclass(frozen=True)
class Meeting:
    """What one entry got against another in all their finished matches."""

    entry_id: int
    opponent_id: int
    points: int
    """Of the two that the pair shares in each game."""
    matches: int
    deals: int
    games: int

    @property
    def score(self) -> float:
        """The mean score, from 0 to 1."""
        return self.points / (2 * self.games)


def crosstable(tournament: Tournament, entries: Collection[int] | None = None) -> dict[tuple[int, int], Meeting]:
    """Every meeting of a tournament by (entry, opponent), or those between `entries` alone. One query.

    It grows with the square of the entries: give `entries` where they may be many.
    """
    seats = Seat.objects.filter(match__tournament=tournament)
    if entries is not None:
        # Most matches of so few entries are against others: only those are looked at in which two of them sat.
        together = Seat.objects.filter(entry__in=entries).order_by().values("match").annotate(n=Count("pk"))
        seats = seats.filter(entry__in=entries, match__in=together.filter(n__gte=2).values("match"))
    return _meetings(_finished(seats), tournament)


def opponents(entry: Entry) -> list[Meeting]:
    """One entry against each of its opponents, most played first. One query beside the entry's own tournament."""
    mine = Seat.objects.filter(entry=entry).values("match")
    found = _meetings(_finished(Seat.objects.filter(match__in=mine)), entry.tournament, only=entry.pk)
    return sorted(found.values(), key=lambda meeting: (-meeting.games, meeting.opponent_id))


SeatRow = tuple[int, int, int, list[int | None]]
"""A seat as (match, index, entry, points against each seat)."""


def _finished(seats: QuerySet[Seat]) -> Iterable[SeatRow]:
    finished = seats.filter(match__state=Match.State.FINISHED).order_by()
    return finished.values_list("match_id", "index", "entry_id", "against")


def _meetings(
    rows: Iterable[SeatRow], tournament: Tournament, only: int | None = None
) -> dict[tuple[int, int], Meeting]:
    tables: dict[int, list[SeatRow]] = defaultdict(list)
    for row in rows:
        tables[row[0]].append(row)
    points: dict[tuple[int, int], int] = defaultdict(int)
    matches: dict[tuple[int, int], int] = defaultdict(int)
    for table in tables.values():
        for _, index, entry, against in table:
            if only is not None and entry != only:
                continue
            for _, other_index, other, _ in table:
                got = against[other_index] if other_index != index else None
                if got is not None:
                    points[entry, other] += got
                    matches[entry, other] += 1
    return {
        (entry, other): Meeting(
            entry,
            other,
            got,
            matches[entry, other],
            matches[entry, other] * tournament.deals,
            matches[entry, other] * tournament.games_a_match,
        )
        for (entry, other), got in points.items()
    }
