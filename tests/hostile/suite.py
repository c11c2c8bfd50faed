"""Plays hostile bots and looks at everything that must hold afterwards."""

import gc
import platform
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena import durak
from arena.archive import BotFiles, read_upload
from arena.limits import Limits
from arena.match import MatchResult
from arena.referee import Entrant, play
from arena.samples import SAMPLES
from sandbox import Pool

HERE = Path(__file__).parent
RULESET = durak.PRESETS["podkidnoy"]
HONEST = ("lowest", "thrifty")
_SORTED = [f"{rank}{suit}" for suit in durak.SUITS for rank in durak.RANKS]
DECK = [_SORTED[place * 11 % len(_SORTED)] for place in range(len(_SORTED))]
"""One deck, mixed enough to give both sides decisions; 11 shares no factor with 36."""

LIMITS = {
    "usual": Limits(bank=3.0, move_limit=0.5, start_limit=2.0, memory_mb=128),
    "slow": Limits(bank=20.0, move_limit=10.0, start_limit=5.0, memory_mb=128),
    # On a busy host a bot gets little of the CPU that it steals, and is charged more for its own turns.
    "watchful": Limits(
        bank=3.0, move_limit=0.5, start_limit=2.0, memory_mb=128, pondering_seconds=0.01, pondering_share=0.0
    ),
    "bank": Limits(bank=1.0, move_limit=0.5, start_limit=2.0, memory_mb=128),
}
"""The limits a bot may ask for in its header: short, so that the table is."""

ENDING_SECONDS = 2.0
"""How long a process that has nothing left to do may take to end, on a busy machine."""
WORKER_GROWTH_MB = 24
"""How far the worker's memory may rise during any one of these matches."""


FAMILIES = (
    "resources", "time", "process", "reach", "between-games", "exceptions", "output", "protocol", "parsing", "trust"
)  # fmt: skip
"""What a bot is out for."""


@dataclass(frozen=True)
class Hostile:
    """One hostile bot: its file and what its header says."""

    name: str
    idea: str
    family: str
    source: bytes
    verdicts: tuple[str, ...]
    opponent: str = "lowest"
    limits: str = "usual"
    backends: tuple[str, ...] = ("docker", "process")
    runtimes: str = "all"
    machine: str = ""

    @classmethod
    def read(cls, path: Path) -> "Hostile":
        """The bot of a file."""
        source = path.read_bytes()
        text = source.decode()
        header = dict(
            re.findall(r"^# (family|verdict|opponent|limits|backends|runtimes|machine): (.+)$", text, re.MULTILINE)
        )
        return cls(
            name=path.stem,
            idea=text.split('"""')[1],
            source=source,
            verdicts=tuple(header.pop("verdict").split(" | ")),
            backends=tuple(header.pop("backends", "docker process").split()),
            **header,
        )

    def runs_on(self, backend: str, runtime: str | None = None) -> bool:
        """Whether it says anything about this backend, under this runtime, on this machine."""
        if runtime is not None and self.runtimes == "default":
            return False  # it is about the host's kernel, and the bot sees another one
        return backend in self.backends and self.machine in ("", platform.machine())


def all_bots() -> list[Hostile]:
    """Every hostile bot, by name."""
    # One of them is no Python, and named so that no tool takes it for any.
    return [Hostile.read(path) for path in sorted((HERE / "bots").glob("*.[pt][yx]*"))]


@dataclass
class Row:
    """What came of one hostile bot."""

    bot: Hostile
    verdicts: list[str] = field(default_factory=list)
    """One a game; `none` where it did not fail."""
    seconds: float = 0.0
    growth_mb: float = 0.0
    faults: list[str] = field(default_factory=list)
    """What did not hold; empty is what we want."""


