"""How long a bot thinks, from the records of its newest games: how its times are spread, and the slowest decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.bench import Times
from arena.durak import RecordError
from bots.models import Bot
from tournaments.models import Game, Match, Seat, Tournament
from tournaments.records import unpack

GAMES = 200
"""The newest so many games are read."""
SLOWEST = 20
EDGES = (0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000)
"""Where the bars of the drawing meet, in milliseconds: steps of about three, since times spread over decades."""


@dataclass(frozen=True)
class Slow:
    """One slow decision."""

    ms: float
    game: Game
    move: int
    """The number of the move, from 1: the frame of the replay that shows it."""
    seat: int
    notation: str
    version: int


@dataclass(frozen=True)
class Bar:
    """The decisions within two times."""

    low: float | None
    high: float | None
    """In milliseconds; None at the open ends."""
    count: int


@dataclass(frozen=True)
class Thinking:
    """What was found."""

    games: int
    decisions: int
    mean: float
    median: float
    p95: float
    slowest_ms: float
    longest_game: float
    """The most that it thought in one game, in seconds."""
    bars: Sequence[Bar]
    slowest: Sequence[Slow]

    @property
    def most(self) -> int:
        """The decisions in the highest bar."""
        return max(bar.count for bar in self.bars)


def read(bot: Bot, version: int | None = None) -> Thinking | None:
    """Read the times of a bot, or of one version of it; None where it has decided nothing yet. Three queries."""
    seats = Seat.objects.filter(entry__bot=bot, match__state=Match.State.FINISHED)
    seats = seats.exclude(match__tournament__state=Tournament.State.DRAFT)
    if version is not None:
        seats = seats.filter(version__number=version)
    # Enough matches for so many games, whatever the number of deals.
    newest = list(seats.order_by("-match_id").values_list("match_id", "index", "version__number")[:GAMES])
    sat = {match: (index, number) for match, index, number in newest}
    games = Game.objects.filter(match__in=sat).select_related("match__tournament").order_by("-pk")[:GAMES]
    times: list[float] = []
    decided: list[Slow] = []
    longest, read_games = 0.0, 0
    for game in games:
        index, number = sat[game.match_id]
        seat = list(game.seating).index(index)
        try:
            record = unpack(bytes(game.record))
        except RecordError:
            continue  # said where the game is shown; its times are not worth a page
        read_games += 1
        mine = [
            (ms, place, move)
            for place, ((who, move), ms) in enumerate(zip(record.moves, record.times_ms, strict=False), 1)
            if who == seat and ms is not None
        ]
        times += [ms for ms, _, _ in mine]
        longest = max(longest, sum(ms for ms, _, _ in mine) / 1000)
        slowest = sorted(mine, key=lambda one: -one[0])[:SLOWEST]
        decided += [Slow(ms, game, place, seat, str(move), number) for ms, place, move in slowest]
    if not times:
        return None
    whole = Times.of(times)
    return Thinking(
        games=read_games,
        decisions=whole.decisions,
        mean=whole.mean,
        median=whole.median,
        p95=whole.p95,
        slowest_ms=whole.slowest,
        longest_game=longest,
        bars=_bars(times),
        slowest=sorted(decided, key=lambda one: -one.ms)[:SLOWEST],
    )


def _bars(times: Sequence[float]) -> list[Bar]:
    bounds = [None, *EDGES, None]
    bars = []
    for low, high in pairwise(bounds):
        count = sum((low is None or ms >= low) and (high is None or ms < high) for ms in times)
        bars.append(Bar(low, high, count))
    return bars
