"""What is kept for a time only: what bots printed, and, if the operator wants that, the moves of old games.

The sweep calls it every few seconds; each call deletes one small batch at most, so that nobody ever waits for it.
Results, ratings and the reasons of failures are kept for ever.
"""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.conf import settings
from django.utils import timezone

from tournaments.models import Game, GameLog
from tournaments.records import DROPPED
from upkeep import marks

logger = structlog.get_logger(__name__)

BATCH = 500
"""Rows of one call: some milliseconds of the database."""
RECORDS_MARK = "records dropped"


def prune() -> None:
    """Delete the next batch of what has been kept for long enough."""
    drop_logs(settings.KEEP_LOGS_DAYS)
    drop_records(settings.KEEP_RECORDS_DAYS)


def drop_logs(days: int) -> int:
    """Delete the oldest logs of games, as far as they are older than so many days; 0 keeps all. Returns how many.

    Logs are written in the order of their keys, so the oldest are found without looking at the others.
    """
    if not days:
        return 0
    limit = timezone.now() - timedelta(days=days)
    rows = GameLog.objects.order_by("pk").values_list("pk", "game__created_at")
    if not (first := rows.first()) or first[1] >= limit:
        return 0
    old = [pk for pk, created_at in rows[:BATCH] if created_at < limit]
    GameLog.objects.filter(pk__in=old).delete()
    logger.info("logs_dropped", count=len(old))
    return len(old)


def drop_records(days: int) -> int:
    """Delete the moves of the oldest games, as far as they are older than so many days; 0 keeps all. Returns how many.

    A mark tells how far this has come, for the rows stay: their results do.
    """
    if not days:
        return 0
    limit = timezone.now() - timedelta(days=days)
    rows = Game.objects.filter(pk__gt=marks.get(RECORDS_MARK)).order_by("pk").values_list("pk", "created_at")
    old = []
    for pk, created_at in rows[:BATCH] if (first := rows.first()) and first[1] < limit else ():
        if created_at >= limit:
            break
        old.append(pk)
    if old:
        Game.objects.filter(pk__in=old).update(record=DROPPED)
        marks.put(RECORDS_MARK, old[-1])
        logger.info("records_dropped", count=len(old))
    return len(old)
