"""`python -m tests.hostile.soak --games 10000`: does anything grow when a worker plays for a night among enemies?

Two seats a match, and every tenth bot is a hostile one, all of them in turn: so every fifth match has one. The pool is as
large as a worker's. Figures are printed before, along the way, and after; what must not grow is compared with its state
after the first tenth, when the pool is full, and what is closed must be gone. Exits 1 if anything did not hold.
"""

import argparse
import gc
import itertools
import os
import sys
import time
from collections import Counter
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from arena.plan import WARM_POOL
from arena.samples import SAMPLES
from sandbox import Pool
from tests.hostile.suite import LIMITS, Row, Suite, all_bots, resident_mb
from tests.hostile.workers import Where

GAMES_A_MATCH = 2
MATCHES_A_HOSTILE = 5
GROWTH_MB = 16.0
"""How far the worker's memory may rise between the first tenth and the end."""


@dataclass(frozen=True)
class Figures:
    """What there is at one moment."""

    games: int
    seconds: float
    warm: int
    """Sandboxes in the pool."""
    containers: int
    processes: int
    """In those containers."""
    box_folders: int
    box_kib: int
    descriptors: int
    """Of the worker."""
    memory_mb: float
    """Of the worker."""
    mounts: int
    """Of the host: each container that is not taken down leaves some. Like the last figure it is to be read and not
    judged, because others use this host as well."""
    disk_free_mib: int
    """Of the host's disk."""


def main() -> int:
    """Play, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--backend", default="docker", choices=["docker", "process"])
    parser.add_argument("--runtime", help="the engine's runtime, runsc say")
    parser.add_argument("--boxes", type=Path, help="folder for box folders")
    options = parser.parse_args()
    where = Where(options.backend, options.runtime, options.boxes)
    soak = Soak(where.pool(WARM_POOL))
    before = soak.look()
    print("  ".join(f"{field.name:>13}" for field in fields(Figures)))
    print_line(before)
    try:
        faults = soak.play(options.games, [bot.name for bot in all_bots() if bot.runs_on(where.backend, where.runtime)])
        faults += soak.compare()
    finally:
        soak.pool.close()
    after = soak.look()
    print_line(after)
    for name in ("containers", "box_folders"):
        if getattr(after, name) > getattr(before, name):
            faults.append(f"{name}: {getattr(before, name)} before, {getattr(after, name)} after all was closed")
    print("verdicts:", ", ".join(f"{verdict} {count}" for verdict, count in sorted(soak.verdicts.items())))
    print(f"pool: {soak.pool.hits} hits, {soak.pool.misses} misses")
    for fault in faults:
        print(fault, file=sys.stderr)
    print("Nothing grew." if not faults else f"{len(faults)} things did not hold.")
    return int(bool(faults))


def print_line(figures: Figures) -> None:
    """One row of the table."""
    shown = (f"{value:>13.1f}" if isinstance(value, float) else f"{value:>13}" for value in astuple(figures))
    print("  ".join(shown), flush=True)


class Soak:
    """A worker that plays on and on."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._folder = pool.backend.boxes.path
        self.games = 0
        self.began = time.monotonic()
        self.verdicts: Counter[str] = Counter()
        self.figures: list[Figures] = []

    def play(self, games: int, hostile: list[str]) -> list[str]:
        """So many games; what did not hold in any of them."""
        suite = Suite(self.pool)
        known = {bot.name: bot for bot in all_bots()}
        enemies, honest = itertools.cycle(hostile), itertools.cycle(itertools.permutations(SAMPLES, 2))
        faults: list[str] = []
        marks = [games * tenth // 10 for tenth in range(1, 11)]
        for match in itertools.count():
            if match % MATCHES_A_HOSTILE == 0:
                row = Row(known[next(enemies)])
                suite.play(row, LIMITS[row.bot.limits])
                self.verdicts.update(row.verdicts)
                faults += [f"{row.bot.name}: {fault}" for fault in row.faults]
            else:
                faults += suite.play_honest_match(next(honest))
            self.games += GAMES_A_MATCH
            if self.games >= marks[0]:
                while marks and self.games >= marks[0]:
                    del marks[0]
                faults += [f"after {self.games} games: {left}" for left in suite.leftovers()]
                self.figures.append(self.look())
                print_line(self.figures[-1])
            if not marks:
                return faults

    def compare(self) -> list[str]:
        """What grew since the first tenth."""
        first, last = self.figures[0], self.figures[-1]
        faults = []
        if last.memory_mb - first.memory_mb > GROWTH_MB:
            faults.append(f"the worker's memory grew from {first.memory_mb:.0f} to {last.memory_mb:.0f} MB")
        # A sandbox has a few descriptors of its own; beside them their number stays.
        for name in ("descriptors", "containers", "processes", "box_folders"):
            each = max(1, getattr(first, name) // max(first.warm, 1))
            if getattr(last, name) > getattr(first, name) + max(0, last.warm - first.warm) * each:
                faults.append(f"{name} grew from {getattr(first, name)} to {getattr(last, name)}")
        return faults

    def look(self) -> Figures:
        """The figures now."""
        gc.collect()
        boxes = self._boxes()
        containers = self._containers()
        return Figures(
            games=self.games,
            seconds=time.monotonic() - self.began,
            warm=len(self.pool),
            containers=len(containers),
            processes=sum(len(self._engine().top(found["Id"])["Processes"]) for found in containers),
            box_folders=len(boxes),
            box_kib=sum(file.stat().st_blocks // 2 for box in boxes for file in box.rglob("*")),
            descriptors=len(os.listdir("/proc/self/fd")),
            memory_mb=resident_mb(),
            mounts=len(Path("/proc/mounts").read_text().splitlines()),
            disk_free_mib=os.statvfs("/").f_bavail * os.statvfs("/").f_frsize // 2**20,
        )

    def _boxes(self) -> list[Path]:
        return [box for box in self._folder.iterdir() if box.is_dir()] if self._folder.exists() else []

    def _engine(self) -> Any:
        return self.pool.backend._engine  # type: ignore[attr-defined]

    def _containers(self) -> list[dict[str, Any]]:
        if self.pool.backend.name != "docker":
            return []
        label = f"durak-arena.worker={self._folder.name}"
        return list(self._engine().containers(all=True, filters={"label": label}))


if __name__ == "__main__":
    sys.exit(main())
