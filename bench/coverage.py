"""Do the intervals of the likelihood table hold what they promise? Simulate tournaments with known strengths and count.

    PYTHONPATH=platform:. python bench/coverage.py [--tournaments 2000] [--seed 1]

Of the intervals that claim 95 %, 93 to 97 % should hold the true strength, for two, three and four at a table and for
pairs, whether or not the games of a deal hang together.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.durak import PRESETS, Ending, Outcome
from arena.likelihood import ELO, Games, Table, fit
from arena.plan import tables


@dataclass(frozen=True, slots=True)
class Setting:
    """A tournament to play many times over."""

    ruleset: str
    seats: int
    bots: int
    deals: int
    spread: float
    """Elo between the strongest and the weakest; the others stand evenly between them."""
    luck: float
    """How often, 0 to 1, the luck of a deal decides all its rotations alike; with 0 the games are independent."""
    draw: float = -2.0
    """Logarithm of the draw term."""

    @property
    def pairs(self) -> bool:
        return PRESETS[self.ruleset].teams == "pairs"


SETTINGS: Final = tuple(
    Setting(ruleset, seats, bots, deals, spread, luck)
    for ruleset, seats, bots, deals, spread in (
        ("podkidnoy", 2, 2, 40, 200.0),
        ("podkidnoy", 2, 8, 10, 400.0),
        ("podkidnoy", 2, 8, 10, 1200.0),
        ("podkidnoy", 2, 20, 4, 800.0),
        ("podkidnoy", 3, 6, 10, 400.0),
        ("podkidnoy-first-out", 3, 6, 10, 400.0),
        ("podkidnoy", 4, 6, 10, 400.0),
        ("podkidnoy-first-out", 4, 6, 5, 800.0),
        ("pairs", 4, 4, 40, 300.0),
        ("pairs", 4, 6, 5, 400.0),
    )
    for luck in (0.0, 0.7)
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What came out of one setting."""

    intervals: int
    held: int
    least: float
    """The smallest share that any one bot's intervals held."""
    bias: float
    """The largest mean error of any one bot, in points of Elo."""
    width: float
    """Mean width of the intervals, in points of Elo."""

    @property
    def share(self) -> float:
        return self.held / self.intervals


def simulate(
    rng: np.random.Generator, setting: Setting, strengths: Sequence[float], plan: Sequence[Sequence[int]]
) -> Games[int]:
    """Play a tournament in which the likelihood's model is the truth.

    Each slot draws its luck from Gumbel's distribution and the largest sum of utility and luck is picked, which is
    the model exactly. The slots keep the luck of the deal through all rotations with chance ``luck``, and draw anew
    otherwise: so the games of a deal are dependent, and yet each follows the model.
    """
    seats, slots = setting.seats, 2 if setting.pairs else setting.seats
    games: Games[int] = Games(PRESETS[setting.ruleset], seats)
    sign = -1 if setting.ruleset == "podkidnoy" else 1
    effects = np.linspace(-0.2, 0.2, slots)
    outcomes = [_outcome(setting, slot) for slot in range(slots + 1)]
    theta = np.asarray(strengths)
    for match, table in enumerate(plan):
        kept = rng.gumbel(size=(setting.deals, 1, slots + 1))
        anew = rng.gumbel(size=(setting.deals, seats, slots + 1))
        luck = np.where(rng.random((setting.deals, seats, 1)) < setting.luck, kept, anew)
        for rotation in range(seats):
            seating = [table[(seat - rotation) % seats] for seat in range(seats)]
            strength = theta[seating].reshape(-1, slots).mean(axis=0) if setting.pairs else theta[seating]
            utility = sign * (strength + effects)
            utility = np.append(utility, utility.mean() + setting.draw)
            for deal, picked in enumerate((utility + luck[:, rotation]).argmax(axis=1).tolist()):
                games.add((match, deal), seating, outcomes[picked])
    return games


def _outcome(setting: Setting, slot: int) -> Outcome:
    """The outcome in which ``slot`` is picked; the one after the last is a draw."""
    seats = range(setting.seats)
    if setting.pairs:
        return Outcome(Ending.WIN, tuple(1 + (seat % 2 != slot) for seat in seats), None) if slot < 2 else _draw(seats)
    if slot == setting.seats:
        return _draw(seats)
    if setting.ruleset == "podkidnoy":
        return Outcome(Ending.FOOL, tuple(1 + (seat == slot) for seat in seats), slot)
    return Outcome(Ending.WIN, tuple(1 + (seat != slot) for seat in seats), None)


def _draw(seats: range) -> Outcome:
    return Outcome(Ending.DRAW, tuple(1 for _ in seats), None)


def coverage(setting: Setting, tournaments: int, seed: int) -> Coverage:
    """Play ``tournaments`` and count how many intervals hold the true strength."""
    rng = np.random.default_rng(seed)
    plan = tables(setting.bots, setting.seats, pairs=setting.pairs)
    strengths = np.linspace(-0.5, 0.5, setting.bots) * setting.spread / ELO
    truth = 1500 + ELO * strengths
    held = np.zeros(setting.bots)
    errors = np.zeros(setting.bots)
    width = 0.0
    for _ in range(tournaments):
        table: Table[int] = fit(simulate(rng, setting, strengths.tolist(), plan))
        for row in table.rows:
            held[row.bot] += row.low <= truth[row.bot] <= row.high
            errors[row.bot] += row.rating - truth[row.bot]
            width += row.high - row.low
    return Coverage(
        intervals=tournaments * setting.bots,
        held=int(held.sum()),
        least=float(held.min()) / tournaments,
        bias=float(np.abs(errors).max()) / tournaments,
        width=width / tournaments / setting.bots,
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tournaments", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    print("ruleset              seats bots deals spread luck | held    least   bias  width  seconds")
    for setting in SETTINGS:
        began = time.perf_counter()
        found = coverage(setting, options.tournaments, options.seed)
        print(
            f"{setting.ruleset:20} {setting.seats:5} {setting.bots:4} {setting.deals:5} {setting.spread:6.0f} "
            f"{setting.luck:4.1f} | {found.share:6.1%} {found.least:6.1%} {found.bias:6.1f} {found.width:6.0f} "
            f"{time.perf_counter() - began:8.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
