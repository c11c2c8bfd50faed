"""Who meets whom: the matches of a round robin and of a growing ladder, in the order in which they are to be played.

Two at a table: `round_robin`, the circle method. More at a table: `tables`. A ladder grows by `additions`. All of them
are pure functions: the same arguments always give the same plan, so a plan can be checked by computing it again.
Entries are named 0 to n-1 (in `additions` by anything). A table lists its entries in the order in which they sit.
"""

from __future__ import annotations

import random
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from typing import Final, TypeVar

from arena._tables import choose_pairings, design, least_size, pairings, prefix_balanced, seat_tables

MAX_MATCHES: Final = 1000
"""Up to this many matches, `tables` plays every table that there is."""
WARM_POOL: Final = 12
"""How many bots a worker keeps ready to play (see `round_robin`)."""

T = TypeVar("T")
Pair = tuple[int, int]


def round_robin(entries: int, pool: int = WARM_POOL) -> list[list[Pair]]:
    """Return the rounds of a round robin for two at a table: everyone meets everyone once.

    With at most ``pool`` entries this is the circle method: an entry stays, the others go round, and who is opposite
    plays. In a round everyone plays once, or sits out once if the number of entries is odd. So the numbers of matches
    played differ by at most one after every round, and by at most two anywhere.

    More entries than a worker can keep warm would have to be started anew in every round: between two matches of a
    bot lies everybody else. Then the circle method is applied to groups of pool/2 in place of entries: in a round each
    group meets one other group, all against all, and of an odd number of groups one plays within itself. In a round
    everyone plays pool/2 matches or so: the numbers played differ by no more than the number of groups after each round
    (by at most one if the groups are equal and odd in number), and by no more than pool - 1 beyond that within one.
    `hit_rate` tells how often a pool then has the bot at hand. ``pool=0`` gives the plain circle.

    Raises ValueError for fewer than two entries.
    """
    _at_least(entries, 2)
    if entries <= max(pool, 2) or pool < 4:
        return [[(a, b) for a, b in pairs if max(a, b) < entries] for pairs in _circle(entries + entries % 2)]
    groups = _groups(entries, -(-entries // (pool // 2)))
    rounds: list[list[Pair]] = []
    for turn, meetings in enumerate(_circle(len(groups) + len(groups) % 2)):
        # Back and forth: the last meeting of a round and the first of the next share a group, which is still warm.
        matches: list[Pair] = []
        for a, b in meetings if turn % 2 == 0 else reversed(meetings):
            if max(a, b) == len(groups):
                matches += _within(groups[min(a, b)])
            elif len(groups) % 2 == 0 and turn == 0:
                matches += _within(groups[a] + groups[b])
            else:
                matches += _between(groups[a], groups[b])
        rounds.append(matches)
    return rounds


def tables(
    entries: int, seats: int, max_matches: int = MAX_MATCHES, seed: int = 0, *, pairs: bool = False
) -> list[tuple[int, ...]]:
    """Return the matches of a round robin for ``seats`` at a table.

    Two at a table: the rounds of `round_robin` one after the other. More: every table there is, if that makes at most
    ``max_matches``; else a balanced random design of at most so many matches, in which everyone plays equally often
    and any two entries meet at least once, and equally often but for a difference of at most one.

    Anywhere in the plan the numbers of matches played differ by at most three (by two if every table is played; by up
    to five in a few of the smallest designs, where any two tables have somebody in common). The order at a table is
    chosen so that everyone sits to the left of everyone about equally often. With ``pairs``, where partners sit
    opposite each other, every table is played in each of its three pairings if that makes at most ``max_matches``, and
    else pairings are chosen so that everyone is everyone's partner about equally often.

    ``seed`` picks one of many equally good plans. Raises ValueError if there are fewer entries than seats, or if
    ``max_matches`` does not suffice for everyone to meet everyone; `fewest_matches` tells how many do.
    """
    _at_least(entries, seats)
    if pairs and seats != 4:
        raise ValueError(f"Pairs are played by four at a table, not by {seats}.")
    if seats == 2:
        return [pair for matches in round_robin(entries) for pair in matches]
    every_pairing = pairs and 3 * comb(entries, seats) <= max_matches
    if comb(entries, seats) <= max_matches:
        chosen: list[tuple[int, ...]] = list(combinations(range(entries), seats))
    else:
        chosen = design(entries, seats, max_matches, seed)
        if not chosen:
            raise ValueError(
                f"{entries} entries at tables of {seats} need at least {fewest_matches(entries, seats, seed)} matches "
                f"for everyone to meet everyone; allow more than {max_matches}."
            )
    if every_pairing:
        chosen = [order for table in chosen for order in pairings(table)]
    elif pairs:
        chosen = choose_pairings(chosen, seed)
    return seat_tables(prefix_balanced(chosen, entries, seed), seed, pairs=pairs)


def fewest_matches(entries: int, seats: int, seed: int = 0) -> int:
    """Return the smallest ``max_matches`` with which `tables` can let everyone meet everyone."""
    _at_least(entries, seats)
    if seats == 2:
        return comb(entries, 2)
    return min(comb(entries, seats), least_size(entries, seats, seed))


def additions(
    existing: Sequence[T],
    newcomer: T,
    seats: int = 2,
    *,
    meetings: int | None = None,
    seed: int = 0,
    pairs: bool = False,
) -> list[tuple[T, ...]]:
    """Return the matches that a newcomer adds to a ladder: at every table sits the newcomer.

    Two at a table: the newcomer meets every one of ``existing`` once, in that order. More: it meets each of them
    ``meetings`` times (by default one less than there are seats, so that the newcomer plays about as many matches as
    there are others), or once more where the tables would not come out even; who meets whom besides is spread as
    evenly as can be. With ``pairs`` it has everyone as partner once, and as opponent twice or so.

    Returns nothing as long as there are too few to fill a table: whoever fills it will bring its matches. Raises
    ValueError if the newcomer is there already or somebody is there twice.
    """
    if newcomer in existing:
        raise ValueError(f"{newcomer!r} is on the ladder already; only a newcomer adds matches.")
    if len(set(existing)) != len(existing):
        raise ValueError("Somebody is on the ladder twice; name everyone once.")
    if seats < 2 or (pairs and seats != 4):
        raise ValueError(f"A table has two seats or more, and four for pairs; not {seats}.")
    if len(existing) < seats - 1:
        return []
    if seats == 2:
        return [(newcomer, other) for other in existing]
    rng = random.Random(seed)  # noqa: S311 - a plan is public; it needs variety, not secrecy
    # Indices stand for the entries, so that the plan depends on positions alone and entries need no order.
    others = list(range(len(existing)))
    rng.shuffle(others)
    met: Counter[int] = Counter()
    together: Counter[frozenset[int]] = Counter()
    wanted = seats - 1 if meetings is None else meetings
    count = len(existing) if pairs else -(-len(existing) * wanted // (seats - 1))
    plan: list[tuple[int, ...]] = []
    for number in range(count):
        table = [others[number]] if pairs else []
        while len(table) < seats - 1:
            table.append(
                min(
                    (i for i in others if i not in table),
                    key=lambda i: (met[i], sum(together[frozenset((i, j))] for j in table), rng.random()),
                )
            )
        met.update(table[1:] if pairs else table)
        together.update(frozenset(two) for two in combinations(table, 2))
        plan.append(tuple(table))
    if pairs:
        return [(newcomer, existing[a], existing[partner], existing[b]) for partner, a, b in plan]
    newcomers_seat = len(existing)
    seated = seat_tables([(newcomers_seat, *table) for table in plan], seed)
    names = [*existing, newcomer]
    return [tuple(names[i] for i in table) for table in seated]


def hit_rate(matches: Iterable[Sequence[T]], pool: int = WARM_POOL) -> float:
    """Return how often (0 to 1) a bot that has to play is still in a pool that keeps the ``pool`` last used ones.

    This is what one worker sees that plays ``matches`` in order. A first use counts as a miss.
    """
    warm: OrderedDict[T, None] = OrderedDict()
    hits = uses = 0
    for table in matches:
        for bot in table:
            uses += 1
            if bot in warm:
                hits += 1
                warm.move_to_end(bot)
            else:
                warm[bot] = None
                if len(warm) > pool:
                    warm.popitem(last=False)
    return hits / uses if uses else 1.0


def _at_least(entries: int, seats: int) -> None:
    if seats < 2:
        raise ValueError(f"A table has at least two seats, not {seats}.")
    if entries < seats:
        raise ValueError(f"{entries} entries cannot fill a table of {seats}; wait for more of them.")


def _circle(even: int) -> list[list[Pair]]:
    """Return even-1 rounds of even/2 pairs; the last number stands still, as somebody to sit out against if need be."""
    still = even - 1
    return [
        [(still, turn), *(((turn - i) % still, (turn + i) % still) for i in range(1, even // 2))]
        for turn in range(still)
    ]


def _groups(entries: int, count: int) -> list[list[int]]:
    """Split the entries into ``count`` groups whose sizes differ by at most one."""
    return [list(range(g * entries // count, (g + 1) * entries // count)) for g in range(count)]


def _within(group: Sequence[int]) -> list[Pair]:
    pairs = [pair for matches in _circle(len(group) + len(group) % 2) for pair in matches]
    return [(group[a], group[b]) for a, b in pairs if max(a, b) < len(group)]


def _between(ours: Sequence[int], theirs: Sequence[int]) -> list[Pair]:
    """All of ours against all of theirs, in rounds in which each of the smaller group plays once."""
    if len(ours) > len(theirs):
        ours, theirs = theirs, ours
    return [(a, theirs[(i + turn) % len(theirs)]) for turn in range(len(theirs)) for i, a in enumerate(ours)]
