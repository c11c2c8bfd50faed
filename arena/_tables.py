"""Balanced tables of three and more: which sets of entries meet, in which order, and who sits where.

A part of `arena.plan`; nothing else imports it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np

Table = tuple[int, ...]

_STEPS = 20_000
_TRIES = 3
_ORDERS = 6


def _rng(seed: int, purpose: object) -> random.Random:
    return random.Random(f"{seed}/{purpose}")  # noqa: S311 - a plan is public; it needs variety, not secrecy


def design(entries: int, seats: int, max_matches: int, seed: int) -> list[Table]:
    """Return the largest balanced design of at most ``max_matches`` tables, or nothing if there is none.

    Everyone plays equally often, and any two meet equally often but for a difference of at most one, at least once.
    """
    enough = _least_bases(entries, seats)
    for bases in range(max_matches // entries, enough - 1, -1):
        chosen = _search(entries, seats, bases, seed)
        if chosen:
            names = list(range(entries))
            _rng(seed, "names").shuffle(names)
            return [tuple(names[(i + shift) % entries] for i in base) for base in chosen for shift in range(entries)]
    return []


def least_size(entries: int, seats: int, seed: int) -> int:
    """Return the size of the smallest design that `design` finds."""
    bases = _least_bases(entries, seats)
    while not _search(entries, seats, bases, seed):
        bases += 1
    return bases * entries


def _least_bases(entries: int, seats: int) -> int:
    return -(-(entries - 1) // (seats * (seats - 1)))


@lru_cache(maxsize=64)
def _search(entries: int, seats: int, bases: int, seed: int) -> tuple[Table, ...] | None:
    """Find ``bases`` tables whose shifts around a circle of the entries make a balanced design.

    When a table is shifted around the whole circle, all pairs at one distance meet equally often. So only distances
    need to be balanced, entries/2 of them in place of entries^2/2 pairs, and shifting makes everyone play equally often
    by itself. Whether every distance occurs often enough is settled by a local search with falling temperature. (A
    pair half the circle apart comes back to itself half way round, so that distance counts double.)
    """
    low = bases * seats * (seats - 1) // (entries - 1)
    half = entries // 2
    weight = [2 if 2 * distance == entries else 1 for distance in range(half + 1)]

    def excess(distance: int, count: int) -> int:
        meetings = weight[distance] * count
        return (meetings - min(max(meetings, low), low + 1)) ** 2

    def distance(a: int, b: int) -> int:
        apart = abs(a - b)
        return min(apart, entries - apart)

    for attempt in range(_TRIES):
        rng = _rng(seed, attempt)
        tables = [rng.sample(range(entries), seats) for _ in range(bases)]
        counts = [0] * (half + 1)
        for table in tables:
            for a, b in combinations(table, 2):
                counts[distance(a, b)] += 1
        cost = sum(excess(d, counts[d]) for d in range(1, half + 1))
        for step in range(_STEPS):
            if not cost:
                return tuple(map(tuple, tables))
            table = rng.choice(tables)
            seat = rng.randrange(seats)
            new = rng.randrange(entries)
            if new in table:
                continue
            change: dict[int, int] = {}
            for other in table:
                if other != table[seat]:
                    for d, by in ((distance(table[seat], other), -1), (distance(new, other), 1)):
                        change[d] = change.get(d, 0) + by
            worse = sum(excess(d, counts[d] + by) - excess(d, counts[d]) for d, by in change.items())
            temperature = max(0.05, 1 - step / _STEPS)
            if worse <= 0 or rng.random() < math.exp(-worse / temperature):
                table[seat] = new
                cost += worse
                for d, by in change.items():
                    counts[d] += by
    return None


def prefix_balanced(tables: Sequence[Table], entries: int, seed: int) -> list[Table]:
    """Return the tables in an order in which, at any moment, everyone has played about equally often.

    Always takes a table of those who have played least so far, among equals one of those who have met least. The order
    before decides between the rest, so a few shuffles are tried and the most even outcome is kept.
    """
    best: list[Table] = []
    least: float = math.inf
    for attempt in range(_ORDERS):
        order, spread = _greedy_order(tables, entries, _rng(seed, attempt))
        if spread < least:
            best, least = order, spread
        if spread <= max(2, len(tables[0]) // 2):
            break
    return best


def _greedy_order(tables: Sequence[Table], entries: int, rng: random.Random) -> tuple[list[Table], int]:
    waiting = np.array(rng.sample(list(tables), len(tables)))
    first, second = np.triu_indices(waiting.shape[1], 1)
    played = np.zeros(entries, dtype=np.int64)
    met = np.zeros((entries, entries), dtype=np.int64)
    order: list[Table] = []
    spread = 0
    # More than any number of meetings at one table can be, so that it never outweighs a match played.
    much = len(tables) * len(first) + 1
    while len(waiting):
        behind = played[waiting].sum(axis=1) * much + met[waiting[:, first], waiting[:, second]].sum(axis=1)
        at = int(behind.argmin())
        table = waiting[at]
        order.append(tuple(int(i) for i in table))
        played[table] += 1
        met[table[first], table[second]] += 1
        met[table[second], table[first]] += 1
        spread = max(spread, int(played.max() - played.min()))
        waiting = np.delete(waiting, at, axis=0)
    return order, spread


def seat_tables(tables: Sequence[Table], seed: int, *, pairs: bool = False) -> list[Table]:
    """Return each table in the order in which its entries sit.

    Everyone attacks the left neighbour, and rotations of a match never change who that is, so each is put to the left
    of each about equally often. With ``pairs`` who sits opposite each other stays so.
    """
    rng = _rng(seed, "seats")
    left: dict[tuple[int, int], int] = {}
    seated = []
    for table in tables:
        if pairs:
            a, b, c, d = table
            orders: list[Table] = [(a, b, c, d), (a, d, c, b)]
        else:
            orders = [table[:1] + rest for rest in permutations(table[1:])]
        rng.shuffle(orders)
        best = min(orders, key=lambda order: sum(left.get(two, 0) for two in _neighbours(order)))
        for two in _neighbours(best):
            left[two] = left.get(two, 0) + 1
        turn = rng.randrange(len(best))
        seated.append(best[turn:] + best[:turn])
    return seated


def _neighbours(order: Table) -> list[tuple[int, int]]:
    return list(zip(order, order[1:] + order[:1], strict=True))


def pairings(table: Table) -> list[Table]:
    """Return the three ways in which four make two sides; partners are at positions 0+2 and 1+3."""
    a, b, c, d = table
    return [(a, b, c, d), (a, c, b, d), (a, b, d, c)]


def choose_pairings(tables: Sequence[Table], seed: int) -> list[Table]:
    """Return each table of four in one of its pairings, so that everyone is everyone's partner about equally often."""
    rng = _rng(seed, "pairings")
    choices = [pairings(table) for table in tables]
    chosen = [rng.randrange(3) for _ in tables]
    everyone = {entry for table in tables for entry in table}
    partners = {frozenset(two): 0 for two in combinations(everyone, 2)}

    def sides(order: Table) -> tuple[frozenset[int], frozenset[int]]:
        return frozenset(order[::2]), frozenset(order[1::2])

    def add(order: Table, by: int) -> None:
        for side in sides(order):
            partners[side] += by

    for options, choice in zip(choices, chosen, strict=True):
        add(options[choice], 1)
    # Each table in turn takes the pairing that was had least, one of several by lot.
    for _ in range(100):
        for number in rng.sample(range(len(tables)), len(tables)):
            options, before = choices[number], chosen[number]
            add(options[before], -1)
            load = [sum(partners[side] for side in sides(order)) for order in options]
            after = rng.choice([i for i in range(3) if load[i] == min(load)])
            add(options[after], 1)
            chosen[number] = after
        if max(partners.values()) - min(partners.values()) <= 1:
            break
    return [options[choice] for options, choice in zip(choices, chosen, strict=True)]
