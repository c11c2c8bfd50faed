"""One run: the tournament, the faults in their order, the verdict."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from tests.chaos import faults, verdict
from tests.chaos.crew import Crew
from tests.chaos.field import is_over, matches_of, prepare
from tests.chaos.log import Log
from tests.chaos.servers import Broker, Engine, Postgres

WORKERS = 4
STILL_SECONDS = 12.0
"""When no match has ended for so long, the next fault comes although it is not its turn yet."""


@dataclass(frozen=True)
class Size:
    """How much is played, and how much happens."""

    bots: int
    deals: int
    faults: Mapping[str, int]
    deadly: bool
    """Whether one match kills its worker whenever it is begun."""
    seconds: float
    """After which the tournament counts as one that does not end."""


LARGE = Size(bots=20, deals=4, faults=faults.MANY, deadly=True, seconds=900.0)
SMALL = Size(bots=8, deals=4, faults=dict.fromkeys(faults.MANY, 1), deadly=False, seconds=240.0)


class Play:
    """A run of that size."""

    def __init__(self, size: Size, seed: int, folder: Path, servers: tuple[Postgres, Broker, Engine], log: Log) -> None:
        self.size, self.folder, self.servers, self.log = size, folder, servers, log
        call_command("migrate", verbosity=0)
        self.field = prepare(size.bots, size.deals, size.deadly)
        self.crew = Crew(folder, {**os.environ, "LOG_LEVEL": "INFO"}, WORKERS)
        dice = random.Random(seed)
        # A killed worker's match comes back when its lease has run out: in a short run the sooner the better.
        self.faults = faults.order(size.faults, dice, kills_first=size is SMALL)
        self.stage = faults.Stage(self.field, self.crew, servers, dice, log.say)
        log.say(f"seed {seed}: {size.bots} bots, {self.field.matches} matches of {2 * size.deals} games")
        log.say(f"{len(self.field.poison)} poisoned; {WORKERS} workers; {len(self.faults)} faults to come")

    def run(self) -> int:
        """Play, and judge. 0 if everything held."""
        began = self.log.seconds
        self.crew.start_all()
        try:
            with self.stage:
                self._go_on_until_the_end()
            played = self.log.seconds - began
            findings = [] if is_over(self.field) else [f"It did not end: {self._over()} of {self.field.matches}."]
            findings += self._take_down()
        finally:
            self.crew.stop()
        findings += [f"{name}: it never came." for name in self.faults]
        if self.stage.deadly_kills != (settings.MAX_ATTEMPTS if self.size.deadly else 0):
            findings.append(f"The deadly match killed {self.stage.deadly_kills} workers.")
        findings += chain(
            verdict.of_matches(self.field),
            verdict.of_ratings(self.field),
            verdict.of_integrity(),
            verdict.of_leftovers(self.servers[2], self.folder / "boxes"),
        )
        self._report(findings, played)
        return int(bool(findings))

    def _go_on_until_the_end(self) -> None:
        """Faults come by the matches that are over, so that the seed and not the machine's speed places them."""
        step = self.field.matches / (len(self.faults) + 2)
        happened, last, moved = 0, 0, self.log.seconds
        while (not is_over(self.field) or self.stage.waits) and self.log.seconds < self.size.seconds:
            self.stage.turn_pages()
            over = self._over()
            if over != last:
                last, moved = over, self.log.seconds
            is_still = over > 0 and self.log.seconds - moved > STILL_SECONDS
            if self.faults and (over >= (happened + 1) * step or is_still):
                self.log.say(f"{over} of {self.field.matches} matches are over")
                self.stage.happen(self.faults.pop(0))
                happened, moved = happened + 1, self.log.seconds
            time.sleep(0.05)
        self.log.say(f"{self._over()} of {self.field.matches} matches are over")

    def _over(self) -> int:
        return matches_of(self.field, state__in=["finished", "parked"])

    def _take_down(self) -> list[str]:
        """End every process as an operator does."""
        ends = {name: self.crew.end(name) for name in self.crew.names if self.crew.runs(name)}
        # A worker that starts removes what those left behind that were killed.
        tidy = self.crew.workers[0]
        self.crew.start(tidy)
        self.crew.wait_until_ready(tidy)
        ends["the last"] = self.crew.end(tidy)
        self.log.say("all processes have ended")
        return [f"{name} ended with status {status}." for name, status in ends.items() if status]

    def _report(self, findings: list[str], played: float) -> None:
        say = self.log.say
        for finding in findings:
            say(f"WRONG: {finding}")
        say("faults: " + ", ".join(f"{count} x {name}" for name, count in self.stage.done.items()))
        say(f"matches: {matches_of(self.field, state='finished')} finished, {self._over()} over")
        say("attempts: " + ", ".join(f"{count} took {tries}" for tries, count in verdict.attempts(self.field).items()))
        say(f"time: {played:.0f} s of play, {self.log.seconds:.0f} s in all")
        say("all held" if not findings else f"{len(findings)} things are wrong")
