"""The queue of matches is the table of matches. Celery carries their identifiers, and may lose or repeat any of them.

    queued -> running            claim: one UPDATE that must change exactly one row
    running -> running           renew, after each game; or claim again, once the lease ran out
    running -> queued            release after a fault of ours, or expire: the lease ran out
    running -> parked            the same, after the last attempt
    running -> finished          results.record
    parked -> queued             retry, by staff
    queued, running, parked -> cancelled     the tournament is cancelled, or an entry left it

Each is a conditional UPDATE of the row alone (no join: a condition on another table would be judged by an older state
of it), so it is right on SQLite and on PostgreSQL, whoever does what at the same moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from tournaments import fairness
from tournaments.locks import lock
from tournaments.models import Entry, Match, Tournament

logger = structlog.get_logger(__name__)

State = Match.State

ANNOUNCED_AT_LEAST = 20
"""Matches that the sweep keeps announced, however slowly they are played."""
ANNOUNCED_AT_MOST = 1000
"""... and however fast."""
MAY_BEGIN = Q(tournament__paused_at=None, tournament__planning=False)
"""Of matches: those of a tournament that is not paused, and whose whole plan is there."""
RETRY_SECONDS = 10.0
"""How long a match waits after its first failed attempt; three times as long after each further one."""


class QueueError(Exception):
    """What was asked of a match is not possible in its state; the text is one sentence for staff."""


@dataclass(frozen=True)
class Claim:
    """The right to play a match: valid while the match's attempt is this one and the lease has not been given away."""

    match_id: int
    attempt: int
    lease_seconds: float
    forgiven: int = 0
    """How many of the attempts do not count."""


def claim(match_id: int, worker: str, lease_seconds: float) -> Claim | None:
    """Take a match, or None when it is not to be had: played, taken, waiting for its next attempt, or lost in
    its last.

    Args:
        worker: who takes it, for staff to read.
        lease_seconds: how long it may go without progress.
    """
    now = timezone.now()
    free = Q(state=State.QUEUED) & (Q(retry_at=None) | Q(retry_at__lte=now))
    expired = Q(state=State.RUNNING, lease_until__lte=now)
    # A pause keeps matches from being begun. One that is claimed while it is being declared was begun before it.
    known = Match.objects.filter(free | expired, MAY_BEGIN, pk=match_id)
    row = known.values_list("attempt", "forgiven", "state").first()
    # One whose last attempt ran out is for `expire` to park. What waits may be begun: that is what it waits for.
    if row is None or (row[2] == State.RUNNING and row[0] - row[1] >= settings.MAX_ATTEMPTS):
        return None
    attempt, forgiven, _state = row
    changed = Match.objects.filter(free | expired, pk=match_id, attempt=attempt).update(
        state=State.RUNNING,
        attempt=attempt + 1,
        worker=worker[:200],
        lease_until=now + timedelta(seconds=lease_seconds),
        started_at=now,
        progress=0,
        retry_at=None,
    )
    return Claim(match_id, attempt + 1, lease_seconds, forgiven) if changed == 1 else None


def renew(claim: Claim, games: int) -> bool:
    """Note that `games` games have been played, and extend the lease. False when the match has been given away."""
    lease_until = timezone.now() + timedelta(seconds=claim.lease_seconds)
    return _of(claim).update(progress=games, lease_until=lease_until) == 1


def release(claim: Claim, error: str) -> bool:
    """Give a match back after a fault of ours: it waits a while and is played again, or is parked after the last
    attempt. False when it had been given away."""
    now = timezone.now()
    counted = claim.attempt - claim.forgiven
    if counted >= settings.MAX_ATTEMPTS:
        changed = _of(claim).update(state=State.PARKED, lease_until=None, error=error, finished_at=now)
    else:
        wait = timedelta(seconds=RETRY_SECONDS * 3 ** (counted - 1))
        changed = _of(claim).update(
            state=State.QUEUED, lease_until=None, error=error, retry_at=now + wait, sent_at=None, progress=0
        )
    logger.warning("match_released", match=claim.match_id, attempt=claim.attempt, error=error)
    return changed == 1


def expire(now: datetime | None = None) -> int:
    """Take matches from workers that made no progress for the length of their lease. Returns how many."""
    now = now or timezone.now()
    lost = Match.objects.filter(state=State.RUNNING, lease_until__lte=now)
    error = "The worker stopped, or made no progress, before the match was finished."
    for match_id, worker, attempt in lost.values_list("pk", "worker", "attempt"):
        logger.warning("lease_expired", match=match_id, attempt=attempt, worker=worker)
    last = F("forgiven") + settings.MAX_ATTEMPTS
    parked = lost.filter(attempt__gte=last).update(state=State.PARKED, lease_until=None, error=error, finished_at=now)
    requeued = lost.filter(attempt__lt=last).update(
        state=State.QUEUED, lease_until=None, error=error, sent_at=None, progress=0
    )
    return parked + requeued


