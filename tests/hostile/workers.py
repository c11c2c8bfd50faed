"""Several workers side by side, each a process with sandboxes of its own, as on a site."""

import multiprocessing
import queue
import sys
from dataclasses import dataclass
from multiprocessing.queues import Queue, SimpleQueue
from pathlib import Path

from sandbox import Pool, open_backend
from tests.hostile.suite import Row, Suite, all_bots

POOL = 4
"""The hostile bot, an opponent of its own, and the two of the match afterwards."""


@dataclass(frozen=True)
class Where:
    """What the bots are played in."""

    backend: str = "docker"
    runtime: str | None = None
    boxes: Path | None = None

    def pool(self, size: int = POOL) -> Pool:
        """A pool of a worker there."""
        settings = {"runtime": self.runtime, "project": "durak-arena-hostile"} if self.backend == "docker" else {}
        return Pool(open_backend(self.backend, boxes=self.boxes, **settings), size)


def play_all(names: list[str], where: Where, jobs: int) -> list[Row]:
    """The rows of these bots, in their order, played by as many workers as there are jobs."""
    context = multiprocessing.get_context("spawn")
    waiting: SimpleQueue[str | None] = context.SimpleQueue()
    done: Queue[Row] = context.Queue()
    for name in [*names, *[None] * jobs]:
        waiting.put(name)
    workers = [context.Process(target=work, args=(waiting, done, where)) for _ in range(jobs)]
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


def work(waiting: "SimpleQueue[str | None]", done: "Queue[Row]", where: Where) -> None:
    """Play one bot after the other until none waits."""
    known = {bot.name: bot for bot in all_bots()}
    with where.pool() as pool:
        suite = Suite(pool)
        while (name := waiting.get()) is not None:
            done.put(suite.run(known[name]))
