"""How much of the luck of the deal duplicate play takes out: measured, for each ruleset and number of players.

A match plays every deal once in each rotation of the bots over the seats. What that is worth is a ratio of variances.
Let ``d(r)`` be the difference of the scores (each 0 to 1) of two opponents in one deal when it is played in rotation
``r`` of ``n``.

- *Single*: n games on n decks of their own, with the seats shared out evenly. A game's variance is the mean over the
  rotations of ``Var d(r)``.
- *Duplicate*: n games on one deck, all rotations of it. The deal gives one number, the mean of ``d`` over its
  rotations; its variance times n is what a game of it is worth in the same unit.

    ratio = n Var(mean of d over rotations) / (mean over rotations of Var d(r))

This is the design effect of sampling in clusters, 1 + (n - 1) rho with rho the mean correlation between two games of
a deal (L. Kish, Survey Sampling, 1965, chapter 5). Below 1 duplicate play needs fewer games for the same certainty:
at a ratio of 0.6 it needs 60 of 100. At 1 it makes no difference. Seats count the same on both sides, so what is gained
merely by sitting everywhere equally often is not credited to it. At larger tables both variances are summed over all
pairs of opponents.

The interval is a percentile bootstrap (B. Efron, 1979) that draws deals, not games, with replacement: the deal is the
unit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arena.bot.bot import Bot
from arena.bot.info import GameInfo
from arena.deal import derive_deck
from arena.durak import PRESETS, Ruleset, RulesetError
from arena.limits import Limits
from arena.local import LocalPlayer
from arena.match import MatchResult, play_match
from arena.rating import opponents, seat_scores

DRAWS: Final = 2000
CONFIDENCE: Final = 0.95

Differences = npt.NDArray[np.float64]
"""Shape (deals, rotations, pairs of opponents): score of the first less score of the second, from -1 to 1."""


class VarianceError(ValueError):
    """What was asked for cannot be measured; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What duplicate play is worth under one ruleset with so many players."""

    ruleset: str
    players: int
    bots: tuple[str, ...]
    deals: int
    games: int
    failed: int
    """Games in which a bot failed; with sample bots none."""
    single: float
    """Variance of a score difference per game, each game on a deck of its own (mean over pairs of opponents)."""
    duplicate: float
    """The same with all rotations of each deck: the variance of a deal's mean times its number of games."""
    ratio: float
    """``duplicate / single``; not a number if nothing varied."""
    low: float
    """Lower end of the 95 % bootstrap interval of the ratio, drawn over deals."""
    high: float
    """Upper end of it."""

    @property
    def removed(self) -> float:
        """Which part of the variance duplicate play takes out: 1 less the ratio."""
        return 1.0 - self.ratio

    def to_json(self) -> dict[str, Any]:
        """Every figure by name; what is not a number is null."""
        values = asdict(self) | {"bots": list(self.bots), "removed": self.removed}
        return {
            name: None if isinstance(value, float) and math.isnan(value) else value for name, value in values.items()
        }


@cache
def published() -> Mapping[tuple[str, int], Measured]:
    """The figures that the documentation and the site show, by ruleset and number of players.

    They stand in ``variance.json``, which is what ``python -m arena variance --deals 1000 --json`` printed.
    """
    text = resources.files("arena").joinpath("variance.json").read_text(encoding="utf-8")
    found = [
        Measured(**{name: line[name] for name in Measured.__slots__} | {"bots": tuple(line["bots"])})
        for line in json.loads(text)["lines"]
    ]
    return MappingProxyType({(line.ruleset, line.players): line for line in found})


def formats(rulesets: Sequence[str] = (), players: Sequence[int] = ()) -> list[tuple[str, int]]:
    """Every preset with every number of players that it is for, or those of them that are named.

    Raises VarianceError for a ruleset that there is not, or where nothing is left.
    """
    for name in rulesets:
        if name not in PRESETS:
            raise VarianceError(f"There is no ruleset {name}; the rulesets are {', '.join(PRESETS)}.")
    found = [
        (name, count)
        for name in rulesets or PRESETS
        for count in players or range(2, 7)
        if _may_be_played(PRESETS[name], count)
    ]
    if not found:
        raise VarianceError("None of these rulesets is played by so many; pairs are played by four.")
    return found


