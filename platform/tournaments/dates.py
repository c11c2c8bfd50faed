"""What happens to a tournament by the clock. The sweep calls it; twice at the same moment is as good as once.

Entries open and close by themselves without anybody's doing: `entering` compares the clock with the dates. A start is
more, since it fixes entries and plan; so it is done here, once. Where too few bots have entered by then the start is
missed, for the organiser to see: he starts the tournament when he has what he needs, or chooses another date.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.utils import timezone

from tournaments import lifecycle
from tournaments.models import Tournament

logger = structlog.get_logger(__name__)


def start_due(now: datetime | None = None) -> int:
    """Start the tournaments whose date has come. Returns how many were started."""
    now = now or timezone.now()
    due = Tournament.objects.filter(state=Tournament.State.OPEN, starts_at__lte=now, start_missed_at=None)
    started = 0
    for tournament in due.order_by("starts_at", "pk"):
        try:
            lifecycle.start(tournament)
        except lifecycle.LifecycleError as error:
            # If it is only that another sweep was quicker, it is not open any more, and nothing is noted.
            missed = Tournament.objects.filter(pk=tournament.pk, state=Tournament.State.OPEN)
            if missed.update(start_missed_at=now):
                logger.warning("start_missed", tournament=tournament.slug, reason=str(error))
        else:
            started += 1
    return started
