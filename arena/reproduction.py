"""The file that brings a failed game to its author's own machine: `durak-failure/1`, made by the site and by the check.

It holds the whole record, so that the bot can be asked the same questions again, one after the other, until the one on
which it failed. It is for the owner of the bot alone: the record of a game is public, the traceback and the view in it
are not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from arena.bot.info import GameInfo
from arena.bot.view import Observer, View
from arena.durak import GameRecord, Move, replay
from arena.failure import Reason
from arena.limits import Limits, LimitsError
from arena.table import PlayedGame, SeatUse, info_for

FORMAT: Final = "durak-failure/1"


class ReproductionError(ValueError):
    """This is no such file, or it contradicts itself; the text is one sentence."""


@dataclass(frozen=True)
class Reproduction:
    """One game in which a bot failed, as its owner may see it."""

    bot: str
    version: int
    seat: int
    reason: Reason
    at: int
    """How many moves had been played."""
    message: str
    record: GameRecord
    detail: Mapping[str, Any] | None = None
    """Type, message, file, line and traceback, as the bot's process gave them."""
    view: Mapping[str, Any] | None = None
    """What it was asked when it failed; None where it failed before the first question or after the last."""
    use: Mapping[str, Any] | None = None
    """What its process used in that game: see `use_of`."""

    def __post_init__(self) -> None:
        if not 0 <= self.seat < self.record.players:
            raise ReproductionError(f"The game has no seat {self.seat}: its seats are 0 to {self.record.players - 1}.")
        if self.at != len(self.record.moves):
            raise ReproductionError(
                f"The bot failed after {self.at} moves, but the record has {len(self.record.moves)}."
            )

    @property
    def limits(self) -> Limits:
        """The limits of that game."""
        return Limits.from_json(self.record.limits or {})

    def to_json(self) -> dict[str, Any]:
        """The file, as a JSON object."""
        return {
            "format": FORMAT,
            "bot": self.bot,
            "version": self.version,
            "seat": self.seat,
            "reason": str(self.reason),
            "at": self.at,
            "message": self.message,
            "detail": None if self.detail is None else dict(self.detail),
            "view": None if self.view is None else dict(self.view),
            "use": None if self.use is None else dict(self.use),
            "record": self.record.to_json(),
        }

    def dumps(self) -> str:
        """The file, as text."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, data: Any) -> Reproduction:
        """Reads what `to_json` gave. Raises `ReproductionError`."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise ReproductionError(f'This is no reproduction file: it does not say "format": "{FORMAT}".')
        try:
            found = cls(
                bot=str(data["bot"]),
                version=int(data["version"]),
                seat=int(data["seat"]),
                reason=Reason(data["reason"]),
                at=int(data["at"]),
                message=str(data["message"]),
                record=GameRecord.from_json(data["record"]),
                detail=_object(data, "detail"),
                view=_view(data),
                use=_object(data, "use"),
            )
            _ = found.limits
        except ReproductionError:
            raise
        except KeyError as error:
            raise ReproductionError(f"The reproduction file lacks {error}.") from None
        except (LimitsError, TypeError, ValueError, OverflowError) as error:  # RecordError is a ValueError
            raise ReproductionError(f"The reproduction file is damaged: {error}") from None
        return found

    @classmethod
    def loads(cls, content: bytes | str) -> Reproduction:
        """Reads a file. Raises `ReproductionError`."""
        try:
            data = json.loads(content)
        except ValueError as error:
            raise ReproductionError(f"This is no reproduction file: it is no JSON ({error}).") from None
        except RecursionError:
            raise ReproductionError("This is no reproduction file: it is nested too deeply.") from None
        return cls.from_json(data)


def _object(data: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    value = data.get(name)
    if value is not None and not isinstance(value, Mapping):
        raise ReproductionError(f"The reproduction file is damaged: {name} is an object or null.")
    return value


def _view(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What the bot was asked; of that only the clock is read again."""
    view = _object(data, "view")
    if view is not None and not isfinite(float(view["clock"])):
        raise ReproductionError("The reproduction file is damaged: the clock of its view is no number.")
    return view


@dataclass(frozen=True)
class Decision:
    """One question that the bot was asked."""

    moves: int
    """How many moves had been played."""
    view: View
    answer: Move | None
    """What it answered then; None for the question on which it failed."""


def info_of(reproduction: Reproduction) -> GameInfo:
    """What the bot was told when the game began."""
    return info_for(next(replay(reproduction.record)), reproduction.seat, reproduction.limits)


def decisions(reproduction: Reproduction) -> Iterator[Decision]:
    """Every question that the bot was asked in that game, the one on which it failed last.

    Raises `arena.durak.RecordError` where the record's moves are not legal.
    """
    record, seat = reproduction.record, reproduction.seat
    observer = Observer(info_of(reproduction))
    clock, seen = reproduction.limits.bank, 0
    for number, game in enumerate(replay(record)):
        if game.actor != seat or len(legal := game.legal_moves()) == 1:
            continue
        for event in game.events[seen:]:
            observer.observe(event)
        seen = len(game.events)
        failed_here = number == reproduction.at
        if failed_here and reproduction.view is not None:
            clock = float(reproduction.view["clock"])
        view = observer.view(game.hand(seat), legal, clock)
        yield Decision(number, view, None if failed_here else record.moves[number][1])
        if not failed_here and record.times_ms:
            clock -= (record.times_ms[number] or 0.0) / 1000


def use_of(use: SeatUse) -> dict[str, Any]:
    """What a bot used in one game, by name: times in seconds, memory in bytes, None where nothing measured it."""
    report = use.report
    return {
        "decisions": use.decisions,
        "seconds": round(use.seconds, 6),
        "slowest": round(use.slowest, 6),
        "start_seconds": round(use.start_seconds, 6),
        "cpu_seconds": None if report is None else report.cpu_seconds,
        "stray_seconds": None if report is None else report.stray_seconds,
        "peak_memory_bytes": None if report is None else report.peak_memory_bytes,
    }


def reproduction_of(game: PlayedGame, entrant: int) -> Reproduction | None:
    """The file of a game that was just played; None where the entrant did not fail in it, or was not started."""
    failure = game.failure_of(entrant)
    if failure is None or failure.forfeited:
        return None
    seat = game.record.seats[failure.seat]
    return Reproduction(
        bot=str(seat["bot"]),
        version=int(seat["version"]),
        seat=failure.seat,
        reason=failure.reason,
        at=failure.at,
        message=failure.message,
        record=game.record,
        detail=failure.detail,
        view=failure.view,
        use=use_of(game.uses[entrant]),
    )
