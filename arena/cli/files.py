"""Files that commands read: records of games, lines of a tournament's file of records, reproduction files."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from arena.cli.output import stop
from arena.durak import GameRecord, RecordError
from arena.reproduction import FORMAT, Reproduction, ReproductionError


def read_content(path: Path) -> bytes:
    """What is in a file, or on standard input for `-`. Ends the command if it cannot be read."""
    try:
        return typer.get_binary_stream("stdin").read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        stop(f"{path} cannot be read: {error.strerror}.")


def read_reproduction(path: Path) -> Reproduction:
    """A reproduction file. Ends the command if it is none."""
    try:
        return Reproduction.loads(read_content(path))
    except ReproductionError as error:
        stop(f"{path}: {error}")


def read_game(path: Path, line: int | None) -> tuple[GameRecord, Reproduction | None]:
    """The record in a file: a record by itself, in a reproduction file, or on one line of a file of records.

    Args:
        line: which line, from 1, of a file with a record a line.
    """
    content = read_content(path)
    if line is not None:
        lines = content.splitlines()
        if not 1 <= line <= len(lines):
            stop(f"{path} has {len(lines)} lines; there is no line {line}.")
        content = lines[line - 1]
    try:
        data = json.loads(content)
    except RecursionError:
        stop(f"{path} is no record: it is nested too deeply.")
    except ValueError as error:
        several = " It seems to hold a record a line: say which with --line." if b"}\n{" in content else ""
        stop(f"{path} is no JSON: {error}.{several}")
    if isinstance(data, dict) and isinstance(data.get("record"), dict) and data.get("format") != FORMAT:
        data = data["record"]
    try:
        if isinstance(data, dict) and data.get("format") == FORMAT:
            found = Reproduction.from_json(data)
            return found.record, found
        return GameRecord.from_json(data), None
    except (RecordError, ReproductionError) as error:
        stop(f"{path}: {error}")