def park(match: Match, reason: str) -> None:
    """Set a waiting match aside, by staff.

    Raises:
        QueueError: it is not waiting.
    """
    changed = Match.objects.filter(pk=match.pk, state=State.QUEUED).update(
        state=State.PARKED, error=reason, finished_at=timezone.now()
    )
    if not changed:
        raise QueueError(f"Match {match} is not waiting, so it cannot be set aside.")
    logger.info("match_parked", match=match.pk, reason=reason)


@transaction.atomic
def retry(match: Match) -> None:
    """Give a parked match all its attempts again, by staff. Its decks are new if the old ones have become public.

    Raises:
        QueueError: it is not parked, or its tournament is over.
    """
    tournament = lock(match.tournament_id)
    if tournament.state != Tournament.State.RUNNING:
        raise QueueError(f"“{tournament}” is over, so match {match.number} cannot be played any more.")
    parked = Match.objects.select_related("secret", "tournament").filter(pk=match.pk, state=State.PARKED).first()
    if parked is None:
        raise QueueError(f"Match {match} has not been set aside, so it need not be tried again.")
    logger.info("match_retried", match=match.pk)
    Match.objects.filter(pk=match.pk, state=State.PARKED).update(
        state=State.QUEUED,
        secret=fairness.renew(parked),
        forgiven=F("attempt"),
        progress=0,
        retry_at=None,
        sent_at=None,
        started_at=None,
        finished_at=None,
    )


def take_due(limit: int | None = None) -> list[int]:
    """The matches to announce now, in the order of the queue, each marked as announced.

    Announcing a whole plan of 100,000 matches would fix their order and fill the broker. So only as many are kept
    announced as are played in half the time after which an announcement is repeated, which is known from the matches
    of the last minute. A match that nobody took by then is announced again.
    """
    now = timezone.now()
    repeat = timedelta(seconds=settings.RESEND_SECONDS)
    # Matches that may not begin: paused, or not yet planned to the end. By their tournaments, which are few.
    held = list(Tournament.objects.filter(Q(paused_at__isnull=False) | Q(planning=True)).values_list("pk", flat=True))
    waiting = Match.objects.filter(state=State.QUEUED).exclude(tournament__in=held)
    finished = Match.objects.filter(state=State.FINISHED, finished_at__gt=now - repeat).count()
    wanted = min(max(finished // 2, ANNOUNCED_AT_LEAST), ANNOUNCED_AT_MOST)
    room = wanted - waiting.filter(sent_at__gt=now - repeat).count()
    if limit is not None:
        room = min(room, limit)
    if room <= 0:
        return []
    due = (Q(sent_at=None) | Q(sent_at__lte=now - repeat)) & (Q(retry_at=None) | Q(retry_at__lte=now))
    with transaction.atomic():
        # Whatever somebody else is just changing is passed over, and is looked at by the next sweep.
        rows = waiting.filter(due).order_by("-priority", "id").select_for_update(skip_locked=True, no_key=True)
        found = list(rows.values_list("id", flat=True)[:room])
        waiting.filter(pk__in=found).update(sent_at=now)
    return found


def forget_announcement(match_ids: Sequence[int]) -> None:
    """Note that matches were not announced after all, since the broker could not be reached: the next sweep tries."""
    Match.objects.filter(pk__in=match_ids, state=State.QUEUED).update(sent_at=None)


def position(match: Match) -> int:
    """How many matches of all tournaments are played before it."""
    ahead = Q(priority__gt=match.priority) | Q(priority=match.priority, id__lt=match.pk)
    return Match.objects.filter(ahead, state=State.QUEUED).count()


def cancel_waiting(entry: Entry) -> int:
    """What an entry is not playing just now it will not play. Returns how many matches that were."""
    waiting = Match.objects.filter(state__in=[State.QUEUED, State.PARKED])
    ids = list(waiting.filter(seats__entry=entry).values_list("id", flat=True))
    return waiting.filter(pk__in=ids).update(state=State.CANCELLED, finished_at=timezone.now(), retry_at=None)


def cancel_all(tournament: Tournament) -> int:
    """Nothing more is played of a tournament. What is being played ends without a result: its worker finds out with its
    next sign of progress. One UPDATE, so that nothing slips from one state to another between two. Returns how many."""
    unfinished = [State.QUEUED, State.RUNNING, State.PARKED]
    return Match.objects.filter(tournament=tournament, state__in=unfinished).update(
        state=State.CANCELLED, lease_until=None, finished_at=timezone.now(), retry_at=None
    )


def _of(claim: Claim) -> QuerySet[Match]:
    return Match.objects.filter(pk=claim.match_id, state=State.RUNNING, attempt=claim.attempt)
