"""``python -m arena bench``: how long one's own bot thinks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.table import Table

from arena import referee
from arena.bench import Bench, Decided, measure
from arena.cli.bots import read_entrants, read_ruleset
from arena.cli.options import (
    Backend,
    Bank,
    Deals,
    Json,
    MoveLimit,
    RecordsFolder,
    RulesetName,
    Seed,
    make_decks,
    make_limits,
)
from arena.cli.output import console, print_json, progress_bar, stop
from arena.cli.play import write_records
from arena.cli.sandboxes import BackendName, open_pool
from arena.durak import RulesetError
from arena.limits import Limits

Bot = Annotated[str, typer.Argument(metavar="BOT", help="A sample's name, a .py or .zip file, or a folder.")]
Against = Annotated[
    list[str] | None, typer.Option("--against", "-a", help="Who sits at the table with it; again for each of them.")
]
Slowest = Annotated[int, typer.Option(min=0, help="How many of the slowest decisions to show.")]


def bench(
    bot: Bot,
    against: Against = None,
    deals: Deals = 20,
    seed: Seed = "bench",
    ruleset: RulesetName = "podkidnoy",
    bank: Bank = Limits.bank,
    move_limit: MoveLimit = Limits.move_limit,
    slowest: Slowest = 5,
    backend: Backend = BackendName.AUTO,
    records: RecordsFolder = None,
    json: Json = False,
) -> None:
    """Measure how long your bot thinks: per decision, per phase of the game, and where it is slowest.

    It plays games in the sandbox and under the limits of the site, against thrifty unless you say otherwise, so the
    times are those that a match would charge on this machine. The same seed gives the same decks, to compare two
    versions.

    Exit code 0 when it was measured, 1 when the bot failed in a game, 3 when bots cannot be run here.

    [bold]Examples[/]

        python -m arena bench mybot.py

        python -m arena bench mybot.py --against search --deals 5 --records games/

        python -m arena bench mybot.py -a lowest -a thrifty --json
    """
    rules = read_ruleset(ruleset)
    entrants = read_entrants([bot, *(against or ["thrifty"])])
    try:
        rules.check_players(len(entrants))
    except RulesetError as error:
        stop(str(error))
    limits = make_limits(bank, move_limit)
    with open_pool(backend, len(entrants)) as pool, progress_bar("games") as report:
        result = referee.play(entrants, rules, make_decks(seed, deals), limits, pool, report)
    if records is not None:
        write_records(result, records)
    found = measure(result, 0)
    if json:
        print_json({"ruleset": rules.to_json(), "limits": limits.to_json(), **_to_json(found, slowest)})
    else:
        _print(found, slowest, limits)
    if found.failures:
        raise typer.Exit(1)


def _to_json(found: Bench, slowest: int) -> dict[str, Any]:
    return {
        "games": found.games,
        "decisions_a_second": found.decisions_a_second,
        "all": None if found.whole is None else found.whole.to_json(),
        "phases": {name: times.to_json() for name, times in found.phases.items()},
        "start_ms": found.start_ms,
        "game_ms": found.game_ms,
        "peak_memory_mb": found.peak_memory_mb,
        "slowest": [one.to_json() for one in found.slowest(slowest)],
        "failures": [failure.to_json() for failure in found.failures],
    }


def _print(found: Bench, slowest: int, limits: Limits) -> None:
    if found.whole is not None:
        console.print(_times(found))
        console.print(
            f"{found.games} games, {found.decisions_a_second:.0f} decisions a second. The longest game took "
            f"{found.game_ms / 1000:.2f} s of a bank of {limits.bank:g} s, the slowest decision "
            f"{found.whole.slowest:.1f} ms of {limits.move_limit:g} s; loading {found.start_ms:.0f} ms"
            + ("." if found.peak_memory_mb is None else f"; {found.peak_memory_mb:.0f} MB of memory."),
            highlight=False,
            soft_wrap=True,
        )
        if slowest:
            console.print()
            console.print(_positions(found.slowest(slowest)))
    for failure in found.failures[:1]:
        console.print(
            f"The bot failed in {len(found.failures)} of {found.games} games, first: {failure.message}",
            markup=False,
            highlight=False,
            soft_wrap=True,
            style="red",
        )


def _times(found: Bench) -> Table:
    table = Table("phase", box=None, header_style="bold")
    for title in ("decisions", "mean ms", "median", "95 %", "slowest"):
        table.add_column(title, justify="right")
    assert found.whole is not None  # noqa: S101 - asked before
    for name, times in [("all", found.whole), *found.phases.items()]:
        figures = (times.mean, times.median, times.p95, times.slowest)
        table.add_row(name, str(times.decisions), *(f"{figure:.2f}" for figure in figures))
    return table


def _positions(slowest: Sequence[Decided]) -> Table:
    table = Table(title="The slowest decisions", title_justify="left", box=None, header_style="bold")
    for title in ("ms", "deal-rotation", "after move"):
        table.add_column(title, justify="right", no_wrap=True)
    for title in ("hand", "on the table", "legal moves", "played"):
        table.add_column(title)
    for one in slowest:
        table.add_row(
            f"{one.ms:.1f}",
            f"{one.deal}-{one.rotation}",
            str(one.moves),
            " ".join(one.hand),
            " ".join(one.table),
            " ".join(one.legal[:8]) + (" ..." if len(one.legal) > 8 else ""),
            one.played,
        )
    return table
