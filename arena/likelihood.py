"""The order of the table: the strengths that make all games played so far most likely, and how sure they are.

Unlike Elo this does not depend on the order of play, and it says when two bots cannot be told apart yet.

The model: at a table each bot has a chance to be the one the game picks out (the fool, or the winner, or the winning
side) in proportion to its odds; a seat adds or takes something; a draw term says how often nobody is picked. For two
players this is Bradley and Terry's model with Davidson's draws. Ratings are on the Elo scale, with mean 1500: 400
points more mean ten times better odds against each opponent at the table.

So that few or one-sided games still give finite numbers, every bot is taken to have played ``prior`` = one more game,
half won and half lost, against a bot of 1500. For a bot with 100 games that moves nothing worth mentioning; for one
that has lost everything it decides how far down it goes, and its interval says that this is not known well. Bots that
never met, not even through others, are compared through these virtual games alone: again with wide intervals.

Intervals take the deal as the unit: games of one deal in all its rotations are not independent, and playing each deal
in all rotations is meant to make them less than independent. ``docs/ratings.md`` explains all this at length.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, Generic, TypeVar

import numpy as np

from arena._model import Data, Solution, solve
from arena.durak import Ending, Outcome, Ruleset
from arena.rating import SCALE, START, pair_points

ELO: Final = SCALE / math.log(10)
"""Points of Elo for a unit of natural log-odds: 173.7."""
PRIOR: Final = 1.0
CONFIDENCE: Final = 0.95

Id = TypeVar("Id", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Rated(Generic[Id]):
    """One bot's line of the table."""

    bot: Id
    rating: float
    """On the Elo scale; the mean of all bots is 1500."""
    low: float
    """Lower end of the interval (95 % unless asked otherwise)."""
    high: float
    """Upper end of it."""
    deals: int
    """How many deals the rating rests on."""


@dataclass(frozen=True, slots=True)
class Table(Generic[Id]):
    """What `fit` returns."""

    rows: tuple[Rated[Id], ...]
    """Best first; equal ratings in the order in which the bots were named or first played."""
    draw: float
    """Chance of a draw between equals, 0 to 1."""
    seats: tuple[tuple[float, float, float], ...]
    """For each seat (in pairs: each side) its effect in points of Elo, and the ends of the interval; mean 0."""

    def __getitem__(self, bot: Id) -> Rated[Id]:
        for row in self.rows:
            if row.bot == bot:
                return row
        raise KeyError(bot)

    def not_told_apart(self) -> list[tuple[Id, ...]]:
        """Return the groups, of two or more, of bots whose intervals all overlap, best first.

        A bot may be in several groups: 1 and 2 overlap, 2 and 3 too, but not 1 and 3.
        """
        return overlapping(self.rows)


class Games(Generic[Id]):
    """The games of one tournament, as the fit needs them. Add every game, then call `fit`."""

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        ruleset.check_players(players)
        self.ruleset = ruleset
        self.players = players
        self._bots: dict[Id, int] = {}
        self._deals: dict[Hashable, int] = {}
        self._members = array("q")
        self._decisions = array("q")
        self._deal = array("q")
        self._known: dict[tuple[Ending, tuple[int, ...]], int] = {}
        self._slots: list[tuple[int, ...]] = []
        self._picked: list[tuple[float, ...]] = []

    def __len__(self) -> int:
        return len(self._deal)

    def add(self, deal: Hashable, seating: Sequence[Id], outcome: Outcome) -> None:
        """Add one game: the deal it belongs to, the bot at each seat, and how it ended.

        ``deal`` is anything that names the deal within the tournament, such as (match, deal number): all rotations of
        it must name the same. Raises ValueError if the number of seats is wrong or a bot sits twice.
        """
        if len(seating) != self.players or len(outcome.places) != self.players:
            raise ValueError(f"A game at this table has {self.players} seats, not {len(seating)}.")
        if len(set(seating)) != self.players:
            raise ValueError("A bot that plays against itself cannot be rated from that.")
        key = (outcome.ending, outcome.places)
        decision = self._known.get(key)
        if decision is None:
            decision = self._known[key] = self._decide(outcome)
        bots = [self._bots.setdefault(bot, len(self._bots)) for bot in seating]
        self._members.extend([bots[seat] for seat in self._slots[decision]])
        self._decisions.append(decision)
        self._deal.append(self._deals.setdefault(deal, len(self._deals)))

    def _decide(self, outcome: Outcome) -> int:
        """Work out who is in each slot of such a game, and which slots it picks out."""
        pairs = pair_points(outcome, self.ruleset)
        lost = sorted({seat for (seat, _), points in pairs.items() if points == 0})
        won = sorted({seat for (seat, _), points in pairs.items() if points == 2})
        if self.ruleset.teams == "pairs":
            slots, picked = _sides(won, lost)
        else:
            slots = tuple(range(self.players))
            chosen = won if self.ruleset.result == "first_out_wins" else lost
            picked = tuple(1 / len(chosen) if seat in chosen else 0.0 for seat in slots)
        self._slots.append(slots)
        self._picked.append(picked)
        return len(self._slots) - 1

    def data(self, bots: Iterable[Id]) -> tuple[list[Id], Data]:
        """Return all bots, those named first, and the games in columns."""
        order = {bot: number for number, bot in enumerate(dict.fromkeys([*bots, *self._bots]))}
        renumber = np.array([order[bot] for bot in self._bots], dtype=np.int64)
        slots = 2 if self.ruleset.teams == "pairs" else self.players
        members = 2 if self.ruleset.teams == "pairs" else 1
        raw = np.frombuffer(self._members, dtype=np.int64) if self._members else np.zeros(0, dtype=np.int64)
        picked = np.array(self._picked or np.zeros((0, slots)), dtype=np.float64)
        decisions = np.array(self._decisions, dtype=np.int64)
        weak = self.ruleset.teams == "none" and self.ruleset.result == "last_is_fool"
        return list(order), Data(
            bots=len(order),
            members=renumber[raw].reshape(-1, slots, members),
            picked=picked[decisions],
            deal=np.array(self._deal, dtype=np.int64),
            sign=-1.0 if weak else 1.0,
        )


