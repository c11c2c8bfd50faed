"""``python -m arena play``: bots against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from arena import referee
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
from arena.cli.sandboxes import BackendName, open_pool
from arena.durak import Ruleset, RulesetError
from arena.limits import Limits
from arena.match import MatchResult
from arena.rating import match_scores
from arena.referee import Entrant
from arena.reproduction import reproduction_of

Bots = Annotated[
    list[str],
    typer.Argument(metavar="BOT BOT...", help="Two to six bots: a sample's name, a .py or .zip file, or a folder."),
]


def play(
    bots: Bots,
    deals: Deals = 10,
    seed: Seed = None,
    ruleset: RulesetName = "podkidnoy",
    bank: Bank = Limits.bank,
    move_limit: MoveLimit = Limits.move_limit,
    backend: Backend = BackendName.AUTO,
    records: RecordsFolder = None,
    json: Json = False,
) -> None:
    """Play bots against each other and print who won.

    Every deck is played once in every seating, so that nobody is dealt better cards. With --records, a game in which a
    bot failed leaves a second file, for [bold]python -m arena reproduce[/].

    Exit code 0 when the match was played, whoever won it and whoever failed; 3 when bots cannot be run here.

    [bold]Examples[/]

        python -m arena play mybot.py lowest

        python -m arena play mybot.py thrifty random --deals 50 --seed monday

        python -m arena play mybot mybot --ruleset perevodnoy --records games/
    """
    rules = read_ruleset(ruleset)
    try:
        rules.check_players(len(bots))
    except RulesetError as error:
        stop(str(error))
    entrants = read_entrants(bots)
    limits = make_limits(bank, move_limit)
    with open_pool(backend, len(entrants)) as pool, progress_bar("games") as report:
        result = referee.play(entrants, rules, make_decks(seed, deals), limits, pool, report)
    if records is not None:
        write_records(result, records)
    summary = _summary(entrants, result, rules)
    if json:
        print_json({"ruleset": rules.to_json(), "limits": limits.to_json(), **summary})
    else:
        _print(summary)


def write_records(result: MatchResult, folder: Path) -> None:
    """Writes the record of every game to a folder, and beside it a file to reproduce each failure with."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for game in result.games:
            (folder / f"{game.deal}-{game.rotation}.json").write_text(game.record.dumps() + "\n", encoding="utf-8")
            for failure in game.failures:
                entrant = game.seating[failure.seat]
                if (found := reproduction_of(game, entrant)) is not None:
                    path = folder / f"{game.deal}-{game.rotation}-failure-{failure.seat}.json"
                    path.write_text(found.dumps(), encoding="utf-8")
    except OSError as error:
        stop(f"{folder} cannot be written: {error.strerror}.", code=3)


def _summary(entrants: list[Entrant], result: MatchResult, ruleset: Ruleset) -> dict[str, Any]:
    """The match in numbers, by entrant, and every game."""
    _, scores = match_scores([(game.seating, game.outcome) for game in result.games], result.entrants, ruleset)
    rows = []
    for index, entrant in enumerate(entrants):
        uses = [game.uses[index] for game in result.games]
        decisions = sum(use.decisions for use in uses)
        failures = [failure for game in result.games if (failure := game.failure_of(index)) is not None]
        rows.append(
            {
                "name": entrant.name,
                "score": scores[index],
                "games": len(result.games),
                "last": sum(game.place_of(index) == max(game.outcome.places) > 1 for game in result.games),
                "failures": [failure.to_json() for failure in failures],
                "decisions": decisions,
                "mean_ms": 1000 * sum(use.seconds for use in uses) / decisions if decisions else None,
                "slowest_ms": 1000 * max(use.slowest for use in uses),
            }
        )
    return {"entrants": rows, "games": [game.record.to_json() for game in result.games]}


def _print(summary: dict[str, Any]) -> None:
    table = Table("bot", "score", "games", "last", "failed", "ms a decision", "slowest", box=None, header_style="bold")
    for row in sorted(summary["entrants"], key=lambda row: -row["score"]):
        mean = "-" if row["mean_ms"] is None else f"{row['mean_ms']:.2f}"
        table.add_row(
            Text(row["name"]),
            f"{100 * row['score']:.1f} %",
            str(row["games"]),
            str(row["last"]),
            str(len(row["failures"])),
            mean,
            f"{row['slowest_ms']:.1f}",
        )
    console.print(table)
    for row in summary["entrants"]:
        if row["failures"]:
            first = row["failures"][0]
            console.print(f"{row['name']} failed ({first['reason']}): {first['message']}", markup=False)
            if first["detail"] and first["detail"]["traceback"]:
                console.print(first["detail"]["traceback"], markup=False, highlight=False)
