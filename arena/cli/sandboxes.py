"""Where bots run on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

import sandbox


class BackendName(StrEnum):
    """The value of ``--backend``."""

    AUTO = "auto"
    DOCKER = "docker"
    PROCESS = "process"


@contextmanager
def open_pool(backend: BackendName, size: int) -> Iterator[sandbox.Pool]:
    """A pool for ``size`` bots at a time, closed at the end. Raises :class:`sandbox.SandboxError`."""
    pool = sandbox.Pool(sandbox.open_backend(backend.value), size)
    try:
        yield pool
    finally:
        pool.close()
