"""``python -m arena tournament``: a round robin on this machine."""

from __future__ import annotations

import json as json_format
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from io import FileIO
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from arena import tournament as local
from arena.cli.bots import read_entrants, read_ruleset
from arena.cli.options import Backend, Bank, Deals, Json, MoveLimit, RulesetName, Seed, make_limits, make_secret
from arena.cli.output import complain, console, print_json, progress_bar, stop
from arena.cli.sandboxes import BackendName
from arena.durak import RulesetError
from arena.limits import Limits
from arena.plan import MAX_MATCHES
from arena.referee import Entrant
from arena.samples import SAMPLES
from arena.tournament import PlayedMatch, Results, Terms

Bots = Annotated[
    list[str] | None,
    typer.Argument(metavar="BOT...", help="A sample's name, a .py or .zip file, or a folder. None: all samples."),
]
Players = Annotated[int, typer.Option("--players", "-p", min=2, max=6, help="Seats at a table.")]
Parallel = Annotated[
    int | None,
    typer.Option("--parallel", "-j", min=1, help="Matches played at the same time. Default: one a processor."),
]
MostMatches = Annotated[
    int, typer.Option(min=1, help="At tables of three or more: play a balanced part of all tables, not more than this.")
]
RecordsFile = Annotated[
    Path | None,
    typer.Option(help="A file for the records of all games, a line of JSON each."),
]


def tournament(
    bots: Bots = None,
    players: Players = 2,
    deals: Deals = 10,
    seed: Seed = None,
    ruleset: RulesetName = "podkidnoy",
    bank: Bank = Limits.bank,
    move_limit: MoveLimit = Limits.move_limit,
    parallel: Parallel = None,
    max_matches: MostMatches = MAX_MATCHES,
    backend: Backend = BackendName.AUTO,
    records: RecordsFile = None,
    json: Json = False,
) -> None:
    """Everyone meets everyone: a round robin of bots, with a table that says how sure it is.

    A match plays every deck once in every seating. The table is made as on the site: ratings on the Elo scale with
    95 % intervals, and a line where the bots above are certainly better than those below. Interrupting it shows the
    table so far.

    Exit code 0 when it was played to its end, 1 when it was interrupted, 3 when bots cannot be run here.

    [bold]Examples[/]

        python -m arena tournament mybot.py lowest thrifty

        python -m arena tournament --players 4 --ruleset pairs --deals 5 --parallel 2

        python -m arena tournament mybot/ old.py --seed monday --records games.jsonl --json > table.json
    """
    rules = read_ruleset(ruleset)
    try:
        rules.check_players(players)
    except RulesetError as error:
        stop(str(error))
    entrants = read_entrants(bots or list(SAMPLES))
    if len(entrants) < players:
        stop(f"A table of {players} needs at least {players} bots; you named {len(entrants)}.")
    terms = Terms(rules, players, deals, make_limits(bank, move_limit), make_secret(seed))
    try:
        matches = local.plan(len(entrants), terms, max_matches)
    except ValueError as error:
        stop(str(error))
    with _records(records) as file:
        played, whole = _play(entrants, matches, terms, backend, parallel or os.cpu_count() or 1, file)
    if not played:
        stop("Interrupted before the first match ended; there is no table yet.", code=1)
    results = local.summarise(len(entrants), played, terms)
    if json:
        print_json(_to_json(entrants, results, played, terms, seed))
    else:
        _print(entrants, results)
    if not whole:
        stop(f"Interrupted: {len(played)} of {len(matches)} matches were played.", code=1)


def _play(
    entrants: Sequence[Entrant],
    matches: Sequence[tuple[int, ...]],
    terms: Terms,
    backend: BackendName,
    parallel: int,
    file: FileIO | None,
) -> tuple[list[PlayedMatch], bool]:
    """The matches that were played, and whether that is all of them."""
    total = len(matches) * terms.deals * terms.players
    found: list[PlayedMatch] = []
    with (
        progress_bar("games") as report,
        closing(
            local.play(entrants, matches, terms, backend.value, parallel, lambda finished: report(finished, total))
        ) as going_on,
    ):
        try:
            for match in going_on:
                found.append(match)
                if file is not None:
                    _write(match, file)
        except KeyboardInterrupt:
            complain("Ending the games that are being played ...")
            going_on.close()
    return sorted(found, key=lambda match: match.number), len(found) == len(matches)


