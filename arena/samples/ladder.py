"""How strong the samples are: each against the one before, two players podkidnoy, on duplicate deals.

The bots play in this process, by the same match code, clocks and limits as on a site; they are our own, so no sandbox
is needed to trust them. The numbers in ``docs/samples.md`` are made here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import NormalDist
from typing import Any, Final

from arena.deal import derive_deck
from arena.durak import PRESETS
from arena.limits import Limits
from arena.local import LocalPlayer
from arena.match import MatchResult, play_match
from arena.rating import match_scores
from arena.samples import SAMPLES

RULESET: Final = PRESETS["podkidnoy"]
Pair = tuple[str, str]
"""Two samples by name, the one that should be the stronger first."""
PAIRS: Final[tuple[Pair, ...]] = (
    *((stronger, weaker) for weaker, stronger in pairwise(SAMPLES)),
    ("lowest", "random"),
    ("search", "lowest"),
    ("search", "thrifty"),
)
"""Each against the one before, and three that can be held against published figures."""
WIDTH: Final = NormalDist().inv_cdf(0.975)
"""Standard errors to either side of a mean that make an interval of 95 %."""


@dataclass
class Rung:
    """What a pair of samples did so far."""

    stronger: str
    weaker: str
    scores: list[float] = field(default_factory=list)
    """For each deal the stronger one's mean score of its two games, 0 to 1, draws a half."""
    failures: int = 0
    """Games that ended because either of them failed."""
    decisions: int = 0
    """Questions that the stronger one answered."""
    seconds: float = 0.0
    """What they took it."""
    slowest: float = 0.0
    """The longest of them, in seconds."""
    longest_game: float = 0.0
    """The most it thought in one game, in seconds."""

    def add(self, result: MatchResult) -> None:
        """Count the match of one deal, in which the stronger one is entrant 0."""
        _, scores = match_scores([(game.seating, game.outcome) for game in result.games], 2, RULESET)
        self.scores.append(scores[0])
        for game in result.games:
            use = game.uses[0]
            self.failures += bool(game.failures)
            self.decisions += use.decisions
            self.seconds += use.seconds
            self.slowest = max(self.slowest, use.slowest)
            self.longest_game = max(self.longest_game, use.seconds)

    @property
    def score(self) -> float:
        """The stronger one's mean score, 0 to 1."""
        return sum(self.scores) / len(self.scores)

    @property
    def error(self) -> float:
        """Its standard error. The two games of a deal are not independent, so deals are counted, not games; not a
        number for a single deal."""
        count = len(self.scores)
        if count < 2:
            return math.nan
        mean = self.score
        return math.sqrt(sum((score - mean) ** 2 for score in self.scores) / (count - 1) / count)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score, within 0 and 1.

        Where one of them won every deal whole nothing varied, which does not make it certain: then the interval is that
        of a share of n cases in n (C. Clopper and E. Pearson, Biometrika 26, 1934, 404-413).
        """
        unseen = 0.025 ** (1 / len(self.scores))
        if self.score == 1:
            return unseen, 1.0
        if self.score == 0:
            return 0.0, 1 - unseen
        return max(self.score - WIDTH * self.error, 0.0), min(self.score + WIDTH * self.error, 1.0)

    def to_json(self) -> dict[str, Any]:
        """Every figure by name."""
        return {
            "stronger": self.stronger,
            "weaker": self.weaker,
            "deals": len(self.scores),
            "score": self.score,
            "error": self.error if len(self.scores) > 1 else None,
            "scores": self.scores,
            "failures": self.failures,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "slowest": self.slowest,
            "longest_game": self.longest_game,
        }


def climb(
    secret: bytes,
    deals: range,
    limits: Limits,
    pairs: Sequence[Pair] = PAIRS,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[Rung]:
    """Play every pair on the deals with these numbers, each deal from both seats.

    A deal's deck follows from ``secret`` (32 bytes) and its number alone, so a long measurement can be made in pieces.
    ``on_progress`` is told the games played and to be played.
    """
    rungs = []
    total = 2 * len(pairs) * len(deals)
    done = 0
    for stronger, weaker in pairs:
        rung = Rung(stronger, weaker)
        players = [LocalPlayer(SAMPLES[name].load(), name) for name in (stronger, weaker)]
        for deal in deals:
            rung.add(play_match(players, RULESET, [derive_deck(secret, 1, deal)], limits))
            done += 2
            if on_progress is not None:
                on_progress(done, total)
        rungs.append(rung)
    return rungs
