"""The table of a tournament: the only source of its numbers for pages, exports and interfaces, and one query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from arena.rating import opponents
from tournaments.models import Entry, Match, Tournament
from tournaments.values import ruleset_of


@dataclass(frozen=True)
class Standing:
    """One line of the table."""

    place: int | None
    """From 1; shared by who cannot be told apart at all; None for who no longer plays."""
    entry_id: int
    bot_id: int
    bot_name: str
    bot_slug: str
    owner: str
    version: int
    state: str
    reason: str
    rating: float | None
    """Of the likelihood table, on the Elo scale; None before the first finished match."""
    low: float | None
    """Lower end of the interval that holds the true rating in 95 of 100 cases."""
    high: float | None
    elo: float
    matches: int
    games: int
    won: int
    drawn: int
    lost: int
    score: float | None
    """Share of the points that could be had, from 0 to 1; None before the first finished match."""
    lost_by: dict[str, int]
    """Lost games by cause: `play`, or the reason of a failure."""
    seconds: float
    """Thinking time over all games."""
    decisions: int
    slowest: float
    """The longest decision, in seconds."""

    @property
    def failures(self) -> dict[str, int]:
        """Failed games by reason: what it lost otherwise than by play."""
        return {cause: count for cause, count in self.lost_by.items() if cause != "play"}


def lost_by(lost: int, failures: Mapping[str, int]) -> dict[str, int]:
    """Lost games by cause, from how many there are and those lost by a failure: the rest was lost by play."""
    return {"play": lost - sum(failures.values()), **failures}


def table(tournament: Tournament) -> list[Standing]:
    """The table, best first: by the likelihood rating, then by score, then by Elo.

    On a ladder, who plays now. In a round robin everyone who entered; who was withdrawn or disqualified stands below
    the others, without a place.
    """
    entries = Entry.objects.filter(tournament=tournament)
    if tournament.is_ladder:
        entries = entries.filter(state=Entry.State.ACTIVE)
    return _rank(entries, tournament)


def standing_of(entry: Entry) -> Standing:
    """One entry's line, with its place."""
    tournament = entry.tournament
    lines = table(tournament)
    found = next((line for line in lines if line.entry_id == entry.pk), None)
    # A replaced entry of a ladder is in no table any more, and keeps its numbers.
    return found or _rank(Entry.objects.filter(pk=entry.pk), tournament)[0]


# Rows of values: objects of the four tables would take ten times as long to make.
_FIELDS = (
    *("pk", "bot_id", "bot__name", "bot__slug", "bot__owner__username", "version__number", "state", "reason"),
    *("rating", "rating_low", "rating_high", "elo", "matches", "games", "points", "won", "drawn", "lost"),
    *("failures", "seconds", "decisions", "slowest"),
)


def _rank(entries: QuerySet[Entry], tournament: Tournament) -> list[Standing]:
    most = 2 * opponents(ruleset_of(tournament), tournament.players)
    lines: list[Any] = sorted(entries.values_list(*_FIELDS, named=True), key=lambda entry: _order(entry, most))
    result: list[Standing] = []
    for index, entry in enumerate(lines):
        place: int | None = None
        if entry.state == Entry.State.ACTIVE:
            tied = index > 0 and _merit(entry, most) == _merit(lines[index - 1], most)
            place = result[-1].place if tied else index + 1
        result.append(_standing(entry, place, most))
    return result


def _merit(entry: Any, most: int) -> tuple[float, ...]:
    rating = float("-inf") if entry.rating is None else entry.rating
    return (rating, _score(entry, most) or 0.0, entry.elo)


def _order(entry: Any, most: int) -> tuple[Any, ...]:
    return (entry.state != Entry.State.ACTIVE, *(-value for value in _merit(entry, most)), entry.pk)


def _score(entry: Any, most: int) -> float | None:
    return entry.points / (most * entry.games) if entry.games else None


def _standing(entry: Any, place: int | None, most: int) -> Standing:
    return Standing(
        place=place,
        entry_id=entry.pk,
        bot_id=entry.bot_id,
        bot_name=entry.bot__name,
        bot_slug=entry.bot__slug,
        owner=entry.bot__owner__username,
        version=entry.version__number,
        state=entry.state,
        reason=entry.reason,
        rating=entry.rating,
        low=entry.rating_low,
        high=entry.rating_high,
        elo=entry.elo,
        matches=entry.matches,
        games=entry.games,
        won=entry.won,
        drawn=entry.drawn,
        lost=entry.lost,
        score=_score(entry, most),
        lost_by=lost_by(entry.lost, entry.failures),
        seconds=entry.seconds,
        decisions=entry.decisions,
        slowest=entry.slowest,
    )


@dataclass(frozen=True)
class Progress:
    """How far a tournament's plan has been played, in matches."""

    queued: int
    running: int
    finished: int
    parked: int
    cancelled: int

    @property
    def total(self) -> int:
        """Matches that were or will be played. What has been set aside counts; what will not be played does not."""
        return self.queued + self.running + self.finished + self.parked

    def listed(self, state: str = "") -> int:
        """How many matches `listings.matches` lists: in one state, in `all`, or else in those of `Match.PLAYED`."""
        if state == "all":
            return self.total + self.cancelled
        return sum(getattr(self, one) for one in ([state] if state in Match.State.values else Match.PLAYED))

    @property
    def share(self) -> float:
        """The finished part, from 0 to 1; 0 without a plan."""
        return self.finished / self.total if self.total else 0.0


def progress(tournament: Tournament) -> Progress:
    """Count the matches of a tournament by state, in one query."""
    # Finished matches have been counted as they were rated. The others are few, or soon will be.
    counted = {
        state: Coalesce(
            Subquery(
                Match.objects.filter(tournament=OuterRef("pk"), state=state)
                .order_by()
                .values("tournament")
                .annotate(n=Count("pk"))
                .values("n"),
                output_field=IntegerField(),
            ),
            0,
        )
        for state in Match.State.values
        if state != Match.State.FINISHED
    }
    found: Any = Tournament.objects.filter(pk=tournament.pk).values(finished=F("rated"), **counted).get()
    return Progress(**found)
