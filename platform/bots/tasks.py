"""What workers do for bots. Each task calls one function."""

import os
from typing import Any

from celery import shared_task

from bots import checks


@shared_task(bind=True)
def check_version(self: Any, version_id: int) -> None:
    """Check a version, unless somebody else does or did."""
    checks.run(version_id, f"{self.request.hostname}/{os.getpid()}")
