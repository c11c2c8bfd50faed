"""How a bot fails: who, why, when, and everything its owner needs to find the cause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Reason(StrEnum):
    """The one reason of a failure. What goes wrong on our side is never one of these: it is raised instead."""

    LOAD = "load"
    """The bot did not start: import error, no entry point, start limit."""

    CRASH = "crash"
    """An exception, an exit or a signal."""

    ILLEGAL = "illegal"
    """The answer is no legal move."""

    PROTOCOL = "protocol"
    """The answer is not what the wire allows."""

    TIME = "time"
    """The bank is used up, or one decision took too long."""

    MEMORY = "memory"
    """More memory than allowed."""

    OUTPUT = "output"
    """More printed than allowed."""

    PONDERING = "pondering"
    """CPU used while it was another's turn."""


class PlayerFailed(Exception):  # noqa: N818 - a verdict about a player, no error of this program
    """Raised by a player that fails: the fault is the bot's.

    ``detail`` is what the bot's process said about it (type, message, file, line, traceback), or None.
    """

    def __init__(self, reason: Reason, message: str, detail: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.detail = detail


@dataclass(frozen=True)
class Failure:
    """One seat failed in one game."""

    seat: int
    reason: Reason
    at: int
    """How many moves had been played."""
    message: str
    """One sentence for the bot's owner."""
    detail: Mapping[str, Any] | None = None
    """``type, message, file, line, traceback`` as the bot's process gave them; for the owner only."""
    view: Mapping[str, Any] | None = None
    """What the bot was asked when it failed: ``game, hand, legal, events, clock``; for the owner only."""
    forfeited: bool = False
    """The bot was not started at all, since it had failed too often before in this match."""

    def to_json(self) -> dict[str, Any]:
        """All of it, for the owner."""
        return {
            "seat": self.seat,
            "reason": str(self.reason),
            "at": self.at,
            "message": self.message,
            "detail": None if self.detail is None else dict(self.detail),
            "view": None if self.view is None else dict(self.view),
            "forfeited": self.forfeited,
        }


def clean(text: str) -> str:
    """``text`` with what no database or page can hold (null bytes, lone surrogates) replaced by U+FFFD."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
