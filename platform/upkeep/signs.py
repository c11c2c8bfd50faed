"""Signs of life: each worker writes its own row, so that every web process tells the same of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from upkeep.models import WorkerSign

SECONDS = 20.0
"""How often a worker gives a sign."""
LATE_SECONDS = 90.0
"""After so long without one, a worker that was not told to stop is taken for dead: four signs and a margin."""
KEPT = timedelta(days=1)
"""How long a worker stays listed after its last sign. Containers that are made anew have a new name each time."""


def start(name: str, queues: Sequence[str], slots: int, host: Mapping[str, Any]) -> None:
    """The first sign of a worker that begins its work. Forgets workers that have been silent for `KEPT`."""
    now = timezone.now()
    values = {"queues": ",".join(sorted(queues))[:200], "slots": slots, "host": dict(host)}
    WorkerSign.objects.update_or_create(
        name=name[:200], defaults={**values, "started_at": now, "seen_at": now, "stopped_at": None}
    )
    WorkerSign.objects.filter(seen_at__lt=now - KEPT).delete()


def give(name: str, host: Mapping[str, Any] | None = None) -> bool:
    """A sign of life. False when the worker has no row (any more): it shall `start` again.

    Args:
        host: what its host is like now; None leaves what was known.
    """
    values: dict[str, Any] = {"seen_at": timezone.now(), "stopped_at": None}
    if host is not None:
        values["host"] = dict(host)
    return WorkerSign.objects.filter(pk=name[:200]).update(**values) == 1


def stop(name: str) -> None:
    """The last sign: the worker was told to stop."""
    now = timezone.now()
    WorkerSign.objects.filter(pk=name[:200]).update(seen_at=now, stopped_at=now)


def alive(now: datetime | None = None) -> QuerySet[WorkerSign]:
    """The workers that are running, as far as their signs tell."""
    since = (now or timezone.now()) - timedelta(seconds=LATE_SECONDS)
    return WorkerSign.objects.filter(stopped_at=None, seen_at__gt=since)
