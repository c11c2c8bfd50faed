"""A worker's signs of life: a step in its start that writes to the database each few seconds, busy or idle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import structlog
from celery import bootsteps
from celery.worker.components import Pool, Timer
from django.db import DatabaseError, connections

logger = structlog.get_logger(__name__)

LOOKED_EACH = 15
"""The disk and the engine are looked at with one sign of so many: asking the engine takes a while."""


class SignsOfLife(bootsteps.StartStopStep):
    """Tells the database that this worker runs. By a timer of the worker itself, so that one which hangs gives no sign.

    After the pool, so that its processes are forked before this one has opened a connection.
    """

    requires = (Timer, Pool)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self.timer: Any = None
        self.given = 0

    def start(self, parent: Any) -> None:
        """Give the first sign, and have the others given."""
        from upkeep import signs

        self.sign(parent)
        self.timer = parent.timer.call_repeatedly(signs.SECONDS, self.sign, (parent,))

    def stop(self, parent: Any) -> None:
        """Tell that it was stopped: nobody need look for it."""
        from upkeep import signs

        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
            _write(signs.stop, parent.hostname)

    def sign(self, parent: Any) -> None:
        """Give one sign."""
        from bots import sandboxes
        from upkeep import signs

        host: Mapping[str, Any] | None = sandboxes.host_state() if self.given % LOOKED_EACH == 0 else None
        if self.given == 0 or not _write(signs.give, parent.hostname, host):
            queues = list(parent.app.amqp.queues.consume_from)
            if not _write(signs.start, parent.hostname, queues, parent.concurrency, host or sandboxes.host_state()):
                return
        self.given += 1


def _write(write: Any, *values: Any) -> bool:
    """Write to the database and hang up: a process forked from this one must not inherit a connection."""
    try:
        return write(*values) is not False
    except DatabaseError as error:
        # It may be restarting; the next sign is soon enough.
        logger.warning("sign_not_given", reason=str(error))
        return False
    finally:
        connections.close_all()
