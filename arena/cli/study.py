"""``python -m arena study``: a published table of 6,900 games, played again."""

from __future__ import annotations

import math
from typing import Annotated, Any

import typer
from rich.table import Table

from arena.cli.options import Json
from arena.cli.output import console, print_json, progress_bar
from arena.study import PUBLISHED, TRUMP_COUNTS, Comparison, Habits, compare, play_study

StudySeed = Annotated[
    int, typer.Option("--seed", "-s", min=0, max=2**53 - 1, help="The same number gives the same games.")
]
Scale = Annotated[float, typer.Option(min=0.001, max=1000, help="How many games to play: 1 is as many as the study.")]
Takes = Annotated[float, typer.Option(min=0, max=1, help="How often a bot takes although it could beat.")]
Declines = Annotated[float, typer.Option(min=0, max=1, help="How often it declines to throw in although it could.")]
EachCard = Annotated[
    bool,
    typer.Option("--each-card", help="Decide about taking before each beat, not once for the cards that lie there."),
]


def study(
    seed: StudySeed = 1,
    scale: Scale = 1.0,
    takes: Takes = Habits.takes,
    declines: Declines = Habits.declines,
    each_card: EachCard = False,
    json: Json = False,
) -> None:
    """Play a public study of podkidnoy again, 6,900 games of easy bots, and print both tables side by side.

    Takes some seconds. Exit code 1 if a trump column is more than three standard errors off.

    [bold]Examples[/]

        python -m arena study

        python -m arena study --seed 7 --scale 10 --json

        python -m arena study --takes 0.7 --each-card
    """
    with progress_bar("games") as report:
        tallies = play_study(seed, scale, Habits(takes, declines, each_card), report)
    lines = [(tally, line, compare(tally, line)) for tally, line in zip(tallies, PUBLISHED, strict=True)]
    agrees = all(comparison.agrees for _, _, found in lines for comparison in found if comparison.judged)
    if json:
        print_json(
            {
                "seed": seed,
                "habits": {"takes": takes, "declines": declines, "each_card": each_card},
                "agrees": agrees,
                "tables": [
                    {**tally.to_json(), "comparisons": [_to_json(comparison) for comparison in found]}
                    for tally, _, found in lines
                ],
            }
        )
    else:
        for tally, line, found in lines:
            _print(f"{line.players} players, {len(tally.bouts)} games here and {line.games} there", found)
        console.print(
            f"Shares of the fool after {TRUMP_COUNTS[0]} and {TRUMP_COUNTS[1]} trumps dealt must agree within three "
            "standard errors of the difference; the rest depends on how the bot plays.",
            highlight=False,
        )
    if not agrees:
        raise typer.Exit(1)


def _to_json(comparison: Comparison) -> dict[str, Any]:
    return {
        "figure": comparison.name,
        "published": comparison.published,
        "measured": _or_null(comparison.measured.value),
        "error": _or_null(comparison.measured.error),
        "apart": _or_null(comparison.apart),
        "judged": comparison.judged,
        "agrees": comparison.agrees,
    }


def _or_null(value: float | None) -> float | None:
    """JSON has no NaN, which is what comes of a few games where no such hand was dealt or nothing varied."""
    return None if value is None or math.isnan(value) else value


def _print(title: str, found: list[Comparison]) -> None:
    table = Table(title=title, title_justify="left", box=None, header_style="bold")
    table.add_column("")
    for column in ("published", "here", "standard error", "apart", ""):
        table.add_column(column, justify="right")
    for comparison in found:
        table.add_row(
            comparison.name,
            "-" if comparison.published is None else _number(comparison, comparison.published),
            _number(comparison, comparison.measured.value),
            _number(comparison, comparison.measured.error),
            "" if comparison.apart is None else f"{comparison.apart:+.1f}",
            ("agrees" if comparison.agrees else "DIFFERS") if comparison.judged else "",
        )
    console.print(table)
    console.print()


def _number(comparison: Comparison, value: float) -> str:
    return f"{value:.1%}" if comparison.is_share else f"{value:.2f}"
