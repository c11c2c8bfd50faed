"""How results are shown: tables for people on standard output, JSON for programs, progress and complaints beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.cli.remote import plain
from arena.match import OnProgress

console = Console()
errors = Console(stderr=True)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def complain(sentence: str) -> None:
    """A sentence on standard error. What it quotes of a file or a site moves no cursor and changes no colour."""
    errors.print(plain(sentence), style="red", markup=False, highlight=False, soft_wrap=True)


def stop(sentence: str, code: int = 2) -> NoReturn:
    """Ends the command with a sentence and an exit code."""
    complain(sentence)
    raise typer.Exit(code)


@contextmanager
def progress_bar(title: str) -> Iterator[OnProgress]:
    """A progress bar on standard error, where that is a terminal; gives the function to report progress to."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task(title, total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report
