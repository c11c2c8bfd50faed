"""Two versions of a bot beside each other: what each played, how it did against the opponents both have met, how it
fails and thinks; and, for the owner, what changed in the code."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena.archive import ArchiveError
from bots import uploads
from bots.models import BotVersion
from pages.comparing import interval
from tournaments.models import Entry, Match, Seat, Tournament

DIFF_LINES = 2000
"""More lines than these of a difference are not shown."""


@dataclass(frozen=True)
class Side:
    """One of the two versions, over all tournaments."""

    version: BotVersion
    games: int
    won: int
    drawn: int
    lost: int
    lost_by: Sequence[tuple[str, int]]
    """Failures by reason, the most frequent first."""
    mean_ms: float | None
    slowest_ms: float

    @property
    def failed(self) -> int:
        """Games in which it failed."""
        return sum(count for _, count in self.lost_by)


@dataclass(frozen=True)
class Score:
    """What a version got against somebody, 0 to 1, with the ends of the 95 % interval over deals."""

    score: float
    low: float
    high: float
    deals: int


@dataclass(frozen=True)
class Meeting:
    """Both versions against one opponent, in one kind of tournament."""

    tournament: Tournament
    name: str
    slug: str
    first: Score
    second: Score

    @property
    def change(self) -> float:
        """How much more the second got."""
        return self.second.score - self.first.score

    @property
    def told_apart(self) -> bool:
        """Whether the intervals do not meet."""
        return self.first.high < self.second.low or self.second.high < self.first.low


@dataclass(frozen=True)
class Rating:
    """Both versions in a tournament in which both have a rating."""

    tournament: Tournament
    first: Entry
    second: Entry


@dataclass(frozen=True)
class Pair:
    """Two versions of one bot."""

    first: Side
    second: Side
    ratings: Sequence[Rating]
    meetings: Sequence[Meeting]
    """The opponents that both have met, what changed most first."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both of them."""
        return self.first, self.second


def compare(first: BotVersion, second: BotVersion) -> Pair:
    """Compare two versions of one bot. Three queries."""
    entries = list(
        Entry.objects.filter(version__in=[first, second])
        .exclude(tournament__state=Tournament.State.DRAFT)
        .select_related("tournament")
    )
    of = {version.pk: [entry for entry in entries if entry.version_id == version.pk] for version in (first, second)}
    there = {entry.tournament_id: entry for entry in of[first.pk] if entry.rating is not None}
    ratings = [
        Rating(entry.tournament, there[entry.tournament_id], entry)
        for entry in of[second.pk]
        if entry.rating is not None and entry.tournament_id in there
    ]
    return Pair(_side(first, of[first.pk]), _side(second, of[second.pk]), ratings, _meetings(first, second, entries))


def _side(version: BotVersion, entries: Sequence[Entry]) -> Side:
    causes: Counter[str] = Counter()
    for entry in entries:
        causes.update(entry.failures)
    decisions = sum(entry.decisions for entry in entries)
    return Side(
        version=version,
        games=sum(entry.games for entry in entries),
        won=sum(entry.won for entry in entries),
        drawn=sum(entry.drawn for entry in entries),
        lost=sum(entry.lost for entry in entries),
        lost_by=causes.most_common(),
        mean_ms=1000 * sum(entry.seconds for entry in entries) / decisions if decisions else None,
        slowest_ms=1000 * max((entry.slowest for entry in entries), default=0.0),
    )


def _meetings(first: BotVersion, second: BotVersion, entries: Sequence[Entry]) -> list[Meeting]:
    tournaments = {entry.tournament_id: entry.tournament for entry in entries}
    seats = Seat.objects.filter(version__in=[first, second], match__state=Match.State.FINISHED)
    seats = seats.filter(match__tournament__in=tournaments).select_related("match")
    mine = {seat.match_id: seat for seat in seats.defer("match__error")}
    others = Seat.objects.filter(match__in=mine).exclude(version__in=[first, second]).select_related("version__bot")
    # Points got and points to be had, and deals, by tournament, opponent and version.
    got: dict[tuple[int, int], dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    names: dict[int, tuple[str, str]] = {}
    for other in others.defer("version__report"):
        seat = mine[other.match_id]
        points = seat.against[other.index] if other.index < len(seat.against) else None
        if points is None:
            continue  # partners get none from each other
        bot = other.version.bot
        names[bot.pk] = (bot.name, bot.slug)
        got[seat.match.tournament_id, bot.pk][seat.version_id].append(
            (points, tournaments[seat.match.tournament_id].deals)
        )
    found = []
    for (place, bot_id), by_version in got.items():
        if first.pk in by_version and second.pk in by_version:
            tournament = tournaments[place]
            scores = [_score(by_version[version.pk], tournament.players) for version in (first, second)]
            found.append(Meeting(tournament, *names[bot_id], *scores))
    return sorted(found, key=lambda meeting: (-abs(meeting.change), meeting.name.casefold()))


def _score(matches: Sequence[tuple[int, int]], players: int) -> Score:
    deals = sum(count for _, count in matches)
    score = sum(points for points, _ in matches) / (2 * players * deals)
    return Score(score, *interval(score, deals), deals)


@dataclass(frozen=True)
class Changed:
    """What changed in one file."""

    name: str
    lines: Sequence[tuple[str, str]]
    """Kind (`+`, `-`, `@` or a blank) and text of each line of the difference."""


def changes(first: BotVersion, second: BotVersion) -> tuple[list[Changed], bool]:
    """What changed in the code, file by file, and whether some of it is left out. For the owner of the bot.

    Files are read as text and never run. Four queries at most.
    """
    old, new = _texts(first), _texts(second)
    found: list[Changed] = []
    left = DIFF_LINES
    for name in sorted(old.keys() | new.keys()):
        lines = list(_difference(old.get(name, ""), new.get(name, "")))
        if lines:
            found.append(Changed(name, lines[: max(left, 0)]))
            left -= len(lines)
    return [one for one in found if one.lines], left < 0


def _texts(version: BotVersion) -> dict[str, str]:
    try:
        files: Any = uploads.load(version).files
    except ArchiveError:
        return {}  # its owner's account was closed and its code erased
    return {name: content.decode("utf-8", "replace") for name, content in files.items() if b"\0" not in content}


def _difference(old: str, new: str) -> Iterator[tuple[str, str]]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3)
    for number, line in enumerate(lines):
        if number >= 2:  # the first two name the files
            yield line[:1], line if line.startswith("@") else line[1:]
