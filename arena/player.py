"""What a match asks: a player, one entrant of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from arena.bot.info import GameInfo
from arena.wire import Question


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """What a player's process used in one game."""

    cpu_seconds: float | None = None
    """CPU time of the process; None where nothing measures it."""
    cpu_error: float = 0.0
    """By how many seconds that may be too high, where the clock of CPU time is a coarse one."""
    stray_seconds: float = 0.0
    """CPU time of the process while it was not its turn, as far as it is known for certain."""
    peak_memory_bytes: int | None = None
    log: str = ""
    """What the bot printed, its middle cut out when it is long; for the owner only."""


class Player(Protocol):
    """One entrant of a match. Each game is ``start``, then any number of ``ask``, then ``finish``."""

    name: str
    version: int

    @property
    def elapsed(self) -> float:
        """Seconds from question sent to answer read, of the last ``start`` or ``ask``, failed ones included."""

    def start(self, info: GameInfo, timeout: float) -> None:
        """Begins a game afresh. Raises :class:`PlayerFailed`."""

    def ask(self, question: Question, timeout: float) -> str:
        """The text of the move chosen. Raises :class:`PlayerFailed`."""

    def finish(self) -> PlayerReport:
        """Ends the game; also called after a failure. Nothing of the player runs afterwards."""
