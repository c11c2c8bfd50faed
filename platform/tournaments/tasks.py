"""What workers do for tournaments. Each task calls one function."""

import os
from typing import Any

from celery import shared_task

from tournaments import play
from tournaments import sweep as sweeping


@shared_task(bind=True)
def play_match(self: Any, match_id: int) -> None:
    """Play a match, unless somebody else does or did."""
    play.play_match(match_id, f"{self.request.hostname}/{os.getpid()}")


@shared_task
def sweep() -> None:
    """Find what is to be done."""
    sweeping.sweep()
