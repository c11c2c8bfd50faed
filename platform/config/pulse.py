"""A worker's pulse: a file that it touches while it takes tasks. For a check of health that costs next to nothing.

To ask a worker over the broker means to start Python and to import the site, two seconds of a processor each time.
"""

from pathlib import Path
from typing import Any

from celery import bootsteps
from django.conf import settings

SECONDS = 5.0
"""How often the file is touched. One that is half a minute old belongs to a worker that hangs, or has no broker."""


class Pulse(bootsteps.StartStopStep):
    """A step of the consumer, so that the pulse stops where the broker is lost, and goes on with it."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self.timer: Any = None

    def start(self, parent: Any) -> None:
        """Begin, if a file is set."""
        if settings.PULSE_FILE:
            file = Path(settings.PULSE_FILE)
            file.touch()
            self.timer = parent.timer.call_repeatedly(SECONDS, file.touch)

    def stop(self, parent: Any) -> None:  # noqa: ARG002 - what a step is told
        """No tasks are taken any more."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
