"""The bot's side of the wire: loads ``bot.py`` and answers the platform's questions until it hangs up.

This runs in the bot's own process, next to the bot's code. Nothing here defends the platform, which trusts no byte
that comes from this process; what is taken hold of at import below only keeps a bot that patches ``json`` or
``sys.stdout`` from breaking its own games in puzzling ways. Standard library only.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib.util
import json
import linecache
import os
import pathlib
import socket
import sys
import tokenize
from collections.abc import Iterator
from types import ModuleType, TracebackType

from arena.bot.bot import Bot
from arena.bot.info import GameInfo
from arena.bot.view import Observer
from arena.durak import Card, Event, Move

LINE_BYTES = 8000
"""Longest line sent, in bytes: a little below what the platform reads before it cuts."""

_MESSAGE_CHARACTERS = 500
_TRACEBACK_FIRST, _TRACEBACK_LAST = 4, 16
_MODULE = "bot"
_RESERVE_BYTES = 1 << 20  # let go of when memory has run out, so that there is enough to say so

# Bound here, before any bot code is imported.
_decode = json.JSONDecoder().decode
_quote = json.encoder.encode_basestring_ascii
_dumps = json.dumps
_str_of = str.__str__


class LoadError(Exception):
    """``bot.py`` has no entry point, or more than one, or one that cannot be made; ``line`` is where."""

    def __init__(self, sentence: str, line: int = 1) -> None:
        super().__init__(sentence)
        self.line = line


def serve(connection: socket.socket, root: pathlib.Path) -> None:
    """Plays one game: loads ``root/bot.py`` and answers each line until the platform closes the connection.

    An error of the bot is sent as the answer to the question that met it, and ends the game. Raises MemoryError when
    memory is too short even for that.
    """
    reserve = bytearray(_RESERVE_BYTES)
    number = 0
    try:
        lines = _read_lines(connection)
        info = GameInfo.from_wire(_decode(next(lines))["start"])
        act = _make_bot(load_bot(root), info).act
        observer = Observer(info)
        # What was loaded stays for the whole game; the collector need not walk it again in the bot's time.
        gc.freeze()
        connection.sendall(b'{"n":0,"ready":true}\n')
        for line in lines:
            question = _decode(line)
            number = question["n"]
            for event in question["events"]:
                observer.observe(Event.from_wire(event))
            hand = tuple([Card.parse(card) for card in question["hand"]])
            legal = tuple([Move.parse(move) for move in question["legal"]])
            answer = act(observer.view(hand, legal, question["clock"]))
            connection.sendall(b'{"n":%d,"move":%s}\n' % (number, _quote(_text(answer)).encode("ascii")))
    except BaseException as error:  # noqa: BLE001 - sys.exit and KeyboardInterrupt are crashes of a bot, too
        del reserve
        # A connection that is gone was closed by the platform, which has seen enough, or by the bot itself.
        with contextlib.suppress(OSError):
            connection.sendall(_describe(error, number, root))


def load_bot(root: pathlib.Path) -> type[Bot]:
    """The bot class of ``root/bot.py``: the one subclass of Bot defined there.

    The folder comes first on the module path, so that the bot's other modules can be imported, and becomes the
    working directory, so that its data files can be opened by name. Raises :class:`LoadError`, or whatever importing
    raises.
    """
    root = root.resolve()
    sys.path.insert(0, str(root))
    sys.dont_write_bytecode = True
    os.chdir(root)
    spec = importlib.util.spec_from_file_location(_MODULE, root / "bot.py")
    if spec is None or spec.loader is None:
        raise LoadError("bot.py cannot be imported.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module
    spec.loader.exec_module(module)
    return find_bot(module)


def _make_bot(bot_class: type[Bot], info: GameInfo) -> Bot:
    try:
        return bot_class(info)
    except TypeError as error:
        if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
            raise  # from inside the bot's own code
        code = getattr(bot_class.__init__, "__code__", None)
        line = code.co_firstlineno if code is not None else _line_of_class(bot_class.__name__)
        raise LoadError(
            f"{bot_class.__name__} cannot be made: {error}. Its __init__ takes (self, game).", line
        ) from None


def _line_of_class(name: str) -> int:
    """Where ``bot.py`` defines a class, or 1."""
    with contextlib.suppress(OSError, SyntaxError, ValueError), tokenize.open("bot.py") as source:
        for node in ast.walk(ast.parse(source.read())):
            if isinstance(node, ast.ClassDef) and node.name == name:
                return node.lineno
    return 1


def find_bot(module: ModuleType) -> type[Bot]:
    """The one subclass of Bot that the module itself defines. Raises :class:`LoadError`, naming what it found."""
    found = {
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__
    }
    if len(found) == 1:
        return found.pop()
    if found:
        names = sorted(value.__qualname__ for value in found)
        raise LoadError(
            f"bot.py defines several subclasses of Bot: {', '.join(names)}. "
            "Keep one there and import the others from a module of their own.",
            _line_of_class(names[1]),
        )
    raise LoadError("bot.py defines no subclass of Bot. Write one: class MyBot(Bot), with a method act(self, view).")


def _read_lines(connection: socket.socket) -> Iterator[str]:
    """The platform's lines; ends when it closes the connection."""
    buffer = b""
    while True:
        line, newline, rest = buffer.partition(b"\n")
        if newline:
            buffer = rest
            yield line.decode("utf-8")
            continue
        chunk = connection.recv(65536)
        if not chunk:
            return
        buffer += chunk


