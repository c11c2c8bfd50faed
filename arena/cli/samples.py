"""``python -m arena samples``: the sample bots, and how strong they are."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from arena.cli.options import Bank, Json, MoveLimit, make_limits, make_secret
from arena.cli.output import console, print_json, progress_bar, stop
from arena.limits import Limits
from arena.samples import SAMPLES
from arena.samples.ladder import PAIRS, Pair, Rung, climb

Name = Annotated[str | None, typer.Argument(help="A sample whose source to print.")]
Ladder = Annotated[bool, typer.Option("--ladder", help="Play each against the one before, and print who won.")]
LadderDeals = Annotated[
    int, typer.Option("--deals", "-d", min=2, help="Decks a pair plays with --ladder, each from both seats.")
]
LadderSeed = Annotated[str, typer.Option("--seed", "-s", help="Any text: the same text gives the same decks.")]
From = Annotated[
    int, typer.Option("--from", min=0, help="The number of the first deck, to measure in pieces that add up.")
]
Pairs = Annotated[
    list[str] | None,
    typer.Option("--pair", help="Two samples as stronger:weaker, instead of the whole ladder; may be given often."),
]


def samples(
    name: Name = None,
    ladder: Ladder = False,
    deals: LadderDeals = 100,
    seed: LadderSeed = "ladder",
    first: From = 0,
    pair: Pairs = None,
    bank: Bank = 3.0,
    move_limit: MoveLimit = Limits.move_limit,
    json: Json = False,
) -> None:
    """List the sample bots, weakest first, print the source of one, or measure how strong they are.

    [bold]Examples[/]

        python -m arena samples

        python -m arena samples thrifty > mybot.py

        python -m arena samples --ladder --deals 500 --bank 3

        python -m arena samples --ladder --pair search:thrifty --deals 100
    """
    if name is not None:
        _check(name)
        typer.echo(SAMPLES[name].source.decode(), nl=False)
    elif ladder:
        limits = make_limits(bank, move_limit)
        pairs = PAIRS if pair is None else [_read_pair(text) for text in pair]
        with progress_bar("games") as report:
            rungs = climb(make_secret(seed), range(first, first + deals), limits, pairs, report)
        if json:
            print_json(
                {"seed": seed, "first": first, "limits": limits.to_json(), "pairs": [r.to_json() for r in rungs]}
            )
        else:
            _print(rungs)
    elif json:
        print_json([{"name": sample.name, "title": sample.title, "idea": sample.idea} for sample in SAMPLES.values()])
    else:
        table = Table("name", "idea", box=None, header_style="bold")
        for sample in SAMPLES.values():
            table.add_row(sample.name, sample.idea)
        console.print(table)


def _check(name: str) -> str:
    if name not in SAMPLES:
        stop(f"There is no sample {name}; the samples are {', '.join(SAMPLES)}.")
    return name


def _read_pair(text: str) -> Pair:
    stronger, colon, weaker = text.partition(":")
    if not colon:
        stop(f"Write a pair as stronger:weaker, for example search:thrifty, not {text}.")
    return _check(stronger), _check(weaker)


def _print(rungs: list[Rung]) -> None:
    table = Table("sample", "against", box=None, header_style="bold")
    for column in ("games", "score %", "95 %", "failed", "ms", "most ms", "s/game"):
        table.add_column(column, justify="right", no_wrap=True)
    for rung in rungs:
        low, high = rung.interval
        table.add_row(
            rung.stronger,
            rung.weaker,
            str(2 * len(rung.scores)),
            f"{100 * rung.score:.1f}",
            f"{100 * low:.1f}-{100 * high:.1f}",
            str(rung.failures),
            f"{1000 * rung.seconds / max(rung.decisions, 1):.2f}",
            f"{1000 * rung.slowest:.0f}",
            f"{rung.longest_game:.2f}",
        )
    console.print(table)
    console.print("Time is that of the first sample: a decision, the slowest one, and the game it thought longest in.")
