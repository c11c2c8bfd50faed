"""`python -m tests.hostile [NAME ...]`: play the hostile bots in real containers and print the table."""

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.hostile.suite import Row, all_bots
from tests.hostile.workers import Where, play_all


def main() -> int:
    """Play, print, and exit 1 if anything did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these bots")
    parser.add_argument("--backend", default="docker", choices=["docker", "process"])
    parser.add_argument("--runtime", help="the engine's runtime, runsc say")
    parser.add_argument("--jobs", type=int, default=1, help="workers side by side, each with sandboxes of its own")
    parser.add_argument("--boxes", type=Path, help="folder for box folders")
    options = parser.parse_args()
    known = {bot.name: bot for bot in all_bots()}
    if unknown := sorted(set(options.names) - set(known)):
        parser.error(f"there is no hostile bot {unknown[0]!r} in tests/hostile/bots")
    bots = [bot for bot in known.values() if bot.runs_on(options.backend, options.runtime)]
    names = [bot.name for bot in bots if bot.name in options.names or not options.names]
    began = time.monotonic()
    rows = play_all(names, Where(options.backend, options.runtime, options.boxes), options.jobs)
    show(rows)
    failed = sum(bool(row.faults) for row in rows)
    where = " ".join(filter(None, (options.backend, options.runtime)))
    print(f"{len(rows) - failed} passed, {failed} failed on {where} in {time.monotonic() - began:.0f} s")
    return int(failed > 0 or len(rows) < len(names) or not rows)


def show(rows: list[Row]) -> None:
    """The table."""
    table = Table(title="Hostile bots", show_lines=False)
    for heading in ("family", "bot", "what it tries", "verdict"):
        table.add_column(heading)
    for heading in ("match, s", "worker, +MB"):
        table.add_column(heading, justify="right")
    table.add_column("leftovers and faults")
    for row in rows:
        table.add_row(
            row.bot.family,
            row.bot.name,
            row.bot.idea,
            " ".join(dict.fromkeys(row.verdicts)),
            f"{row.seconds:.2f}",
            f"{max(row.growth_mb, 0):.1f}",
            "; ".join(row.faults) or "none",
        )
    Console(width=160).print(table)


if __name__ == "__main__":
    sys.exit(main())
