"""The host's side of the wire: questions out, answers in, strictly.

One JSON value a line, UTF-8. What comes from a bot is hostile until it has passed here: whatever it is, the outcome is
a move's text or :class:`~arena.failure.PlayerFailed`, never another exception.

An answer is ``{"n": 17, "move": "7h"}``, the answer to the start ``{"n": 0, "ready": true}``; instead of either, the
bot's side may say ``{"n": 17, "error": {...}}`` with the fields of :class:`_Error`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import msgspec

from arena.failure import PlayerFailed, Reason, clean

LINE_BYTES = 8192
"""Longest line from a bot, in bytes, its newline not counted; more is cut off before anything is parsed."""

MOVE_CHARACTERS = 200
"""Longest text that may stand for a move."""

# What our own side of the container writes; anything else takes the slow and equally strict path below.
_USUAL = re.compile(rb'\{"n":(0|[1-9][0-9]{0,8}),"move":"([ -!#-\[\]-~]{1,100})"\}')


@dataclass(frozen=True, slots=True)
class Question:
    """One decision, as a bot is asked it.

    ``events`` are the public events since the seat's last question, in their wire form; ``clock`` is the seconds left
    in the bank.
    """

    number: int
    hand: Sequence[str]
    legal: Sequence[str]
    events: Sequence[Sequence[Any]]
    clock: float


class _Error(msgspec.Struct, forbid_unknown_fields=True):
    reason: str
    message: str
    type: str = ""
    file: str | None = None
    line: int | None = None
    traceback: str = ""


class _Answer(msgspec.Struct, forbid_unknown_fields=True):
    n: int
    move: str | msgspec.UnsetType = msgspec.UNSET
    ready: bool | msgspec.UnsetType = msgspec.UNSET
    error: _Error | msgspec.UnsetType = msgspec.UNSET


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Answer).decode
_BOT_REASONS = {"crash": Reason.CRASH, "load": Reason.LOAD, "memory": Reason.MEMORY}


def encode_start(info: Mapping[str, Any]) -> bytes:
    """The first line of a game, without its newline; ``info`` is ``GameInfo.to_wire()``."""
    return _encode({"n": 0, "start": info})


def encode_question(question: Question) -> bytes:
    """One question as a line without its newline."""
    return _encode(
        {
            "n": question.number,
            "hand": question.hand,
            "legal": question.legal,
            "events": question.events,
            "clock": round(question.clock, 3),
        }
    )


def decode_ready(line: bytes) -> None:
    """Accepts the answer to the start. Raises :class:`PlayerFailed` for anything but readiness."""
    answer = _read(line, 0)
    if answer.ready is not True:
        _refuse("the answer to the start must be ready", line)


def decode_answer(line: bytes, number: int) -> str:
    """The text of the move that answers question ``number``. Raises :class:`PlayerFailed` for anything else."""
    usual = _USUAL.fullmatch(line)
    if usual is not None and int(usual[1]) == number:
        return usual[2].decode("ascii")
    answer = _read(line, number)
    if answer.move is msgspec.UNSET:
        _refuse("the answer has no move", line)
    if len(answer.move) > MOVE_CHARACTERS or not answer.move.isprintable():
        _refuse(f"a move is at most {MOVE_CHARACTERS} printable characters", line)
    return answer.move


def _read(line: bytes, number: int) -> _Answer:
    """The answer to question ``number``, when it is well-formed and no error of the bot."""
    if len(line) > LINE_BYTES:
        _refuse(f"the line is longer than {LINE_BYTES} bytes", line)
    try:
        answer = _decode(line)
        _check_keys(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        _refuse(f"the line is no valid answer ({error})", line)
    if answer.n != number:
        _refuse(f"the answer does not carry the number of the question, {number}", line)
    given = [name for name in ("move", "ready", "error") if getattr(answer, name) is not msgspec.UNSET]
    if len(given) != 1:
        _refuse("an answer holds exactly one of move, ready and error", line)
    if answer.error is not msgspec.UNSET:
        raise _bot_error(answer.error, line)
    return answer


def _check_keys(line: bytes) -> None:
    """Raises ValueError when a key stands twice in one object: parsers disagree on which of them counts."""

    def unique(pairs: list[tuple[str, Any]]) -> None:
        if len({key for key, _ in pairs}) != len(pairs):
            raise ValueError("a key stands twice in one object")

    # By now the line is known to be a flat object of a few fields, so this can neither recurse nor grow.
    json.loads(line, object_pairs_hook=unique)


def _bot_error(error: _Error, line: bytes) -> PlayerFailed:
    reason = _BOT_REASONS.get(error.reason)
    if reason is None:
        _refuse("the reason of an error is crash, load or memory", line)
    detail: dict[str, Any] = {
        "type": clean(error.type),
        "message": clean(error.message),
        "file": None if error.file is None else clean(error.file),
        "line": error.line if error.line is not None and 0 <= error.line < 10**9 else None,
        "traceback": clean(error.traceback),
    }
    where = "" if detail["file"] is None else f" ({detail['file']}, line {detail['line']})"
    what = ": ".join(part for part in (detail["type"], detail["message"]) if part)
    return PlayerFailed(reason, f"{what}{where}", detail)


def _refuse(why: str, line: bytes) -> NoReturn:
    shown = ascii(line[:120])[2:-1]
    raise PlayerFailed(Reason.PROTOCOL, f"The bot broke the protocol: {why}; its line began with: {shown}")
