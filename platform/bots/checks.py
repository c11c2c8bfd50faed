"""The check of a version: found by its identifier, claimed, run in the sandbox, its report stored.

    checking -> checking       claim (one UPDATE that must change exactly one row), renew, release after a fault of ours
    checking -> ready, rejected     the report decides
    checking -> parked         a fault of ours in the last attempt, or the last lease ran out
    parked -> checking         retry, by staff

The version that was ready before goes on playing until the new one is. A check that hangs holds one worker process, for
at most `TIME_LIMIT`, and no other upload.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

import structlog
from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from arena.check import CheckReport, check
from bots import sandboxes, uploads
from bots.announce import announce as send
from bots.models import BotVersion
from sandbox import SandboxError

logger = structlog.get_logger(__name__)

State = BotVersion.State

TASK = "bots.tasks.check_version"
TIME_LIMIT = 600
"""Longest that a check may take, in seconds; its clocks end it long before, whatever the bot does."""
LEASE_SECONDS = 90.0
"""How long it may go without progress: the start of a game and one decision take less, whatever the bot does."""
RETRY_SECONDS = 10.0
"""How long a version waits after its first failed attempt; three times as long after each further one."""


class LeaseLostError(Exception):
    """The work has been given to somebody else, who will finish it."""


@dataclass(frozen=True)
class Claim:
    """The right to check a version: valid while its attempt is this one."""

    version_id: int
    attempt: int
    forgiven: int = 0
    """How many of the attempts do not count."""


def announce(ids: Iterable[int]) -> None:
    """Have workers look at versions that wait for their check."""
    ids = list(ids)
    if send(TASK, ids, TIME_LIMIT):
        BotVersion.objects.filter(pk__in=ids, state=State.CHECKING).update(sent_at=timezone.now())


def run(version_id: int, worker: str) -> bool:
    """Check a version, if it is to be had. True when this call stored its report.

    Raises:
        Exception: whatever goes wrong on our side beside the sandbox; the version waits for its next attempt.
    """
    if not sandboxes.are_usable():
        return False
    claim = _claim(version_id, worker)
    if claim is None:
        return False
    version = BotVersion.objects.get(pk=version_id)

    def on_progress(done: int, total: int) -> None:
        if not _renew(claim, done, total):
            raise LeaseLostError

    try:
        report = check(uploads.load(version), sandboxes.pool(), on_progress=on_progress)
    except LeaseLostError:
        logger.warning("check_given_away", version=version_id)
        return False
    except SandboxError as error:
        sandboxes.alarm(error)
        _release(claim, str(error))
        return False
    except Exception as error:
        _release(claim, f"{type(error).__name__}: {error}")
        raise
    return _finish(claim, report)


def retry(versions: QuerySet[BotVersion]) -> int:
    """Give parked versions all their attempts again. Returns how many there were."""
    ids = list(versions.filter(state=State.PARKED).values_list("pk", flat=True))
    changed = BotVersion.objects.filter(pk__in=ids, state=State.PARKED).update(
        state=State.CHECKING, forgiven=F("attempt"), retry_at=None, sent_at=None, checked_at=None
    )
    announce(ids)
    return changed


def sweep() -> None:
    """Park what has had its last attempt, and announce again what nobody took."""
    now = timezone.now()
    expired = Q(lease_until__lte=now)
    waiting = BotVersion.objects.filter(state=State.CHECKING)
    last = F("forgiven") + settings.MAX_ATTEMPTS
    parked = waiting.filter(expired, attempt__gte=last).update(
        state=State.PARKED,
        lease_until=None,
        checked_at=now,
        fault="The worker stopped, or made no progress, before the check was finished.",
    )
    if parked:
        logger.warning("checks_parked", count=parked)
    free = (expired & Q(attempt__lt=last)) | (Q(lease_until=None) & (Q(retry_at=None) | Q(retry_at__lte=now)))
    unheard = Q(sent_at=None) | Q(sent_at__lte=now - timedelta(seconds=settings.RESEND_SECONDS))
    due = waiting.filter(free, unheard, _may_run())
    announce(due.order_by("id").values_list("pk", flat=True)[:100])


def position(version: BotVersion) -> int:
    """How many versions are checked before it."""
    return BotVersion.objects.filter(state=State.CHECKING, lease_until=None, pk__lt=version.pk).count()


def _claim(version_id: int, worker: str) -> Claim | None:
    now = timezone.now()
    free = (Q(lease_until=None) & (Q(retry_at=None) | Q(retry_at__lte=now))) | Q(lease_until__lte=now)
    row = BotVersion.objects.filter(free, pk=version_id, state=State.CHECKING)
    known = row.filter(_may_run()).values_list("attempt", "forgiven", "lease_until").first()
    # One whose last attempt ran out is for the sweep to park.
    if known is None or (known[2] is not None and known[0] - known[1] >= settings.MAX_ATTEMPTS):
        return None
    attempt, forgiven, _lease = known
    changed = row.filter(attempt=attempt).update(
        attempt=attempt + 1,
        worker=worker[:200],
        lease_until=now + timedelta(seconds=LEASE_SECONDS),
        retry_at=None,
        progress=None,
    )
    return Claim(version_id, attempt + 1, forgiven) if changed == 1 else None


def _may_run() -> Q:
    """Nothing of a bot that is suspended is run; its upload waits until that is lifted."""
    return Q(bot__suspended_at=None, bot__owner__suspended_at=None)


def _renew(claim: Claim, done: int, total: int) -> bool:
    lease_until = timezone.now() + timedelta(seconds=LEASE_SECONDS)
    return _of(claim).update(progress={"done": done, "total": total}, lease_until=lease_until) == 1


def _release(claim: Claim, fault: str) -> bool:
    now = timezone.now()
    logger.warning("check_released", version=claim.version_id, attempt=claim.attempt, fault=fault)
    counted = claim.attempt - claim.forgiven
    if counted >= settings.MAX_ATTEMPTS:
        changed = _of(claim).update(state=State.PARKED, lease_until=None, fault=fault, checked_at=now)
    else:
        wait = timedelta(seconds=RETRY_SECONDS * 3 ** (counted - 1))
        changed = _of(claim).update(lease_until=None, fault=fault, retry_at=now + wait, sent_at=None, progress=None)
    return changed == 1


def _finish(claim: Claim, report: CheckReport) -> bool:
    changed = _of(claim).update(
        state=State.READY if report.ok else State.REJECTED,
        report=uploads.storable(report.to_json()),
        lease_until=None,
        fault="",
        checked_at=timezone.now(),
    )
    logger.info("version_checked", version=claim.version_id, ok=report.ok, reason=report.reason)
    return changed == 1


def _of(claim: Claim) -> QuerySet[BotVersion]:
    return BotVersion.objects.filter(pk=claim.version_id, state=State.CHECKING, attempt=claim.attempt)
