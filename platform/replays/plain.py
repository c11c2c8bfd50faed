"""A replay as a list to read, for browsers without a script: the moves in words, bout by bout, in pages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from replays.templatetags.replay_words import sentence

BOUTS_A_PAGE = 40


@dataclass(frozen=True)
class Line:
    """One frame: the number of the move (0 is the deal), what was said of it as markup, and the time charged."""

    number: int
    said: str
    ms: float | None
    """In milliseconds; None for a move that nobody was asked for."""


@dataclass(frozen=True)
class Bout:
    """The frames of one bout."""

    number: int
    lines: Sequence[Line]


def bouts(frames: Mapping[str, Any], page: str | None) -> tuple[list[Bout], "Page[Any]"]:
    """The bouts of one page of a game, made from its frames; and that page, to go to others from."""
    found = Paginator(spans(frames), BOUTS_A_PAGE).get_page(page)
    return told(frames, found.object_list), found


Span = tuple[int, int, int]
"""A bout by its number, and the frames at which it begins and ends."""


def spans(frames: Mapping[str, Any]) -> list[Span]:
    """Every bout of a game."""
    starts = frames["marks"]["bout"]
    ends = [*starts[1:], len(frames["changes"])]
    numbers = {since: bout for since, bout, *_ in frames["roles"]}
    return [(numbers[start], start, end) for start, end in zip(starts, ends, strict=True)]


def told(frames: Mapping[str, Any], chosen: Iterable[Span]) -> list[Bout]:
    """Some bouts of a game in words."""
    names = [seat["name"] for seat in frames["seats"]]
    # A game says the same few sentences again and again: each is put into markup once.
    markup = cache(lambda index: sentence(frames["sentences"][index], names))
    return [Bout(number, list(_lines(frames, markup, start, end))) for number, start, end in chosen]


def _lines(frames: Mapping[str, Any], markup: Callable[[int], SafeString], start: int, end: int) -> Iterator[Line]:
    # Frame `start` still belongs to the bout before it, which it ended; the deal belongs to the first.
    for frame in range(start + 1 if start else 0, end + 1):
        said = format_html_join(". ", "{}", ((markup(index),) for index in frames["said"][frame]))
        yield Line(frame, said, frames["ms"][frame - 1] if frame else None)
