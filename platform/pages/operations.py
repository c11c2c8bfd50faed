"""What staff looks at when something is stuck: queue, workers, what was set aside, and what went wrong lately."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils import timezone

from bots import checks
from bots.models import BotVersion
from pages import workers
from pages.workers import Worker
from tournaments import queue
from tournaments.models import Match, Tournament
from upkeep import database
from upkeep.kept import keep, kept

LATELY = timedelta(hours=24)
HOUR = timedelta(hours=1)
MOST = 50
"""Lines of each list: whoever has more than that parked has one cause for them, not fifty."""

STATUS_KEY = "pages:status"
STATUS_SECONDS = 5


@dataclass(frozen=True)
class Waiting:
    """What waits, of matches or of checks."""

    waiting: int
    running: int
    oldest: datetime | None
    """Since when the one that waits longest has been waiting."""
    ended_lately: int
    """How many ended in the last hour."""
    ended_today: int
    """How many ended in the last 24 hours."""
    last_end: datetime | None
    """When one ended last."""


@dataclass(frozen=True)
class Fault:
    """Something that went wrong on our side, and was or will be tried again."""

    at: datetime | None
    what: Match | BotVersion
    text: str


@dataclass(frozen=True)
class Site:
    """What the database and this web process's disk have room for, in bytes."""

    database: int
    disk_free: int
    disk_total: int

    @property
    def disk_is_short(self) -> bool:
        """Whether less than a tenth is free."""
        return self.disk_free < self.disk_total / workers.SHORT_SHARE


@dataclass(frozen=True)
class Operations:
    """Everything on the page."""

    matches: Waiting
    checks: Waiting
    paused: Sequence[Tournament]
    workers: Sequence[Worker]
    site: Site
    parked_matches: Sequence[Match]
    parked_checks: Sequence[BotVersion]
    faults: Sequence[Fault]
    max_attempts: int

    @property
    def stalled(self) -> bool:
        """Whether something waits and nobody works."""
        return bool(self.matches.waiting + self.checks.waiting) and not any(one.runs for one in self.workers)


@dataclass(frozen=True)
class Status:
    """What everybody may know of how the site does. It names no worker, no fault and nobody's bot."""

    matches: Waiting
    checks: Waiting
    works: bool
    """Whether a worker gives signs of life, or nothing waits for one."""

    @property
    def busy(self) -> bool:
        """Whether anything is being done, or waits to be."""
        return any(one.running or one.waiting for one in (self.matches, self.checks))


def status() -> Status:
    """What everybody may know, as it was a few seconds ago at most: every page that follows it asks again and again,
    and the tables behind the numbers are long."""
    found: Status | None = kept(STATUS_KEY)
    if found is None:
        now = timezone.now()
        matches, checked = _matches(now), _checks(now)
        waits = bool(matches.waiting + checked.waiting)
        found = Status(matches, checked, not waits or any(one.runs for one in workers.read(now)))
        keep(STATUS_KEY, found, STATUS_SECONDS)
    return found


def read() -> Operations:
    """Read the page, with a fixed number of queries."""
    now = timezone.now()
    return Operations(
        matches=_matches(now),
        checks=_checks(now),
        paused=list(Tournament.objects.filter(paused_at__isnull=False, state=Tournament.State.RUNNING)[:MOST]),
        workers=workers.read(now),
        site=_site(),
        parked_matches=list(_parked_matches()[:MOST]),
        parked_checks=list(_versions().filter(state=BotVersion.State.PARKED).order_by("-checked_at")[:MOST]),
        faults=_faults(now),
        max_attempts=settings.MAX_ATTEMPTS,
    )


def _matches(now: datetime) -> Waiting:
    found = Match.objects.filter(queue.MAY_BEGIN, state__in=[Match.State.QUEUED, Match.State.RUNNING]).aggregate(
        waiting=Count("id", filter=Q(state=Match.State.QUEUED)),
        running=Count("id", filter=Q(state=Match.State.RUNNING)),
        oldest=Min("queued_at", filter=Q(state=Match.State.QUEUED)),
    )
    finished = Match.objects.filter(state=Match.State.FINISHED)
    ended = finished.filter(finished_at__gt=now - LATELY).aggregate(
        hour=Count("id", filter=Q(finished_at__gt=now - HOUR)), day=Count("id"), last=Max("finished_at")
    )
    # Only where nothing has ended today is the rest of the table asked: along its index, for one row.
    last = ended["last"] or finished.order_by("-finished_at").values_list("finished_at", flat=True).first()
    return Waiting(found["waiting"], found["running"], found["oldest"], ended["hour"], ended["day"], last)


def _checks(now: datetime) -> Waiting:
    waits = Q(lease_until=None) | Q(lease_until__lte=now)
    found = BotVersion.objects.filter(state=BotVersion.State.CHECKING).aggregate(
        waiting=Count("id", filter=waits), running=Count("id", filter=~waits), oldest=Min("created_at", filter=waits)
    )
    ended = BotVersion.objects.filter(checked_at__gt=now - LATELY).aggregate(
        hour=Count("id", filter=Q(checked_at__gt=now - HOUR)), day=Count("id"), last=Max("checked_at")
    )
    return Waiting(found["waiting"], found["running"], found["oldest"], ended["hour"], ended["day"], ended["last"])


def _site() -> Site:
    disk = shutil.disk_usage(settings.DATA_DIR)
    return Site(database.size(), disk.free, disk.total)


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
