"""The geometry of the site's drawings: numbers in, positions in.

All drawings are SVG whose positions are attributes, since the site's content policy allows no inline style. The texts
of numbers use a point whatever the reader's language is, because they end up in such attributes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass


def number(value: float) -> str:
    """A coordinate as text: at most two decimals, a point, no exponent."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Scale:
    """A straight scale from values to a drawing's coordinates. Values outside are drawn at its ends."""

    low: float
    """The value drawn at `start`."""
    high: float
    """The value drawn at `end`; always above `low`."""
    start: float = 0.0
    end: float = 100.0

    def at(self, value: float) -> float:
        """Where a value stands."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * min(1.0, max(0.0, share))


def nice_step(span: float, steps: int) -> float:
    """The smallest of 1, 2, 2.5, 5 times a power of ten that cuts a span into at most so many steps."""
    raw = max(span, 1e-9) / steps
    power = 10.0 ** math.floor(math.log10(raw))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= raw * (1 - 1e-9))


def rating_scale(low: float, high: float) -> Scale:
    """The common scale of the interval bars of one table: its extremes, rounded outwards to whole fifties.

    Every bar of a table must use the same scale, or their lengths could not be compared.
    """
    first, last = math.floor(low / 50) * 50.0, math.ceil(high / 50) * 50.0
    return Scale(first, last if last > first else first + 50.0)


BAND = 20
"""Over how many values the band of a course looks back."""


@dataclass(frozen=True)
class Tick:
    """A line of a grid: where, and the number beside it."""

    at: str
    value: float


@dataclass(frozen=True)
class Line:
    """A drawn course of values, with its grid. Coordinates are texts, ready for attributes."""

    width: int
    height: int
    left: str
    right: str
    points: str
    """For `<polyline points>`."""
    band: str
    """For `<polygon points>`: between the lowest and the highest of the last `BAND` values, at each point."""
    end_x: str
    end_y: str
    ticks: Sequence[Tick]
    start_y: str
    """Where the starting value stands, for a dashed line."""


def line(values: Sequence[float], *, start: float, width: int = 640, height: int = 220) -> Line | None:
    """The course of `values` (one a step, from left to right) around the value all start from.

    None for fewer than two values: there is no course to draw yet. More values than the drawing has points to show are
    thinned evenly; the first and the last always stay.
    """
    if len(values) < 2:
        return None
    left, right, top, bottom = 48.0, width - 12.0, 12.0, height - 12.0
    step = nice_step(max(*values, start) - min(*values, start) or 10.0, 4)
    low = math.floor(min(*values, start) / step) * step
    high = math.ceil(max(*values, start) / step) * step
    if high <= low:
        high = low + step
    across = Scale(0, len(values) - 1, left, right)
    up = Scale(low, high, bottom, top)
    shown = thin(len(values), int(right - left) // 2)
    points = [(across.at(index), up.at(values[index])) for index in shown]
    behind = [values[max(0, index - BAND + 1) : index + 1] for index in shown]
    upper = [(across.at(index), up.at(max(window))) for index, window in zip(shown, behind, strict=True)]
    lower = [(across.at(index), up.at(min(window))) for index, window in zip(shown, behind, strict=True)]
    ticks = [Tick(number(up.at(low + n * step)), low + n * step) for n in range(round((high - low) / step) + 1)]
    return Line(
        width=width,
        height=height,
        left=number(left),
        right=number(right),
        points=pairs(points),
        band=pairs([*upper, *reversed(lower)]),
        end_x=number(points[-1][0]),
        end_y=number(points[-1][1]),
        ticks=ticks,
        start_y=number(up.at(start)),
    )


def pairs(points: Sequence[tuple[float, float]]) -> str:
    """Points as an attribute has them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def thin(count: int, most: int) -> Sequence[int]:
    """At most `most` (two or more) of the indices below `count`, evenly spaced, the first and the last among them."""
    if count <= most:
        return range(count)
    return sorted({round(index * (count - 1) / (most - 1)) for index in range(most)})


def heat(share: float) -> int:
    """The shade of a score between 0 and 1 in a crosstable: 0 (all lost) to 8 (all won), 4 about even."""
    return round(min(1.0, max(0.0, share)) * 8)