class Suite:
    """Plays hostile bots one after the other on one pool, as a worker would."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.play_honest_match()  # everything is loaded and warm before memory is measured

    def run(self, bot: Hostile) -> Row:
        """Play one match with this bot and look at all that must hold."""
        row = Row(bot)
        limits = LIMITS[bot.limits]
        before = resident_mb()
        Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here: proc(5)
        self.play(row, limits)
        row.growth_mb = resident_mb(peak=True) - before
        if row.growth_mb > WORKER_GROWTH_MB:
            row.faults.append(f"the worker grew by {row.growth_mb:.0f} MB")
        row.faults += self.leftovers()
        row.faults += [f"the next match was not normal: {fault}" for fault in self.play_honest_match()]
        return row

    def play(self, row: Row, limits: Limits) -> None:
        """Play a match with the bot of this row, and note what did not hold of it."""
        bot = row.bot
        began = time.monotonic()
        entrants = [
            Entrant("Hostile", 1, read_upload("bot.py", bot.source)),
            Entrant(
                "Honest", 1, read_upload("bot.py", bot.source) if bot.opponent == "itself" else _opponent(bot.opponent)
            ),
        ]
        try:
            result = play(entrants, RULESET, [DECK], limits, self.pool)
        except Exception as error:  # noqa: BLE001 - a hostile bot must not be able to cause one
            row.faults.append(f"our fault: {type(error).__name__}: {error}")
            return
        row.seconds = time.monotonic() - began
        self._judge(row, result)
        if row.seconds > limits.match_seconds(2, 1):
            row.faults.append(f"took longer than its bound of {limits.match_seconds(2, 1):.0f} s")

    def _judge(self, row: Row, result: MatchResult) -> None:
        for game in result.games:
            failure = game.failure_of(0)
            row.verdicts.append("none" if failure is None else str(failure.reason))
            if row.verdicts[-1] not in row.bot.verdicts:
                row.faults.append(f"verdict {row.verdicts[-1]}" + (f": {failure.message}" if failure else ""))
            if (other := game.failure_of(1)) is not None:
                row.faults.append(f"the opponent failed: {other.reason}: {other.message}")
            if failure is not None and (game.place_of(1), game.place_of(0)) != (1, 2):
                row.faults.append("the opponent's result does not stand")

    def play_honest_match(self, names: Sequence[str] = HONEST) -> list[str]:
        """Play a match of sample bots; what went wrong in it."""
        entrants = [Entrant(name, 1, SAMPLES[name].files) for name in names]
        result = play(entrants, RULESET, [DECK], LIMITS["slow"], self.pool)
        return [failure.message for game in result.games for failure in game.failures]

    def leftovers(self) -> list[str]:
        """What stays beyond the warm sandboxes: containers, processes in them, box folders.

        What only has not ended yet is none: the process that watched a game reports first and ends then.
        """
        gc.collect()
        until = time.monotonic() + ENDING_SECONDS
        while (found := self._there()) and time.monotonic() < until:
            time.sleep(0.05)
        return found

    def _there(self) -> list[str]:
        found = []
        boxes = [path for path in self.pool.backend.boxes.path.iterdir() if path.name != "lock"]
        if len(boxes) != len(self.pool):
            found.append(f"{len(boxes)} box folders for {len(self.pool)} sandboxes")
        if self.pool.backend.name == "docker":
            found += self._in_containers()
        return found

    def _in_containers(self) -> list[str]:
        found = []
        engine: Any = self.pool.backend._engine  # type: ignore[attr-defined]
        label = f"durak-arena.worker={self.pool.backend.boxes.worker}"
        containers = engine.containers(all=True, filters={"label": label})
        if len(containers) != len(self.pool):
            found.append(f"{len(containers)} containers for {len(self.pool)} sandboxes")
        for container in containers:
            processes = engine.top(container["Id"])["Processes"]
            if len(processes) != 1:
                found.append(f"{len(processes) - 1} processes left beside a keeper")
        return found


def _opponent(name: str) -> BotFiles:
    if name in SAMPLES:
        return SAMPLES[name].files
    return read_upload("bot.py", (HERE / "opponents" / f"{name}.py").read_bytes())


def resident_mb(*, peak: bool = False) -> float:
    """Memory of this process now, or at its peak since that was last reset, in MB."""
    name = "VmHWM" if peak else "VmRSS"
    for line in _status_lines():
        if line.startswith(name):
            return int(line.split()[1]) / 1024
    raise LookupError(name)


def _status_lines() -> Iterator[str]:
    yield from Path("/proc/self/status").read_text().splitlines()
