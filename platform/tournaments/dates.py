"""What happens to a tournament by the clock. The sweep calls it; twice at the same moment is as good as once.

Entries open and close by themselves without anybody's doing: `entering` compares the clock with the dates. A start is
more, since it fixes entries and plan; so it is done here, once. Where too few bots have entered by then the start is
missed, for the organiser to see: he starts the tournament when he has what he needs, or chooses another date.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tournaments import lifecycle
from tournaments.locks import lock
from tournaments.models import Tournament

logger = structlog.get_logger(__name__)


def start_due(now: datetime | None = None) -> int:
    """Start the tournaments whose date has come. Returns how many were started."""
    now = now or timezone.now()
    due = _due(now).order_by("starts_at", "pk")
    return sum(_start(tournament_id, now) for tournament_id in list(due.values_list("pk", flat=True)))


def _due(now: datetime) -> QuerySet[Tournament]:
    return Tournament.objects.filter(state=Tournament.State.OPEN, starts_at__lte=now, start_missed_at=None)


@transaction.atomic
def _start(tournament_id: int, now: datetime) -> bool:
    tournament = lock(tournament_id)
    if not _due(now).filter(pk=tournament_id).exists():
        # Another sweep was quicker, or its organiser has chosen another date.
        return False
    try:
        lifecycle.start(tournament)
    except lifecycle.LifecycleError as error:
        Tournament.objects.filter(pk=tournament_id).update(start_missed_at=now)
        logger.warning("start_missed", tournament=tournament.slug, reason=str(error))
        return False
    return True
