"""``python -m arena rules``: the rules of a ruleset, to read."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from arena.cli.bots import read_ruleset
from arena.cli.output import console, stop
from arena.durak import PRESETS
from arena.rulebook import RulebookError, page, title

Name = Annotated[str | None, typer.Argument(metavar="[RULESET]", help="The ruleset, by name. Default: list them.")]
Language = Annotated[str, typer.Option("--language", "-l", help="en, ru, pl or uk.")]


def rules(ruleset: Name = None, language: Language = "en") -> None:
    """Print the rules of a ruleset as Markdown, in English, Russian, Polish or Ukrainian.

    [bold]Examples[/]

        python -m arena rules

        python -m arena rules perevodnoy --language pl
    """
    try:
        if ruleset is not None:
            typer.echo(page(read_ruleset(ruleset), language), nl=False)
            return
        table = Table("name", "", box=None, header_style="bold")
        for name, preset in PRESETS.items():
            table.add_row(name, title(preset, language))
        console.print(table)
    except RulebookError as error:
        stop(str(error))
