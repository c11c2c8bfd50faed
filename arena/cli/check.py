"""``python -m arena check``: what the site checks, with the same report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import arena.check
from arena.check import CheckReport
from arena.cli.bots import read_bot
from arena.cli.options import Backend, Json
from arena.cli.output import console, print_json, progress_bar, stop
from arena.cli.sandboxes import BackendName, open_pool

Bot = Annotated[str, typer.Argument(metavar="BOT", help="A .py or .zip file, or a folder with bot.py in it.")]


FailureFile = Annotated[
    Path | None, typer.Option("--failure", help="Where to write the game it fails in, for `reproduce`.")
]


def check(bot: Bot, backend: Backend = BackendName.AUTO, failure: FailureFile = None, json: Json = False) -> None:
    """Check a bot exactly as the site does when it is uploaded.

    It plays a few games against sample bots in every seat. Exit code 0 when it passes, 1 when it fails, 3 when bots
    cannot be run here.

    [bold]Examples[/]

        python -m arena check mybot.py

        python -m arena check mybot/ --json

        python -m arena check mybot.py --failure failure.json
    """
    files = read_bot(bot)
    with open_pool(backend, 3) as pool, progress_bar("check") as report_progress:
        report = arena.check.check(files, pool, on_progress=report_progress)
    if json:
        print_json(report.to_json())
    else:
        show_report(report)
    if failure is not None and (found := report.reproduction()) is not None:
        try:
            failure.write_text(found.dumps(), encoding="utf-8")
        except OSError as error:
            stop(f"{failure} cannot be written: {error.strerror}.", code=3)
    if not report.ok:
        raise typer.Exit(1)


def show_report(report: CheckReport) -> None:
    """What the check found, for people."""
    console.print("[bold green]passed[/]" if report.ok else f"[bold red]failed[/] ({report.reason})", end=" ")
    console.print(report.message, markup=False, highlight=False, soft_wrap=True)
    if report.traceback:
        console.print(report.traceback, markup=False, highlight=False, soft_wrap=True)
    if report.view is not None:
        view = report.view
        console.print(f"It held {' '.join(view['hand'])} and could play {' '.join(view['legal'])}.", highlight=False)
    if report.log:
        console.print("It printed:", report.log, sep="\n", markup=False, highlight=False, soft_wrap=True)
    if report.mean_ms is not None:
        console.print(
            f"{report.games} games, {report.decisions} decisions: {report.mean_ms:.2f} ms on average, "
            f"{report.slowest_ms:.1f} ms the slowest; {report.start_ms:.0f} ms to load.",
            highlight=False,
            soft_wrap=True,
        )
