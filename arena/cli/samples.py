"""``python -m arena samples``: the sample bots."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from arena.cli.options import Json
from arena.cli.output import console, print_json, stop
from arena.samples import SAMPLES

Name = Annotated[str | None, typer.Argument(help="A sample whose source to print.")]


def samples(name: Name = None, json: Json = False) -> None:
    """List the sample bots, weakest first, or print the source of one.

    [bold]Examples[/]

        python -m arena samples

        python -m arena samples thrifty > mybot.py
    """
    if name is not None:
        if name not in SAMPLES:
            stop(f"There is no sample {name}; the samples are {', '.join(SAMPLES)}.")
        typer.echo(SAMPLES[name].source.decode(), nl=False)
    elif json:
        print_json([{"name": sample.name, "title": sample.title, "idea": sample.idea} for sample in SAMPLES.values()])
    else:
        table = Table("name", "idea", box=None, header_style="bold")
        for sample in SAMPLES.values():
            table.add_row(sample.name, sample.idea)
        console.print(table)
