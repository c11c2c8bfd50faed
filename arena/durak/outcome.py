"""How a game ended, and who finished where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Ending(StrEnum):
    """Why the game is over."""

    FOOL = "fool"
    """One player is left with cards."""
    DRAW = "draw"
    """The last players, or both sides, went out in the same bout."""
    WIN = "win"
    """Somebody went out first where that wins, or a side of a pairs game is out."""
    STALEMATE = "stalemate"
    BOUT_LIMIT = "bout_limit"
    FORFEIT = "forfeit"
    """A player failed outside the rules; see `Game.forfeit`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game."""

    ending: Ending
    places: tuple[int, ...]
    """The finishing place of each seat, 1 is best: one more than the number of seats (in a pairs game: sides) that
    did better. Who did equally well shares a place."""
    fool: int | None
    """The seat left with cards, where the ending is `fool`."""


NEVER: Final = 1 << 30
"""A bout after every bout."""


def places_by_bout(left_in: Sequence[int]) -> tuple[int, ...]:
    """Places from the bout in which each seat went out (`NEVER` for who did not): earlier is better."""
    return tuple(1 + sum(other < bout for other in left_in) for bout in left_in)


def sides_by_bout(left_in: Sequence[int]) -> tuple[int, int]:
    """The bout in which each side of a pairs game went out: that of the later of its two players."""
    return max(left_in[0], left_in[2]), max(left_in[1], left_in[3])