def _sides(won: Sequence[int], lost: Sequence[int]) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the seats of the two sides that a game of pairs compares, and which it picks.

    Usually all four. After a forfeit only who failed is compared with who did not: his partner neither won nor lost.
    """
    winners, losers = {seat % 2 for seat in won}, {seat % 2 for seat in lost}
    if len(winners) != 1 or len(losers) != 1:
        return (0, 2, 1, 3), (0.0, 0.0)
    (winner,) = winners
    sides = [won, lost] if winner == 0 else [lost, won]
    slots = tuple(seat for side in sides for seat in (side[0], side[-1]))
    return slots, (1.0 - winner, float(winner))


def fit(
    games: Games[Id],
    bots: Iterable[Id] = (),
    *,
    prior: float = PRIOR,
    confidence: float = CONFIDENCE,
    seat_effect: bool = True,
) -> Table[Id]:
    """Return the table of all bots that played, and of those in ``bots`` even if they did not.

    The result does not depend on the order in which games were added. ``prior`` is the weight of the virtual game of
    each bot (above 0), ``confidence`` the share of intervals that hold the true strength.

    Raises ValueError for a weight or confidence out of range.
    """
    if not prior > 0:
        raise ValueError("The virtual games need a weight above 0, or one-sided results have no finite rating.")
    if not 0 < confidence < 1:
        raise ValueError("Confidence is a share between 0 and 1, such as 0.95.")
    names, data = games.data(bots)
    found = solve(data, prior, slot_effect=seat_effect)
    rows = [_row(names[i], found, i, confidence) for i in range(len(names))]
    rows.sort(key=lambda row: -row.rating)
    z = _normal(confidence)
    return Table(
        rows=tuple(rows),
        draw=found.draw,
        seats=tuple(
            (ELO * effect, ELO * (effect - z * math.sqrt(v)), ELO * (effect + z * math.sqrt(v)))
            for effect, v in zip(found.slots.tolist(), found.slots_variance.tolist(), strict=True)
        ),
    )


def _row(bot: Id, found: Solution, i: int, confidence: float) -> Rated[Id]:
    rating = START + ELO * float(found.strength[i])
    half = ELO * math.sqrt(float(found.strength_variance[i])) * _student(confidence, float(found.freedom[i]))
    return Rated(bot, rating, rating - half, rating + half, int(found.deals[i]))


def overlapping(rows: Iterable[Rated[Id]]) -> list[tuple[Id, ...]]:
    """Return the largest groups, of two or more, of rows whose intervals all overlap, best first."""
    ordered = sorted(rows, key=lambda row: -row.rating)
    # Intervals that all overlap have a point in common, and one such point is the highest of their lower ends.
    groups = [{row.bot for row in ordered if row.low <= at.low <= row.high} for at in ordered]
    largest = [group for group in groups if len(group) > 1 and not any(group < other for other in groups)]
    found = dict.fromkeys(tuple(row.bot for row in ordered if row.bot in group) for group in largest)
    place = {row.bot: number for number, row in enumerate(ordered)}
    return sorted(found, key=lambda group: [place[bot] for bot in group])


def _normal(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _student(confidence: float, freedom: float) -> float:
    """Return the quantile of Student's distribution, by its expansion around the normal one.

    Source: M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964, formula 26.7.5. Below three degrees
    of freedom the expansion is off and nothing is known anyway, so three are taken.
    """
    z = _normal(confidence)
    f = max(freedom, 3.0)
    return (
        z
        + (z**3 + z) / (4 * f)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * f**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * f**3)
    )