def _may_be_played(ruleset: Ruleset, players: int) -> bool:
    try:
        ruleset.check_players(players)
    except RulesetError:
        return False
    return True


def measure(
    ruleset: Ruleset,
    bots: Mapping[str, Callable[[GameInfo], Bot]],
    deals: int = 200,
    seed: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> Measured:
    """Play ``deals`` decks in every rotation of ``bots`` over the seats, in this process, and compare the variances.

    The bots sit in the order given, one a seat. They should be different: two copies of a bot that always plays alike
    cancel by construction. The same seed gives the same decks, and with bots that decide by the game alone the same
    figures. ``on_progress`` is told the games played and to be played.

    Raises VarianceError for fewer than two deals, and RulesetError if so many bots cannot play by these rules.
    """
    if deals < 2:
        raise VarianceError("A variance needs two deals at least.")
    players = [LocalPlayer(bot, name) for name, bot in bots.items()]
    secret = seed.to_bytes(32, "big")
    decks = [derive_deck(secret, 1, deal) for deal in range(deals)]
    # Clocks are not what is measured: on a machine that is busy nobody shall lose by them.
    result = play_match(players, ruleset, decks, Limits(bank=1e6, move_limit=1e6, start_limit=1e6), on_progress)
    found = differences(result, ruleset, deals)
    single, duplicate = variances(found)
    low, high = interval(found, seed)
    return Measured(
        ruleset=ruleset.name,
        players=len(players),
        bots=tuple(bots),
        deals=deals,
        games=len(result.games),
        failed=sum(bool(game.failures) for game in result.games),
        single=single,
        duplicate=duplicate,
        ratio=duplicate / single if single else math.nan,
        low=low,
        high=high,
    )


def differences(result: MatchResult, ruleset: Ruleset, deals: int) -> Differences:
    """The differences of scores of each pair of opponents in every game of a match."""
    count = result.entrants
    half = count // 2 if opponents(ruleset, count) < count - 1 else 0
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count) if b - a != half]
    found = np.zeros((deals, count, len(pairs)))
    for game in result.games:
        scores = seat_scores(game.outcome, ruleset)
        by_entrant = dict(zip(game.seating, scores, strict=True))
        found[game.deal, game.rotation] = [by_entrant[a] - by_entrant[b] for a, b in pairs]
    return found


def variances(found: Differences) -> tuple[float, float]:
    """Return the variance per game, single and duplicate, each the mean over the pairs of opponents."""
    rotations = found.shape[1]
    single = found.var(axis=0, ddof=1).mean()
    duplicate = rotations * found.mean(axis=1).var(axis=0, ddof=1).mean()
    return float(single), float(duplicate)


def interval(found: Differences, seed: int, draws: int = DRAWS) -> tuple[float, float]:
    """Return the ends of the 95 % percentile bootstrap interval of the ratio; not numbers if nothing varied."""
    deals, rotations, pairs = found.shape
    rng = np.random.default_rng(seed)
    # How often each deal is drawn is all that a draw is; sums of the weighted values give its variances at once.
    weights = rng.multinomial(deals, np.full(deals, 1 / deals), size=draws).astype(np.float64)
    games = found.reshape(deals, rotations * pairs)
    means = found.mean(axis=1)

    def spread(values: Differences) -> npt.NDArray[np.float64]:
        first = weights @ values / deals
        mean: npt.NDArray[np.float64] = ((weights @ values**2 / deals) - first**2).mean(axis=1)
        return mean

    single, duplicate = spread(games), rotations * spread(means)
    ratios = duplicate[single > 0] / single[single > 0]
    if not len(ratios):
        return math.nan, math.nan
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(ratios, [tail, 1 - tail])
    return float(low), float(high)
