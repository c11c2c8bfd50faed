"""Which bots of a table the games have told apart so far.

Two bots are told apart where their 95 % intervals do not overlap. For each bot that gives the places it may yet
deserve, and for the table the lines at which it really falls into groups.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """What the games so far say about one bot's place."""

    best: int
    """One more than the number of bots that are certainly better."""
    worst: int
    """The number of bots less those that are certainly worse."""
    starts_group: bool
    """Whether every bot above is told apart from this one and from every bot below."""
    group: int
    """The number of its group, from 1."""


def spans(intervals: Sequence[tuple[float, float]]) -> list[Span]:
    """The spans of a table's intervals (low, high), given in the order of the table."""
    count = len(intervals)
    lows, highs = sorted(low for low, _ in intervals), sorted(high for _, high in intervals)
    highest_below = [float("-inf")] * (count + 1)
    for index in range(count - 1, -1, -1):
        highest_below[index] = max(highest_below[index + 1], intervals[index][1])
    result: list[Span] = []
    lowest_above, group = float("inf"), 0
    for index, (low, high) in enumerate(intervals):
        starts = index == 0 or lowest_above > highest_below[index]
        group += starts
        better = count - bisect_right(lows, high)
        worse = bisect_left(highs, low)
        result.append(Span(better + 1, count - worse, starts, group))
        lowest_above = min(lowest_above, low)
    return result
