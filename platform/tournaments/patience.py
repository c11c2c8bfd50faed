"""Waiting for what a worker stands on, instead of failing one task after another.

While the database or the engine is away, tasks that fail at once eat up all that the broker holds within seconds. Then
the workers idle until the sweep announces the matches anew; and where only one host has lost its engine, it takes the
matches away from those that could play them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import structlog
from django.db import InterfaceError, OperationalError, connection

logger = structlog.get_logger(__name__)

T = TypeVar("T")
PAUSE_SECONDS = 0.5


def over_an_outage(action: Callable[[], T], seconds: float) -> T:
    """Do something with the database; if that cannot be reached, again over a new connection, for so long.

    The action may have been done although its answer was lost, so it must be one that can be repeated.

    Raises:
        OperationalError, InterfaceError: the database did not come back in time.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            return action()
        except (OperationalError, InterfaceError) as error:
            if connection.in_atomic_block or time.monotonic() > deadline:
                raise
            logger.warning("database_away", reason=str(error))
            connection.close()
            time.sleep(PAUSE_SECONDS)


def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition holds, or comes to hold within so long."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(PAUSE_SECONDS)
    return True
