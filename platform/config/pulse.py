"""The pulse of a worker and of the clock: a file that they touch while they work. For a check of health at no cost.

To ask a worker over the broker means to start Python and to import the site, two seconds of a processor each time.
"""

from pathlib import Path
from typing import Any

from celery import bootsteps
from celery.beat import Scheduler
from django.conf import settings

SECONDS = 5.0
"""How often the file is touched. One that is half a minute old belongs to a worker that hangs, or has no broker."""


def beat() -> None:
    """Touch the file, if one is set."""
    if settings.PULSE_FILE:
        Path(settings.PULSE_FILE).touch()


class Pulse(bootsteps.StartStopStep):
    """A step of the consumer, so that the pulse stops where the broker is lost, and goes on with it."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self.timer: Any = None

    def start(self, parent: Any) -> None:
        """Begin."""
        beat()
        self.timer = parent.timer.call_repeatedly(SECONDS, beat)

    def stop(self, parent: Any) -> None:  # noqa: ARG002 - what a step is told
        """No tasks are taken any more."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Clock(Scheduler):
    """Celery's clock without a file of its own. Its pulse is what it has really sent to the broker."""

    def apply_async(self, *arguments: Any, **options: Any) -> Any:
        """Send a task that is due.

        Raises:
            SchedulingError: the broker did not take it.
        """
        result = super().apply_async(*arguments, **options)
        beat()
        return result