def _text(answer: object) -> str:
    """What the platform is told. What is neither a move nor text is told as it is, and judged there."""
    if type(answer) is Move:
        return str(answer)
    text = _str_of(answer) if isinstance(answer, str) else ascii(answer)
    return _sendable(text[:200])


def _sendable(text: str) -> str:
    """``text`` with lone surrogates written out: no line may hold them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _describe(error: BaseException, number: int, root: pathlib.Path) -> bytes:
    """The line that tells of an error of the bot, trimmed until it fits."""
    reason = "memory" if isinstance(error, MemoryError) else "crash" if number else "load"
    message = _message(error)
    file, line, frames = _locate(error, root.resolve())
    fields = {
        "reason": reason,
        "type": _sendable(type(error).__name__[:100]),
        "message": message,
        "file": file,
        "line": line,
    }
    while True:
        body = _dumps({"n": number, "error": {**fields, "traceback": "\n".join(frames)}}).encode("ascii")
        if len(body) < LINE_BYTES or not (frames or message):
            return body + b"\n"
        # The innermost frames say most, so the outer ones go first.
        if frames:
            frames = frames[(len(frames) + 1) // 2 :]
        else:
            fields["message"] = message = message[: len(message) // 2]


def _message(error: BaseException) -> str:
    try:
        text = _str_of(str(error))
    except BaseException as second:  # noqa: BLE001 - it is the bot's own class that fails here
        text = f"(its text could not be made: {type(second).__name__})"
    return _sendable(text if len(text) <= _MESSAGE_CHARACTERS else text[: _MESSAGE_CHARACTERS - 3] + "...")


def _locate(error: BaseException, root: pathlib.Path) -> tuple[str | None, int | None, list[str]]:
    """File and line of the innermost frame of the bot's own code, and all those frames as text lines."""
    frames = list(_own_frames(error.__traceback__, root))
    if isinstance(error, LoadError):
        frames = [("bot.py", error.line, "", "")]
    elif isinstance(error, SyntaxError) and error.filename and (file := _below(error.filename, root)):
        frames.append((file, error.lineno or 1, "", (error.text or "").strip()))
    shown = []
    for index, (file, line, function, source) in enumerate(frames):
        if _TRACEBACK_FIRST <= index < len(frames) - _TRACEBACK_LAST:
            if index == _TRACEBACK_FIRST:
                shown.append(f"  ... {len(frames) - _TRACEBACK_FIRST - _TRACEBACK_LAST} more frames ...")
            continue
        where = f"{file}, line {line}" + (f", in {function}" if function else "")
        shown.append(_sendable(f"{where}: {source[:200]}" if source else where))
    if not frames:
        return None, None, shown
    return frames[-1][0], frames[-1][1], shown


def _own_frames(traceback: TracebackType | None, root: pathlib.Path) -> Iterator[tuple[str, int, str, str]]:
    while traceback is not None:
        code = traceback.tb_frame.f_code
        file = _below(code.co_filename, root)
        if file is not None:
            source = linecache.getline(code.co_filename, traceback.tb_lineno).strip()
            yield file, traceback.tb_lineno, code.co_name, source
        traceback = traceback.tb_next


def _below(filename: str, root: pathlib.Path) -> str | None:
    """The path as the bot's author knows it, or None for code that is not the bot's."""
    prefix = str(root) + os.sep
    return filename.removeprefix(prefix) if filename.startswith(prefix) else None
