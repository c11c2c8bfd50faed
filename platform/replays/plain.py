"""A replay as a list to read, for browsers without a script: the moves in words, bout by bout, in pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator

BOUTS_A_PAGE = 40

Parts = Sequence[Any]


@dataclass(frozen=True)
class Line:
    """One frame: the number of the move (0 is the deal), what was said of it, and the time charged in milliseconds."""

    number: int
    said: Sequence[Parts]
    ms: float | None


@dataclass(frozen=True)
class Bout:
    """The frames of one bout."""

    number: int
    lines: Sequence[Line]


def bouts(frames: Mapping[str, Any], page: str | None) -> tuple[list[Bout], "Page[Any]"]:
    """The bouts of one page of a game, made from its frames; and that page, to go to others from."""
    starts = frames["marks"]["bout"]
    ends = [*starts[1:], len(frames["changes"])]
    numbers = {since: bout for since, bout, *_ in frames["roles"]}
    paginator = Paginator([(numbers[start], start, end) for start, end in zip(starts, ends, strict=True)], BOUTS_A_PAGE)
    found = paginator.get_page(page)
    return [Bout(number, list(_lines(frames, start, end))) for number, start, end in found.object_list], found


def _lines(frames: Mapping[str, Any], start: int, end: int) -> Iterator[Line]:
    # Frame `start` still belongs to the bout before it, which it ended; the deal belongs to the first.
    for frame in range(start + 1 if start else 0, end + 1):
        said = [frames["sentences"][index] for index in frames["said"][frame]]
        yield Line(frame, said, frames["ms"][frame - 1] if frame else None)
