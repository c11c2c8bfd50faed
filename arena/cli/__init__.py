"""The command line: ``python -m arena``."""

from __future__ import annotations

import sys

import typer

from arena.cli.bench import bench
from arena.cli.check import check
from arena.cli.login import login
from arena.cli.new import new
from arena.cli.output import complain
from arena.cli.play import play
from arena.cli.replay import replay
from arena.cli.reproduce import reproduce
from arena.cli.rules import rules
from arena.cli.samples import samples
from arena.cli.site import logs, status, submit
from arena.cli.study import study
from arena.cli.tournament import tournament
from arena.cli.variance import variance
from arena.cli.verify import verify
from sandbox import SandboxError

app = typer.Typer(
    name="arena",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode="rich",
    help="Write, try and check bots that play Durak.",
    epilog="Start with: [bold]python -m arena new mybot[/], then [bold]python -m arena check mybot[/].",
)
PANELS = {
    "Write a bot": (new, samples, check, reproduce, bench),
    "Play": (play, tournament, replay),
    "Look into the game": (rules, verify, study, variance),
    "On a site": (login, submit, status, logs),
}
"""The commands, as the help groups them."""

for panel, commands in PANELS.items():
    for command in commands:
        app.command(rich_help_panel=panel)(command)


def main() -> None:
    """Runs the command line; a fault of this machine is told in one sentence, with exit code 3."""
    try:
        app()
    except SandboxError as error:
        complain(str(error))
        sys.exit(3)
