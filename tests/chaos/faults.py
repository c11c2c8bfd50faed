"""What happens to a site while it plays. Which fault comes when, and whom it hits, follows from the seed.

A match has three attempts, and the run tries not to take the last one from a match that could be finished: before each
fault it waits until no such match is in its last attempt. One that is hit all the same is tried again, as staff does.
What a fault undoes later (a worker that comes back, an engine that is started again) is put into the diary and happens
beside the faults that follow.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from io import StringIO
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from kombu.exceptions import OperationalError as BrokerError

from tests.chaos.crew import BEAT, CLERK, Crew
from tests.chaos.field import Field, ask
from tests.chaos.servers import Broker, Engine, Postgres
from tournaments.models import Match
from tournaments.sweep import PLAY_TASK

MANY = {
    "worker killed": 8,
    "process of a worker killed": 4,
    "head of a worker killed": 2,
    "worker frozen": 2,
    "clerk killed": 2,
    "clock killed": 1,
    "broker restarted": 4,
    "database restarted": 2,
    "database crashed": 2,
    "engine stopped": 1,
    "engine crashed": 1,
    "tasks sent twice": 3,
    "tasks sent late": 3,
}
"""How often each kind of fault comes in a whole run."""
COST_A_LEASE = ("worker killed", "process of a worker killed", "worker frozen", "database crashed")

LOOK_SECONDS = 10.0
"""How long a fault waits for a moment in which it hurts."""
FROZEN_SECONDS = 150.0
"""The longest that a worker stays frozen, if nobody takes over its match."""


class Stage:
    """Everything that a fault can hit, and the diary of what is still to happen."""

    def __init__(
        self,
        field: Field,
        crew: Crew,
        servers: tuple[Postgres, Broker, Engine],
        dice: random.Random,
        say: Callable[[str], None],
    ) -> None:
        self.field, self.crew, self.dice, self.say = field, crew, dice, say
        self.postgres, self.broker, self.engine = servers
        self.done: Counter[str] = Counter()
        self.deadly_kills = 0
        self.tried_again: list[int] = []
        """Matches that faults have hit in every attempt."""
        self._diary: list[tuple[float, Callable[[], bool]]] = []
        self._over = threading.Event()
        self._assassin = threading.Thread(target=self._kill_whoever_plays_the_deadly_match)

    def __enter__(self) -> Stage:
        if self.field.deadly is not None:
            self._assassin.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._assassin.is_alive():
            self._assassin.join()

    def happen(self, name: str) -> None:
        """One fault, now."""
        self._wait_for_last_attempts()
        self.say(f"{name}: {FAULTS[name](self)}")
        self.done[name] += 1

    def turn_pages(self) -> None:
        """Do what the diary has for now, and what staff would."""
        self._try_again()
        due = [entry for entry in self._diary if entry[0] <= time.monotonic()]
        for entry in due:
            if entry[1]():
                self._diary.remove(entry)

    @property
    def waits(self) -> bool:
        """Whether something is still to be undone."""
        return bool(self._diary)

    def later(self, seconds: float, action: Callable[[], bool]) -> None:
        """Note an action for then. It is tried at every turn until it says that it is done."""
        self._diary.append((time.monotonic() + seconds, action))

    def victim(self) -> str:
        """A worker that is playing, if one is found soon; which of those, the dice say."""
        up = [name for name in self.crew.workers if self.crew.runs(name) and name not in self.crew.frozen]
        deadline = time.monotonic() + LOOK_SECONDS
        while time.monotonic() < deadline:
            busy = {row.partition("@")[0] for row in ask(self._workers)}
            if chosen := [name for name in up if name in busy]:
                return self.dice.choice(chosen)
            time.sleep(0.02)
        return self.dice.choice(up or self.crew.workers)

    def match_of(self, worker: str) -> Match | None:
        """What a worker is playing; not what a process of it, now dead, was playing."""
        running = Match.objects.filter(state="running", worker__startswith=f"{worker}@").order_by("-started_at")
        return next((match for match in ask(lambda: list(running)) if _is_there(match.worker)), None)

    def _workers(self) -> list[str]:
        running = Match.objects.filter(tournament=self.field.tournament, state="running")
        rows = running.exclude(pk__in=self.field.poison).values_list("worker", flat=True)
        return [worker for worker in rows if _is_there(worker)]

    def _try_again(self) -> None:
        """A match that three faults have hit, one in each attempt, is set aside, as it should be. Staff sees that it is
        no poison, and has it tried again: by the command, and once."""
        parked = Match.objects.filter(tournament=self.field.tournament, state="parked")
        for match in ask(lambda: list(parked.exclude(pk__in=[*self.field.poison, *self.tried_again]))):
            self.tried_again.append(match.pk)
            self.say(f"match {match.number} was set aside after three faults, and is tried again: {match.error}")
            ask(partial(call_command, "requeue", match.tournament.slug, numbers=[match.number], stdout=StringIO()))

    def _wait_for_last_attempts(self) -> None:
        last = Match.objects.filter(state="running", attempt__gte=F("forgiven") + settings.MAX_ATTEMPTS)
        deadline = time.monotonic() + FROZEN_SECONDS
        while ask(last.exclude(pk__in=self.field.poison).exists) and time.monotonic() < deadline:
            self.turn_pages()
            time.sleep(0.05)

    def _kill_whoever_plays_the_deadly_match(self) -> None:
        """In a thread, with a connection of its own."""
        known = 0
        deadly = Match.objects.filter(pk=self.field.deadly, state="running")
        while not self._over.wait(0.05):
            row = ask(deadly.values_list("attempt", "worker").first)
            if row is not None and row[0] > known:
                known = row[0]
                with suppress(ProcessLookupError):  # its worker was killed in this moment by another fault
                    os.kill(int(row[1].rpartition("/")[2]), signal.SIGKILL)
                self.deadly_kills += 1
                self.say(f"the deadly match: attempt {known} killed the process of {row[1].partition('@')[0]}")
        connection.close()


def kill_worker(stage: Stage) -> str:
    name = stage.victim()
    match, pause = stage.match_of(name), stage.dice.uniform(0.0, 3.0)
    if stage.crew.runs(name):
        stage.crew.kill(name)
    stage.later(pause, lambda: _start(stage, name))
    return f"{name}, in {_named(match)}; comes back after {pause:.1f} s"


def kill_child(stage: Stage) -> str:
    name = stage.victim()
    match = stage.match_of(name)
    if match is None:
        return f"{name} was idle, and was spared"
    with suppress(ProcessLookupError):  # the match had just ended, or another fault was quicker
        os.kill(int(match.worker.rpartition("/")[2]), signal.SIGKILL)
    return f"of {name}, in {_named(match)}"


def kill_head(stage: Stage) -> str:
    name = stage.victim()
    match, pause = stage.match_of(name), stage.dice.uniform(0.0, 3.0)
    if stage.crew.runs(name):
        stage.crew.kill_parent(name)
    stage.later(pause, lambda: _start(stage, name))
    return f"of {name}, in {_named(match)}; comes back after {pause:.1f} s"


def freeze_worker(stage: Stage) -> str:
    name = stage.victim()
    match, since = stage.match_of(name), time.monotonic()
    if match is None or not stage.crew.runs(name):
        return f"{name} was idle, and was spared"
    stage.crew.freeze(name)

    def thaw() -> bool:
        now = ask(Match.objects.filter(pk=match.pk).first)
        taken = now is None or now.attempt > match.attempt or now.state != "running"
        late = time.monotonic() - since > FROZEN_SECONDS
        if stage.crew.runs(name) and not (taken or late):
            return False
        if stage.crew.runs(name):
            stage.crew.thaw(name)
        stage.say(f"{name} goes on with {_named(match)}, which it has lost")
        return True

    stage.later(1.0, thaw)
    return f"{name}, in {_named(match)}, until another has taken it over"


def kill_clerk(stage: Stage) -> str:
    if stage.crew.runs(CLERK):
        stage.crew.kill(CLERK)
    stage.later(1.0, lambda: _start(stage, CLERK))
    return "comes back after 1 s"


def kill_beat(stage: Stage) -> str:
    if stage.crew.runs(BEAT):
        stage.crew.kill(BEAT)
    stage.later(1.0, lambda: _start(stage, BEAT))
    return "comes back after 1 s"


def restart_broker(stage: Stage) -> str:
    if not stage.broker.runs:
        return "it was down already"
    pause = stage.dice.choice([0.0, 0.5, 4.0])
    stage.broker.stop(signal.SIGKILL)
    stage.later(pause, lambda: _start_server(stage.broker))
    return f"with loss of all its data; comes back after {pause:.1f} s"


def restart_database(stage: Stage) -> str:
    stage.postgres.stop(signal.SIGINT)
    stage.postgres.start()
    return "transactions rolled back, connections closed"


def crash_database(stage: Stage) -> str:
    stage.postgres.stop(signal.SIGQUIT)
    stage.postgres.start()
    return "as after a crash; it recovered from its log"


def stop_engine(stage: Stage) -> str:
    return _end_engine(stage, signal.SIGTERM, "its containers with it")


def crash_engine(stage: Stage) -> str:
    return _end_engine(stage, signal.SIGKILL, "its containers left alone")


def send_twice(stage: Stage) -> str:
    """Every match that is not over is announced twice more, whoever plays it now."""
    unfinished = Match.objects.filter(state__in=["queued", "running"]).order_by("id")
    return _send(stage, [*ask(lambda: list(unfinished.values_list("pk", flat=True)[:40]))] * 2, 0.0)


def send_late(stage: Stage) -> str:
    """Announcements of matches that are over, or will be when they arrive."""
    rows = ask(lambda: list(Match.objects.exclude(state="queued").order_by("id").values_list("pk", flat=True)))
    return _send(stage, stage.dice.sample(rows, min(len(rows), 30)), 15.0)


FAULTS: dict[str, Callable[[Stage], str]] = {
    "worker killed": kill_worker,
    "process of a worker killed": kill_child,
    "head of a worker killed": kill_head,
    "worker frozen": freeze_worker,
    "clerk killed": kill_clerk,
    "clock killed": kill_beat,
    "broker restarted": restart_broker,
    "database restarted": restart_database,
    "database crashed": crash_database,
    "engine stopped": stop_engine,
    "engine crashed": crash_engine,
    "tasks sent twice": send_twice,
    "tasks sent late": send_late,
}


def order(counts: Mapping[str, int], dice: random.Random, kills_first: bool) -> list[str]:
    """The faults of a run, shuffled; what takes a lease to heal before the rest, if so wished."""
    faults = [name for name, count in counts.items() for _ in range(count)]
    dice.shuffle(faults)
    return sorted(faults, key=lambda name: name not in COST_A_LEASE) if kills_first else faults


def _send(stage: Stage, ids: list[int], at_most_late: float) -> str:
    sent = 0
    try:
        for key in ids:
            late = stage.dice.uniform(0.0, at_most_late)
            current_app.send_task(PLAY_TASK, args=(key,), retry=False, countdown=late or None)
            sent += 1
    except (BrokerError, OSError):
        return f"{sent} of {len(ids)}, then the broker was away"
    return f"{sent} messages" + (f", up to {at_most_late:.0f} s late" if at_most_late else "")


def _end_engine(stage: Stage, how: signal.Signals, what: str) -> str:
    if not stage.engine.runs:
        return "it was down already"
    pause = stage.dice.uniform(4.0, 10.0)
    stage.engine.stop(how)
    stage.later(pause, lambda: _start_server(stage.engine))
    return f"{what}; comes back after {pause:.1f} s"


def _is_there(worker: str) -> bool:
    """Whether the process is alive that a match names as its worker."""
    return Path("/proc", worker.rpartition("/")[2]).exists()


def _start(stage: Stage, name: str) -> bool:
    stage.crew.start(name)
    return True


def _start_server(server: Broker | Engine) -> bool:
    server.start()
    return True


def _named(match: Match | None) -> str:
    return "no match" if match is None else f"match {match.number} (attempt {match.attempt})"
