"""The workers as the operations page and the metrics show them: from their signs, and from what they hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bots import checks
from bots.models import BotVersion
from tournaments.models import Match
from tournaments.values import lease_seconds
from upkeep import signs
from upkeep.models import WorkerSign

SHORT_SHARE = 10
"""A disk is short when less than one part in so many is free."""
NO_PROGRESS_SECONDS = 60.0
"""Something that is held without progress for so long gets a mark."""


@dataclass(frozen=True)
class Held:
    """A match or a check that a worker has now."""

    what: Match | BotVersion
    progress_at: datetime
    """When it last got on."""
    late: bool
    """It has not got on for a while."""

    @property
    def is_match(self) -> bool:
        """A match, and no check."""
        return isinstance(self.what, Match)


@dataclass(frozen=True)
class Worker:
    """A worker: its sign of life, what its processes hold, and its host."""

    name: str
    last_sign: datetime
    queues: str
    slots: int
    """How much it does at the same time; 0 where it has given no sign of its own."""
    stopped: bool
    """It was told to stop, and did."""
    late: bool
    """It was not told to stop and gives no sign any more."""
    holds: Sequence[Held]
    host: Mapping[str, Any]
    """`disk_free` and `disk_total` in bytes, `sandbox`, `version` of the engine, `image`, `image_there`, `fault`."""

    @property
    def runs(self) -> bool:
        """Whether it does its work, as far as can be told."""
        return not self.stopped and not self.late

    @property
    def has_engine(self) -> bool:
        """Whether anything is known of an engine of its."""
        return "version" in self.host

    @property
    def disk_is_short(self) -> bool:
        """Whether less than a tenth of its disk is free."""
        return bool(self.host.get("disk_free", 1) < self.host.get("disk_total", 0) / SHORT_SHARE)


def read(now: datetime) -> list[Worker]:
    """Every worker that has given a sign within a day or holds something, those that run first. Three queries."""
    held = _held(now)
    found = [_worker(sign, held.pop(sign.name, []), now) for sign in WorkerSign.objects.all()]
    # Without a sign of its own: its lease tells that it lives, and when it last got on.
    for name, things in held.items():
        last = max(thing.progress_at for thing in things)
        late = all(thing.late for thing in things)
        found.append(Worker(name, last, "", 0, stopped=False, late=late, holds=things, host={}))
    return sorted(found, key=lambda worker: (worker.stopped, worker.late, worker.name))


def _worker(sign: WorkerSign, holds: Sequence[Held], now: datetime) -> Worker:
    stopped = sign.stopped_at is not None
    late = not stopped and sign.seen_at <= now - timedelta(seconds=signs.LATE_SECONDS)
    return Worker(sign.name, sign.seen_at, sign.queues, sign.slots, stopped, late, holds, sign.host)


def _held(now: datetime) -> dict[str, list[Held]]:
    """What is held, by worker. A lease is renewed with each progress, always for the same time: so its end tells when
    that was. The name in a row is the worker's, with the number of the process behind it."""
    held: defaultdict[str, list[Held]] = defaultdict(list)
    late = now - timedelta(seconds=NO_PROGRESS_SECONDS)

    def note(what: Match | BotVersion, lease_until: datetime | None, seconds: float) -> None:
        assert lease_until is not None  # noqa: S101 - what is held has a lease, by a constraint of the database
        at = lease_until - timedelta(seconds=seconds)
        held[what.worker.rpartition("/")[0] or what.worker].append(Held(what, at, at < late))

    for match in Match.objects.filter(state=Match.State.RUNNING).select_related("tournament").order_by("id"):
        note(match, match.lease_until, lease_seconds(match.tournament))
    versions = BotVersion.objects.filter(state=BotVersion.State.CHECKING, lease_until__isnull=False)
    for version in versions.select_related("bot").defer("report").order_by("id"):
        note(version, version.lease_until, checks.LEASE_SECONDS)
    return dict(held)
