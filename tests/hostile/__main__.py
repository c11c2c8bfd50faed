"""`python -m tests.hostile [NAME ...]`: play the hostile bots in real containers and print the table."""

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sandbox import Pool, open_backend
from tests.hostile.suite import Row, Suite, all_bots


def main() -> int:
    """Play, print, and exit 1 if anything did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these bots")
    parser.add_argument("--backend", default="docker", choices=["docker", "process"])
    parser.add_argument("--runtime", help="the engine's runtime, runsc say")
    parser.add_argument("--boxes", type=Path, help="folder for box folders")
    options = parser.parse_args()
    bots = [bot for bot in all_bots() if bot.runs_on(options.backend, options.runtime)]
    if options.names:
        bots = [bot for bot in bots if bot.name in options.names]
    settings = {"runtime": options.runtime, "project": "durak-arena-hostile"} if options.backend == "docker" else {}
    began = time.monotonic()
    rows = []
    with Pool(open_backend(options.backend, boxes=options.boxes, **settings), 6) as pool:
        suite = Suite(pool)
        for bot in bots:
            rows.append(suite.run(bot))
            if rows[-1].faults:
                print(f"{bot.name}: {'; '.join(rows[-1].faults)}", file=sys.stderr, flush=True)
    show(rows)
    failed = sum(bool(row.faults) for row in rows)
    print(f"{len(rows) - failed} passed, {failed} failed")
    print(f"on {options.backend} {options.runtime or ''} in {time.monotonic() - began:.0f} s".replace("  ", " "))
    return int(failed > 0 or not rows)


def show(rows: list[Row]) -> None:
    """The table."""
    table = Table(title="Hostile bots", show_lines=False)
    for heading in ("bot", "what it tries", "verdict"):
        table.add_column(heading)
    for heading in ("match, s", "worker, +MB"):
        table.add_column(heading, justify="right")
    table.add_column("leftovers and faults")
    for row in rows:
        table.add_row(
            row.bot.name,
            row.bot.idea,
            " ".join(dict.fromkeys(row.verdicts)),
            f"{row.seconds:.2f}",
            f"{max(row.growth_mb, 0):.1f}",
            "; ".join(row.faults) or "none",
        )
    Console(width=150).print(table)


if __name__ == "__main__":
    sys.exit(main())
