"""What a card in the hand is worth between two bouts: the table by which the search sample weighs two hands.

PYTHONPATH=platform:. python -m bench.worths [--games 12000] [--players thrifty counting] [--jobs 2]

Two samples play duplicate deals of podkidnoy. Wherever a bout begins, the logarithm of the odds that the attacker wins
is taken to be

    lead + the sum over his cards of worth(card) - the same sum over the other's cards

with worth(card) even between a lowest and a highest value, one pair of them for plain cards and one for trumps, at
each of seven stages of the talon: a logistic regression without a constant, fitted by Newton's method (D. R. Cox, The
regression analysis of binary sequences, 1958). Games without a loser are left out. The standard errors take the deal
as the unit, since all bouts of its two games have the same cards in common (K.-Y. Liang and S. L. Zeger, 1986).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import numpy.typing as npt

from arena.deal import derive_deck
from arena.durak import PRESETS, RANKS, Card, Ending, replay
from arena.local import LocalPlayer
from arena.match import play_match
from arena.samples import SAMPLES
from arena.samples.search import STAGES
from arena.table import PlayedGame

RULESET = PRESETS["podkidnoy"]
SECRET = bytes(32)
NAMES = ("plain low", "plain high", "trump low", "trump high", "lead")
STEPS = 50
"""Of Newton's method, at most; it takes about six."""

Array = npt.NDArray[np.float64]
Bouts = list[tuple[int, int, list[float], float]]
"""Deal, stage, the five numbers that the worths are multiplied by, and 1.0 where the attacker won."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", type=int, default=12_000)
    arguments.add_argument("--players", nargs=2, default=["thrifty", "counting"], choices=list(SAMPLES))
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    deals = range(options.games // 2)
    with ProcessPoolExecutor(options.jobs) as pool:
        parts = pool.map(
            collect, [options.players] * options.jobs, [deals[i :: options.jobs] for i in range(options.jobs)]
        )
        bouts = sorted(bout for part in parts for bout in part)
    print("cards to draw, or more: worth and standard error of each; in brackets what the sample has")
    print(f"{'':>4} {'bouts':>7}", *(f"{name:>21}" for name in NAMES))
    for stage, (count, *used) in enumerate(STAGES):
        rows = [bout for bout in bouts if bout[1] == stage]
        worths, errors = fit(
            np.array([bout[2] for bout in rows]),
            np.array([bout[3] for bout in rows]),
            np.array([bout[0] for bout in rows]),
        )
        shown = (
            f"{worth:>6.2f} ±{error:.2f} ({there:>5.2f})"
            for worth, error, there in zip(worths, errors, used, strict=True)
        )
        print(f"{count:>4} {len(rows):>7}", *(f"{text:>21}" for text in shown), flush=True)


def collect(players: list[str], deals: range) -> Bouts:
    """The bouts of some deals, each deal played from both seats."""
    seats = [LocalPlayer(SAMPLES[name].load(), name) for name in players]
    found: Bouts = []
    for deal in deals:
        for game in play_match(seats, RULESET, [derive_deck(SECRET, 1, deal)]).games:
            if game.outcome.ending is Ending.FOOL:
                found += [(deal, *bout) for bout in bouts_of(game)]
    return found


def bouts_of(game: PlayedGame) -> Iterator[tuple[int, list[float], float]]:
    """Stage, numbers and result of each bout of a game, at its beginning."""
    seen = 0
    for position in replay(game.record):
        if position.result is not None or position.bout == seen:
            continue
        seen = position.bout
        attacker = position.attacker
        mine = weights(position.hand(attacker), position.trump)
        theirs = weights(position.hand(1 - attacker), position.trump)
        stage = next(i for i, row in enumerate(STAGES) if position.talon_count >= row[0])
        won = float(game.outcome.places[attacker] == 1)
        yield stage, [*(a - b for a, b in zip(mine, theirs, strict=True)), 1.0], won


def weights(hand: tuple[Card, ...], trump: str) -> list[float]:
    """How much of each of the four worths a hand has: a card half way up has half of its lowest and half of its
    highest."""
    found = [0.0] * 4
    for card in hand:
        high = RANKS.index(card.rank) / (len(RANKS) - 1)
        first = 2 if card.suit == trump else 0
        found[first] += 1 - high
        found[first + 1] += high
    return found


def fit(numbers: Array, won: Array, deals: npt.NDArray[np.int64]) -> tuple[Array, Array]:
    """The worths that make the results likeliest, and their standard errors.

    Args:
        numbers: shape (bouts, 5).
        won: shape (bouts,), 0 or 1.
        deals: shape (bouts,), which deal a bout belongs to.

    Raises:
        ArithmeticError: there is no best; too few games.
    """
    worths = np.zeros(numbers.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-numbers @ worths))
        bend = np.linalg.inv((numbers * (chance * (1 - chance))[:, None]).T @ numbers)
        slopes = numbers * (won - chance)[:, None]
        step = bend @ slopes.sum(axis=0)
        worths = worths + step
        if np.abs(step).max() < 1e-9:
            of_deals = np.zeros((len(np.unique(deals)), numbers.shape[1]))
            np.add.at(of_deals, np.unique(deals, return_inverse=True)[1], slopes)
            return worths, np.sqrt(np.diag(bend @ (of_deals.T @ of_deals) @ bend))
    raise ArithmeticError("The worths do not settle: play more games.")


if __name__ == "__main__":
    main()
