"""What a tournament would cost before it is started: matches, games, and about how long, from measured games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import comb

from django.db.models import Q
from django.utils import timezone

from arena import plan
from tournaments.models import Game, Match

SECONDS_A_GAME = 2.0
"""What a game takes where none like it has been played here yet: two bots that think a little."""
MEASURED = 200
"""So many of the newest games tell how long one takes."""
WORKERS_SINCE = timedelta(minutes=15)
"""A worker that played within this time is taken to play on."""


@dataclass(frozen=True)
class Cost:
    """What a round robin takes."""

    entries: int
    matches: int
    exact: bool
    """Whether the plan has exactly so many matches: large tables of many entries are planned by a search."""
    games: int
    seconds: float
    """About how long, with `workers` matches at a time."""
    workers: int
    measured: int
    """How many games like these the estimate rests on; 0: on none, it is a guess."""

    @property
    def minutes(self) -> int:
        """The same in whole minutes, at least one."""
        return max(1, round(self.seconds / 60))


def cost(entries: int, *, players: int, deals: int, ruleset_name: str, pairs: bool = False) -> Cost:
    """Estimate a round robin of so many entries. At most two queries; nothing where the entries fill no table."""
    matches, exact = count_matches(entries, players, pairs=pairs)
    games = matches * deals * players
    seconds, measured = seconds_a_game(players, ruleset_name)
    workers = count_workers()
    return Cost(entries, matches, exact, games, games * seconds / workers, workers, measured)


def count_matches(entries: int, players: int, *, pairs: bool = False) -> tuple[int, bool]:
    """How many matches the plan has, and whether that is exact (see `arena.plan.tables`)."""
    if entries < players:
        return 0, True
    every = comb(entries, players)
    if players == 2:
        return every, True
    if every <= plan.MAX_MATCHES:
        return (3 * every if pairs and 3 * every <= plan.MAX_MATCHES else every), True
    # Larger ones go round a circle of the entries: a whole number of times, and often enough that everyone can meet.
    turns = max(plan.MAX_MATCHES // entries, -(-(entries - 1) // (players * (players - 1))))
    return turns * entries, False


def seconds_a_game(players: int, ruleset_name: str) -> tuple[float, int]:
    """How long a game takes by the newest ones like it, in seconds, and how many those are.

    Games by the same rules count, else any with as many seats.
    """
    newest = Game.objects.filter(match__state=Match.State.FINISHED, match__tournament__players=players)
    for games in (newest.filter(match__tournament__ruleset_name=ruleset_name), newest):
        found = list(games.order_by("-id").values_list("seconds", flat=True)[:MEASURED])
        if found:
            return sum(found) / len(found), len(found)
    return SECONDS_A_GAME * players / 2, 0


def count_workers() -> int:
    """How many worker processes play now, or have just played; at least one."""
    lately = Q(state=Match.State.FINISHED, finished_at__gt=timezone.now() - WORKERS_SINCE)
    playing = Match.objects.filter(lately | Q(state=Match.State.RUNNING)).exclude(worker="")
    return max(1, playing.order_by().values("worker").distinct().count())
