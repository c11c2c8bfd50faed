"""`make demo`: a whole site on this machine, with a tournament of sample bots."""

import logging
import os
import socket
import subprocess
import sys
import time
import webbrowser
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.urls import reverse
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from arena.samples import SAMPLES
from pages.management import demonstration
from pages.management.demonstration import DemonstrationError
from pages.management.processes import POLL_SECONDS, ProcessError, Processes, source_roots
from sandbox import engine_answers
from tournaments.models import Tournament

STALL_SECONDS = 180.0
"""With no bot checked and no match finished for so long, in seconds, something is broken and the demo says so."""

LADDER = {"LADDER_DEALS": "2"}
"""The ladder is short here: its matches are played on the same cores, and one of the samples thinks for long."""

NO_WALLS = (
    "No Docker engine answers, so the bots run without walls: as plain processes of your own user account. "
    "The site is reachable from this machine only; upload nothing that you would not run yourself."
)


class Command(BaseCommand):
    """Start the site, a worker and the clock; let the sample bots play a tournament; go on serving until Ctrl-C."""

    help = "Runs the whole site on this machine, with a tournament of sample bots, until Ctrl-C."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's name; the site's own processes run the checks
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="End when the tournament has been played.")
        parser.add_argument("--port", type=int, default=8000, help="Port of the site on the loopback interface.")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        logging.getLogger().setLevel(logging.WARNING)  # the terminal shows progress; what the services log is for files
        console = Console(soft_wrap=True, width=None if sys.stdout.isatty() else 100)
        port: int = options["port"]
        address = f"http://127.0.0.1:{port}"
        if not port_is_free(port):
            raise CommandError(
                f"Port {port} is taken, perhaps by another `make demo`. End that, or say: make demo PORT={port + 1}"
            )
        sandbox = prepare_sandbox(console)
        call_command("migrate", verbosity=0)
        demonstration.make_host()
        connection.close()  # the children open their own
        try:
            with Processes(settings.DATA_DIR / "log", {**LADDER, **os.environ, "SANDBOX": sandbox}) as processes:
                processes.start_worker(os.cpu_count() or 1, "worker", ["matches"])
                processes.start_worker(2, "clerk", ["upkeep", "checks"])
                processes.start_beat()
                processes.start_site(port)
                console.print(f"The site runs at [bold]{address}/[/]; logs are in {settings.DATA_DIR / 'log'}.")
                tournament = play(console, processes)
                show(console, tournament, address)
                if options["once"]:
                    call_command("check_integrity", stdout=self.stdout, stderr=self.stderr)
                    return
                serve(console, processes, address)
        except (ProcessError, DemonstrationError) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            console.print("Stopped.")
            if options["once"]:
                raise CommandError("Interrupted before the tournament was over.") from None


def port_is_free(port: int) -> bool:
    """Whether a server can listen on this port of the loopback interface."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def prepare_sandbox(console: Console) -> str:
    """What the bots will run in, `docker` or `process`, with the bot image built where it is needed.

    Raises:
        CommandError: the settings want containers and there is no engine, or the image cannot be made.
    """
    if settings.SANDBOX == "process":
        console.print(NO_WALLS.replace("No Docker engine answers, so", "SANDBOX=process:"), style="yellow")
        return "process"
    if settings.SANDBOX == "auto" and not engine_answers():
        console.print(NO_WALLS, style="yellow")
        return "process"
    console.print("A Docker engine answers: every bot runs in a container. Looking for its image ...")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(source_roots())}
    built = subprocess.run(
        [sys.executable, "-m", "sandbox", "build"], cwd=settings.BASE_DIR, env=environment, check=False
    )
    if built.returncode:
        raise CommandError(
            "The bot image could not be built; the reason stands above. To run the bots without walls: "
            "make demo SANDBOX=process"
        )
    return "docker"


def play(console: Console, processes: Processes) -> Tournament:
    """Have the sample bots checked and let them play; show how far it is.

    Raises:
        CommandError: nothing moves any more.
        DemonstrationError: a sample bot was rejected, or a match was set aside.
        ProcessError: a process of the site ended.
    """
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:

        def follow(what: str, total: int, done: Callable[[], int]) -> None:
            bar = progress.add_task(what, total=total)
            seen, moved = -1, time.monotonic()
            while seen < total:
                processes.check()
                count = done()
                if count != seen:
                    seen, moved = count, time.monotonic()
                    progress.update(bar, completed=count)
                    if not console.is_terminal:
                        console.print(f"{what}: {count} of {total}")
                if time.monotonic() - moved > STALL_SECONDS:
                    raise CommandError(f"{what} stands still at {seen} of {total}.\n{processes.tails()}")
                if seen < total:
                    time.sleep(POLL_SECONDS)

        total, uploaded = len(SAMPLES), demonstration.upload_samples
        follow("Checking the sample bots", total, lambda: demonstration.ready(uploaded()))
        tournament = demonstration.tournament_of(uploaded())
        follow("Playing the tournament", demonstration.planned(tournament), lambda: demonstration.played(tournament))
        follow("Closing it", 1, lambda: demonstration.closed(tournament))
    return tournament


def show(console: Console, tournament: Tournament, address: str) -> None:
    """Print the table and where to go from here."""
    table = Table(title=tournament.name, title_justify="left", box=box.SIMPLE, collapse_padding=True, pad_edge=False)
    for heading in ("", "Bot", "Rating", "95 %", "Elo", "Games", "Won", "Drawn", "Lost", "Score"):
        table.add_column(heading, justify="left" if heading == "Bot" else "right", no_wrap=True)
    for row in demonstration.rows(tournament):
        table.add_row(*row)
    console.print(table)
    password = demonstration.password_file()
    console.print(f"Leaderboard      {address}{reverse('leaderboard')}")
    console.print(f"This tournament  {address}{tournament.get_absolute_url()}")
    console.print(f"Your own bot     {address}{reverse('bots:new')}")
    console.print(
        f"Administration   {address}{reverse('admin:index')}  as {demonstration.HOST}, password in {password}"
    )


def serve(console: Console, processes: Processes, address: str) -> None:
    """Go on until Ctrl-C.

    Raises:
        ProcessError: a process of the site ended.
    """
    console.print("Serving; Ctrl-C ends it.")
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform == "darwin":
        webbrowser.open(address)
    while True:
        processes.check()
        time.sleep(1.0)
