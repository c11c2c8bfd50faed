"""``python -m arena variance``: how much of the luck of the deal duplicate play takes out."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from arena.cli.options import Json
from arena.cli.output import console, print_json, progress_bar, stop
from arena.durak import PRESETS
from arena.match import OnProgress
from arena.samples import SAMPLES
from arena.variance import Measured, VarianceError, formats, measure

DEFAULT_BOTS = ("counting", "thrifty", "lowest", "hoarder", "easy", "random")
"""Who sits at a table of n: the first n, the strongest that take milliseconds for a game."""

Rulesets = Annotated[
    list[str] | None, typer.Option("--ruleset", "-r", help="A ruleset; may be repeated. Default: all.")
]
Players = Annotated[
    list[int] | None, typer.Option("--players", "-n", min=2, max=6, help="Seats; may be repeated. Default: 2 to 6.")
]
Bots = Annotated[
    list[str] | None,
    typer.Option("--bots", "-b", help="A sample bot; repeat it, one for each seat, all different."),
]
VarianceDeals = Annotated[int, typer.Option("--deals", "-d", min=2, max=100_000, help="Decks for each line.")]
VarianceSeed = Annotated[
    int, typer.Option("--seed", "-s", min=0, max=2**53 - 1, help="The same number gives the same decks.")
]


def variance(
    ruleset: Rulesets = None,
    players: Players = None,
    bots: Bots = None,
    deals: VarianceDeals = 200,
    seed: VarianceSeed = 1,
    json: Json = False,
) -> None:
    """Measure how much luck it takes out of the results that each deal is played in every rotation.

    Prints a line for each ruleset and number of players: the variance of a score difference per game when every game
    has its own deck, and when each deck is played in all rotations; their ratio with a 95 % interval; and how much of
    the variance that removes. Without options this is the whole table, which takes some minutes.

    [bold]Examples[/]

        python -m arena variance

        python -m arena variance --ruleset podkidnoy --players 2 --deals 1000

        python -m arena variance -r pairs -n 4 -b thrifty -b lowest -b counting -b easy --json
    """
    names = tuple(bots or DEFAULT_BOTS)
    for name in names:
        if name not in SAMPLES:
            stop(f"There is no sample {name}; the samples are {', '.join(SAMPLES)}.")
    if len(set(names)) < len(names):
        stop("Name each bot once: copies of a bot that always plays alike cancel each other and measure nothing.")
    try:
        wanted = formats(ruleset or (), players or ([len(names)] if bots else ()))
    except VarianceError as error:
        stop(str(error))
    most = max(count for _, count in wanted)
    if most > len(names):
        stop(f"A table of {most} needs {most} bots; you named {len(names)}.")
    found = []
    total = sum(deals * count for _, count in wanted)
    played = 0
    with progress_bar("games") as report:
        for name, count in wanted:
            table = {bot: SAMPLES[bot].load() for bot in names[:count]}
            found.append(measure(PRESETS[name], table, deals, seed, _after(report, played, total)))
            played += deals * count
    if json:
        print_json({"seed": seed, "deals": deals, "lines": [line.to_json() for line in found]})
    else:
        _print(found, deals)


def _after(report: OnProgress, before: int, total: int) -> OnProgress:
    """Reports the games of one line as part of the whole table."""
    return lambda done, _of_this_line: report(before + done, total)


def _print(found: list[Measured], deals: int) -> None:
    table = Table(box=None, header_style="bold")
    table.add_column("ruleset")
    for column in ("seats", "games", "single", "duplicate", "ratio", "95 % interval", "luck removed"):
        table.add_column(column, justify="right")
    for line in found:
        table.add_row(
            line.ruleset,
            str(line.players),
            str(line.games),
            f"{line.single:.3f}",
            f"{line.duplicate:.3f}",
            f"{line.ratio:.2f}",
            f"{line.low:.2f} to {line.high:.2f}",
            f"{line.removed:.0%}",
        )
    console.print(table)
    console.print(
        f"{deals} deals a line. Variance of the score difference of two opponents (scores from 0 to 1), per game: each "
        "game on its own deck, and each deck in all rotations. A ratio below 1 is how many games duplicate play needs "
        "for what takes one without.",
        highlight=False,
        soft_wrap=True,
    )
