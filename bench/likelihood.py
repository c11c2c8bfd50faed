"""How long the likelihood table takes: 1,000 bots and 100,000 matches by default, two and four at a table.

PYTHONPATH=platform:. python bench/likelihood.py [--matches 100000] [--bots 1000] [--deals 10]
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from arena.durak import PRESETS, Ending, Outcome
from arena.likelihood import Games, fit


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--matches", type=int, default=100_000)
    arguments.add_argument("--bots", type=int, default=1000)
    arguments.add_argument("--deals", type=int, default=10)
    arguments.add_argument("--seats", type=int, nargs="*", default=[2, 4])
    options = arguments.parse_args()
    for seats in options.seats:
        measure(options.matches, options.bots, options.deals, seats)


def measure(matches: int, bots: int, deals: int, seats: int) -> None:
    rng = np.random.default_rng(0)
    strength = rng.normal(0, 1.5, bots)
    outcomes = [Outcome(Ending.FOOL, tuple(2 if s == fool else 1 for s in range(seats)), fool) for fool in range(seats)]
    tables = (
        np.argsort(rng.random((matches, bots)), axis=1)[:, :seats] if bots < 50 else _tables(rng, matches, bots, seats)
    )
    games: Games[int] = Games(PRESETS["podkidnoy"], seats)
    began = time.perf_counter()
    for match, table in enumerate(tables):
        for rotation in range(seats):
            seating = [table[(seat - rotation) % seats] for seat in range(seats)]
            fools = (rng.gumbel(size=(deals, seats)) - strength[seating]).argmax(axis=1)
            for deal, fool in enumerate(fools.tolist()):
                games.add(match * deals + deal, seating, outcomes[fool])
    filled, before = time.perf_counter(), time.process_time()
    table_of_all = fit(games, range(bots))
    fitted, after = time.perf_counter(), time.process_time()
    found = {row.bot: row.rating for row in table_of_all.rows}
    correlation = np.corrcoef(strength, [found[i] for i in range(bots)])[0, 1]
    width = np.median([row.high - row.low for row in table_of_all.rows])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{seats} seats: {bots} bots, {matches} matches, {len(games)} games: filled in {filled - began:.1f} s, "
        f"fitted in {fitted - filled:.1f} s ({after - before:.1f} s of processor); "
        f"correlation with the truth {correlation:.4f}, median interval {width:.0f} points, peak {memory:.0f} MB",
        flush=True,
    )


def _tables(rng: np.random.Generator, matches: int, bots: int, seats: int) -> list[list[int]]:
    """Random tables without anybody sitting twice: draw more than enough, drop those with a repetition."""
    drawn = rng.integers(bots, size=(4 * matches, seats))
    ordered = np.sort(drawn, axis=1)
    tables: list[list[int]] = drawn[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)][:matches].tolist()
    return tables


if __name__ == "__main__":
    main()
