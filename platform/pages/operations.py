"""What staff looks at when something is stuck: queue, workers, what was set aside, and what went wrong lately."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils import timezone

from bots import checks
from bots.models import BotVersion
from tournaments import queue
from tournaments.models import Match, Tournament
from tournaments.values import lease_seconds

LATELY = timedelta(hours=24)
WORKERS_SINCE = timedelta(hours=1)
MOST = 50
"""Lines of each list: whoever has more than that parked has one cause for them, not fifty."""

NO_SIGN_SECONDS = 60.0
"""A worker that holds something and has given no sign for so long gets a mark."""


@dataclass(frozen=True)
class Waiting:
    """What waits, of matches or of checks."""

    waiting: int
    running: int
    oldest: datetime | None
    """Since when the one that waits longest has been waiting."""
    ended_lately: int
    """How many ended in the last hour."""


@dataclass(frozen=True)
class Worker:
    """A worker process, as far as the rows that it had tell."""

    name: str
    last_sign: datetime
    busy: str
    """What it has now: `match`, `check`, or nothing."""
    late: bool
    """It holds something and has been silent for too long."""


@dataclass(frozen=True)
class Fault:
    """Something that went wrong on our side, and was or will be tried again."""

    at: datetime | None
    what: Match | BotVersion
    text: str


@dataclass(frozen=True)
class Operations:
    """Everything on the page."""

    matches: Waiting
    checks: Waiting
    paused: Sequence[Tournament]
    workers: Sequence[Worker]
    parked_matches: Sequence[Match]
    parked_checks: Sequence[BotVersion]
    faults: Sequence[Fault]
    max_attempts: int

    @property
    def stalled(self) -> bool:
        """Whether something waits and nobody works."""
        return bool(self.matches.waiting + self.checks.waiting) and not self.workers


def read() -> Operations:
    """Read the page, with a fixed number of queries."""
    now = timezone.now()
    return Operations(
        matches=_matches(now),
        checks=_checks(now),
        paused=list(Tournament.objects.filter(paused_at__isnull=False, state=Tournament.State.RUNNING)[:MOST]),
        workers=_workers(now),
        parked_matches=list(_parked_matches()[:MOST]),
        parked_checks=list(_versions().filter(state=BotVersion.State.PARKED).order_by("-checked_at")[:MOST]),
        faults=_faults(now),
        max_attempts=settings.MAX_ATTEMPTS,
    )


def _matches(now: datetime) -> Waiting:
    going_on = Q(tournament__paused_at=None)
    found = Match.objects.filter(going_on, state__in=[Match.State.QUEUED, Match.State.RUNNING]).aggregate(
        waiting=Count("id", filter=Q(state=Match.State.QUEUED)),
        running=Count("id", filter=Q(state=Match.State.RUNNING)),
        oldest=Min("queued_at", filter=Q(state=Match.State.QUEUED)),
    )
    ended = Match.objects.filter(state=Match.State.FINISHED, finished_at__gt=now - WORKERS_SINCE).count()
    return Waiting(found["waiting"], found["running"], found["oldest"], ended)


def _checks(now: datetime) -> Waiting:
    waits = Q(lease_until=None) | Q(lease_until__lte=now)
    found = BotVersion.objects.filter(state=BotVersion.State.CHECKING).aggregate(
        waiting=Count("id", filter=waits), running=Count("id", filter=~waits), oldest=Min("created_at", filter=waits)
    )
    ended = BotVersion.objects.filter(checked_at__gt=now - WORKERS_SINCE).count()
    return Waiting(found["waiting"], found["running"], found["oldest"], ended)


def _workers(now: datetime) -> list[Worker]:
    """Whoever holds something now, or ended something in the last hour, the newest sign first.

    A lease is renewed with each sign of progress and always for the same time: so its end tells when the last sign was.
    """
    signs: dict[str, tuple[datetime, str]] = {}

    def note(name: str, at: datetime | None, busy: str) -> None:
        if name and at is not None and (name not in signs or at > signs[name][0] or (busy and not signs[name][1])):
            signs[name] = (max(at, signs[name][0]) if name in signs else at, busy or signs.get(name, (at, ""))[1])

    since = now - WORKERS_SINCE
    ended = Match.objects.filter(state=Match.State.FINISHED, finished_at__gt=since).order_by().values_list("worker")
    for name, at in ended.annotate(Max("finished_at")):
        note(name, at, "")
    checked = BotVersion.objects.filter(checked_at__gt=since).order_by().values_list("worker")
    for name, at in checked.annotate(Max("checked_at")):
        note(name, at, "")
    for match in Match.objects.filter(state=Match.State.RUNNING).select_related("tournament"):
        assert match.lease_until is not None  # noqa: S101 - a constraint of the database
        note(match.worker, match.lease_until - timedelta(seconds=lease_seconds(match.tournament)), "match")
    running = BotVersion.objects.filter(state=BotVersion.State.CHECKING, lease_until__isnull=False)
    for name, lease_until in running.values_list("worker", "lease_until"):
        assert lease_until is not None  # noqa: S101 - the filter above
        note(name, lease_until - timedelta(seconds=checks.LEASE_SECONDS), "check")
    silent = now - timedelta(seconds=NO_SIGN_SECONDS)
    found = [Worker(name, at, busy, bool(busy) and at < silent) for name, (at, busy) in signs.items()]
    return sorted(found, key=lambda worker: worker.last_sign, reverse=True)


def _parked_matches() -> QuerySet[Match]:
    return Match.objects.filter(state=Match.State.PARKED).select_related("tournament").order_by("-finished_at")


def _versions() -> QuerySet[BotVersion]:
    return BotVersion.objects.select_related("bot").defer("report")


def _faults(now: datetime) -> list[Fault]:
    since = now - LATELY
    moved = Q(state=Match.State.FINISHED, finished_at__gt=since) | Q(
        state__in=[Match.State.QUEUED, Match.State.RUNNING]
    )
    matches = Match.objects.filter(moved).exclude(error="").select_related("tournament").order_by("-id")[:MOST]
    checked = _versions().exclude(state=BotVersion.State.PARKED).exclude(fault="").order_by("-id")[:MOST]
    found = [Fault(match.finished_at or match.started_at, match, match.error) for match in matches]
    found += [Fault(version.checked_at or version.created_at, version, version.fault) for version in checked]
    return sorted(found, key=lambda fault: fault.at or now, reverse=True)[:MOST]


def retry_match(pk: int) -> None:
    """Try a parked match again.

    Raises:
        QueueError: it is not parked, or its tournament is over; the text is a sentence for staff.
        Match.DoesNotExist: there is no such match.
    """
    queue.retry(Match.objects.get(pk=pk))


def retry_all_matches() -> int:
    """Try all parked matches of tournaments that go on again. Returns how many."""
    tried = 0
    for match in _parked_matches().filter(tournament__state=Tournament.State.RUNNING):
        try:
            queue.retry(match)
        except queue.QueueError:
            # Somebody else has had it tried, or its tournament has just ended: both are what was wanted.
            continue
        tried += 1
    return tried


def retry_checks(pk: int | None = None) -> int:
    """Check a parked version again, or all of them. Returns how many there were."""
    found = BotVersion.objects.filter(state=BotVersion.State.PARKED)
    return checks.retry(found if pk is None else found.filter(pk=pk))
