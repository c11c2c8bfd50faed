"""``python -m arena replay``: a game, to be watched."""

from __future__ import annotations

import webbrowser
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.files import read_game
from arena.cli.output import complain, stop
from arena.durak import RecordError
from arena.replay.frames import frames
from arena.replay.languages import words_in
from arena.replay.page import make_page

File = Annotated[
    Path,
    typer.Argument(help="A record, a reproduction file, or a file with a record a line (see --line); - for input."),
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="The HTML file to write. Default: beside the record.")
]
Line = Annotated[int | None, typer.Option(min=1, help="Which line of a file with a record a line.")]
MoveNumber = Annotated[int | None, typer.Option("--move", "-m", min=0, help="Begin after so many moves.")]
Seat = Annotated[int | None, typer.Option(min=0, max=5, help="See the table as this seat does.")]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open it in a browser, or only write it.")]


class Language(StrEnum):
    """The value of ``--language``."""

    ENGLISH = "en"
    RUSSIAN = "ru"
    POLISH = "pl"
    UKRAINIAN = "uk"


def replay(
    file: File,
    output: Output = None,
    line: Line = None,
    move: MoveNumber = None,
    seat: Seat = None,
    language: Annotated[Language, typer.Option(help="The language of the page.")] = Language.ENGLISH,
    browser: Browser = True,
) -> None:
    """Watch a game in the viewer of the site, from one HTML file that needs no network.

    A reproduction file opens at the move where the bot failed, seen from its seat. Exit code 0 when the file was
    written, 2 when there is no record in what was given.

    [bold]Examples[/]

        python -m arena play mybot.py lowest --records games/

        python -m arena replay games/0-1.json

        python -m arena replay games.jsonl --line 12 --move 30 --language ru -o game.html --no-browser
    """
    record, failed = read_game(file, line)
    if output is None:
        if str(file) == "-":
            stop("Say with --output where to write what came from standard input.")
        output = file.with_name(f"{file.stem}-{line}.html" if line else f"{file.stem}.html")
    if output.resolve() == file.resolve():
        stop(f"The page would take the place of {file} itself; say with --output where to write it.")
    if seat is None and failed is not None:
        seat = failed.seat
    if seat is not None and seat >= record.players:
        stop(f"The game has {record.players} seats, numbered from 0; there is no seat {seat}.")
    if move is None and failed is not None:
        move = failed.at
    if move is not None and move > len(record.moves):
        stop(f"The game has {len(record.moves)} moves; there is no move {move}.")
    try:
        page = make_page(frames(record, words=words_in(language.value)), language.value)
    except RecordError as error:
        stop(f"{file}: {error}")
    try:
        output.write_text(page, encoding="utf-8")
    except OSError as error:
        stop(f"{output} cannot be written: {error.strerror}.", code=3)
    address = output.resolve().as_uri() + _fragment(move, seat)
    typer.echo(address)
    if browser and not webbrowser.open(address):
        complain("No browser could be opened; open the file yourself.")


def _fragment(move: int | None, seat: int | None) -> str:
    if move is None and seat is None:
        return ""
    return f"#m={move or 0}" + ("" if seat is None else f"&seat={seat}")
