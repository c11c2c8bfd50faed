"""`python -m tests.hostile [NAME ...]`: play the hostile bots in real containers and print the table."""

import argparse
import multiprocessing
import queue
import sys
import time
from multiprocessing.queues import Queue, SimpleQueue
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sandbox import Pool, open_backend
from tests.hostile.suite import Row, Suite, all_bots, short_choice

POOL = 4
"""The hostile bot, an opponent of its own, and the two of the match afterwards."""


def main() -> int:
    """Play, print, and exit 1 if anything did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these bots")
    parser.add_argument("--backend", default="docker", choices=["docker", "process"])
    parser.add_argument("--runtime", help="the engine's runtime, runsc say")
    parser.add_argument("--short", action="store_true", help="leave out most of what no kernel decides")
    parser.add_argument("--jobs", type=int, default=1, help="workers side by side, each with sandboxes of its own")
    parser.add_argument("--boxes", type=Path, help="folder for box folders")
    options = parser.parse_args()
    known = {bot.name: bot for bot in all_bots()}
    if unknown := sorted(set(options.names) - set(known)):
        parser.error(f"there is no hostile bot {unknown[0]!r} in tests/hostile/bots")
    bots = [bot for bot in known.values() if bot.runs_on(options.backend, options.runtime)]
    if options.short:
        bots = short_choice(bots)
    names = [bot.name for bot in bots if bot.name in options.names or not options.names]
    began = time.monotonic()
    rows = play_all(names, options)
    show(rows)
    failed = sum(bool(row.faults) for row in rows)
    where = " ".join(filter(None, (options.backend, options.runtime)))
    print(f"{len(rows) - failed} passed, {failed} failed on {where} in {time.monotonic() - began:.0f} s")
    return int(failed > 0 or len(rows) < len(names) or not rows)


def play_all(names: list[str], options: argparse.Namespace) -> list[Row]:
    """The rows of these bots, in their order, played by as many workers as there are jobs."""
    context = multiprocessing.get_context("spawn")
    waiting: SimpleQueue[str | None] = context.SimpleQueue()
    done: Queue[Row] = context.Queue()
    for name in [*names, *[None] * options.jobs]:
        waiting.put(name)
    workers = [context.Process(target=work, args=(waiting, done, options)) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    rows = {}
    while len(rows) < len(names) and (any(worker.is_alive() for worker in workers) or not done.empty()):
        try:
            row = done.get(timeout=0.5)
        except queue.Empty:
            continue
        rows[row.bot.name] = row
        if row.faults:
            print(f"{row.bot.name}: {'; '.join(row.faults)}", file=sys.stderr, flush=True)
    for worker in workers:
        worker.join()
    for name in set(names) - set(rows):
        print(f"{name}: the worker ended before it was played", file=sys.stderr)
    return [rows[name] for name in names if name in rows]


def work(waiting: "SimpleQueue[str | None]", done: "Queue[Row]", options: argparse.Namespace) -> None:
    """Play one bot after the other until none waits."""
    known = {bot.name: bot for bot in all_bots()}
    settings = {"runtime": options.runtime, "project": "durak-arena-hostile"} if options.backend == "docker" else {}
    with Pool(open_backend(options.backend, boxes=options.boxes, **settings), POOL) as pool:
        suite = Suite(pool)
        while (name := waiting.get()) is not None:
            done.put(suite.run(known[name]))


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
