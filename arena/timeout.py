"""Ends what takes too long in this very process, and tells where it was. For an author's commands, not for matches."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimedOut(BaseException):
    """The time is over; the traceback says where it ran out."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises `TimedOut` within the block when it takes longer. In the main thread of a Unix process only."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimedOut

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
