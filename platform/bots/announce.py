"""Telling workers which rows wait. Losing all of it loses nothing: the sweep tells them again."""

from __future__ import annotations

from collections.abc import Iterable

import structlog
from celery import current_app
from kombu.exceptions import OperationalError

logger = structlog.get_logger(__name__)


def announce(task: str, ids: Iterable[int], time_limit: int | None = None) -> bool:
    """Send a task for each row. False when the broker could not be reached, which is logged and no error.

    Args:
        task: its name; its queue is set by the routes in the settings.
        time_limit: after so many seconds the worker process that runs it is killed: for work that hangs where no clock
            of ours can end it.
    """
    try:
        for key in ids:
            current_app.send_task(task, args=(key,), retry=False, time_limit=time_limit)
    except (OperationalError, OSError) as error:
        logger.warning("broker_unreachable", task=task, reason=str(error))
        return False
    return True