@contextmanager
def _records(path: Path | None) -> Iterator[FileIO | None]:
    if path is None:
        yield None
        return
    try:
        # Without a buffer: what does not fit on the disk is known at the write, and not when the file is closed.
        file = path.open("wb", buffering=0)
    except OSError as error:
        stop(f"{path} cannot be written: {error.strerror}.")
    with file:
        yield file


def _write(match: PlayedMatch, file: FileIO) -> None:
    for game in match.result.games:
        line = {"match": match.number, "deal": game.deal, "rotation": game.rotation, "record": game.record.to_json()}
        content = f"{json_format.dumps(line, ensure_ascii=False, separators=(',', ':'))}\n".encode()
        try:
            while content:
                content = content[file.write(content) :]
        except OSError as error:
            stop(f"{file.name} cannot be written: {error.strerror}.", code=3)


def _to_json(
    entrants: Sequence[Entrant], results: Results, played: Sequence[PlayedMatch], terms: Terms, seed: str | None
) -> dict[str, Any]:
    names = [entrant.name for entrant in entrants]
    return {
        "ruleset": terms.ruleset.to_json(),
        "players": terms.players,
        "deals": terms.deals,
        "limits": terms.limits.to_json(),
        "seed": seed,
        "matches": len(played),
        "table": [
            {
                "name": names[line.entrant],
                "rating": round(line.rating, 1),
                "low": round(line.low, 1),
                "high": round(line.high, 1),
                "group": line.span.group,
                "best_place": line.span.best,
                "worst_place": line.span.worst,
                "score": line.score,
                "games": line.games,
                "deals": line.deals,
                "lost_by": line.lost_by,
                "mean_ms": line.mean_ms,
                "slowest_ms": line.slowest_ms,
            }
            for line in results.lines
        ],
        "crosstable": {
            names[line.entrant]: {
                names[other.entrant]: results.crosstable[line.entrant, other.entrant]
                for other in results.lines
                if (line.entrant, other.entrant) in results.crosstable
            }
            for line in results.lines
        },
    }


def _print(entrants: Sequence[Entrant], results: Results) -> None:
    names = [entrant.name for entrant in entrants]
    table = Table(box=None, header_style="bold")
    table.add_column("place", justify="right")
    table.add_column("bot")
    for title in ("rating", "95 %", "score", "games", "failed", "mean ms", "slowest"):
        table.add_column(title, justify="right", no_wrap=title == "95 %")
    for place, line in enumerate(results.lines, 1):
        if line.span.starts_group and place > 1:
            table.add_section()
            table.add_row(*["───"] * 9, style="dim")
        span = f"{line.span.best}-{line.span.worst}" if line.span.best != line.span.worst else str(line.span.best)
        table.add_row(
            span,
            Text(names[line.entrant]),
            f"{line.rating:.0f}",
            f"{line.low:.0f}..{line.high:.0f}",
            "-" if line.score is None else f"{line.score:.1%}",
            str(line.games),
            _failed(line.lost_by),
            "-" if line.mean_ms is None else f"{line.mean_ms:.2f}",
            f"{line.slowest_ms:.1f}",
        )
    console.print(table)
    console.print(
        "A line parts bots that the games tell apart; the place is the range that a bot may still deserve.",
        style="dim",
        highlight=False,
    )
    cross = Table(title="Score of row against column, %", title_justify="left", box=None)
    cross.add_column("")
    for line in results.lines:
        cross.add_column(Text(names[line.entrant]), justify="right")
    for line in results.lines:
        scores = [results.crosstable.get((line.entrant, other.entrant)) for other in results.lines]
        cross.add_row(Text(names[line.entrant]), *("" if score is None else f"{100 * score:.1f}" for score in scores))
    console.print()
    console.print(cross)


def _failed(lost_by: dict[str, int]) -> str:
    if not lost_by:
        return "0"
    return ", ".join(f"{count} {reason}" for reason, count in sorted(lost_by.items()))
