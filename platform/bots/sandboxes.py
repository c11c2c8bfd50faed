"""The sandboxes of this process: one pool that checks and matches share, made when it is first needed.

A worker process plays one match at a time, so one pool a process is what it needs. A fork never inherits it.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import structlog
from billiard.process import current_process
from django.conf import settings

from arena.referee import BOT_SIDE
from sandbox import Backend, Limits, Pool, Sandbox, SandboxError, engine_answers, open_backend
from sandbox.state import engine_state

logger = structlog.get_logger(__name__)

PROBE_SECONDS = 30.0
"""How long the site believes what it last found out about the engine, in seconds."""


@dataclass
class _Process:
    """What one process has open."""

    pid: int
    backend: Backend | None = None
    pool: Pool | None = None
    in_doubt: bool = False


class PinnedPool(Pool):
    """A pool whose sandboxes all run on one CPU: bots of one match take turns there, and disturb no other match."""

    def __init__(self, backend: Backend, size: int, slot: int | None) -> None:
        super().__init__(backend, size)
        self.slot = slot

    def get(self, key: Hashable, files: Mapping[str, bytes], *, limits: Limits, **options: Any) -> Sandbox:
        """As `Pool.get`, pinned; and noted, so that a match leads to its containers in the log, and back."""
        misses = self.misses
        sandbox = super().get(key, files, limits=replace(limits, cpu_slot=self.slot), **options)
        logger.info("sandbox_taken", place=sandbox.place, file=_file_of(key), warm=self.misses == misses)
        return sandbox


def _file_of(key: Hashable) -> str:
    """The beginning of the digest of a bot's file, which keys begin with."""
    return str(key[0] if isinstance(key, tuple) else key)[:12]


def cpu_slot() -> int | None:
    """The CPU of this process among those of its worker, so that neighbours have different ones; None elsewhere."""
    index: int | None = getattr(current_process(), "index", None)
    cpus = sorted(os.sched_getaffinity(0))
    return None if index is None else cpus[index % len(cpus)]


_lock = threading.RLock()
_own = _Process(os.getpid())
_walled: tuple[float, bool] | None = None


def _process() -> _Process:
    global _own
    if _own.pid != os.getpid():
        _own = _Process(os.getpid())
    return _own


def _options() -> dict[str, Any]:
    options: dict[str, Any] = {}
    if settings.SANDBOX_RUNTIME and settings.SANDBOX != "process":
        options["runtime"] = settings.SANDBOX_RUNTIME
    if settings.SANDBOX_BOXES:
        options["boxes"] = Path(settings.SANDBOX_BOXES)
    return options


def backend() -> Backend:
    """What the bots of this process run in, as the settings say.

    Raises:
        SandboxError: it cannot be used; the text says what to do.
    """
    with _lock:
        own = _process()
        if own.backend is None:
            own.backend = open_backend(settings.SANDBOX, **_options())
        return own.backend


def pool() -> Pool:
    """The pool of this process.

    Raises:
        SandboxError: the backend cannot be used; the text says what to do.
    """
    with _lock:
        own = _process()
        if own.pool is None:
            own.pool = PinnedPool(backend(), settings.SANDBOX_POOL, cpu_slot())
        return own.pool


def close() -> None:
    """Close everything that this process has open; it may be opened again."""
    global _own
    with _lock:
        own, _own = _process(), _Process(os.getpid())
        if own.pool is not None:
            own.pool.close()
        elif own.backend is not None:
            own.backend.close()


def reap() -> None:
    """Remove what workers that died left behind, before this process has children."""
    try:
        _remove_leftovers()
    finally:
        # Children that are forked next shall not inherit a connection to the engine.
        close()


def _remove_leftovers() -> None:
    """What cannot be removed now, because the engine does not answer say, is left to the next one who looks."""
    try:
        removed = backend().reap()
    except SandboxError as error:
        logger.warning("leftovers_not_removed", reason=str(error))
    else:
        logger.info("leftovers_removed", count=len(removed))


def host_state() -> dict[str, Any]:
    """What the operations page shows of a worker's host: its disk, in bytes, and what its bots would run in."""
    disk = shutil.disk_usage(settings.SANDBOX_BOXES or settings.DATA_DIR)
    state: dict[str, Any] = {"disk_free": disk.free, "disk_total": disk.total, "sandbox": settings.SANDBOX}
    if settings.SANDBOX != "process":
        state |= asdict(engine_state())
    return state


def alarm(error: SandboxError) -> None:
    """Tell whoever watches the log that a match or check failed by our fault, and doubt the sandboxes of this process.

    The operations page lists the fault as long as what it hit has not ended well, and the metrics count it.
    """
    logger.error("infrastructure", reason=str(error), sandbox=settings.SANDBOX)
    doubt()


def doubt() -> None:
    """Note that a sandbox failed by our fault: the next task tries one before it begins anything."""
    _process().in_doubt = True


def are_usable() -> bool:
    """Whether a match may be begun here. Looks only after a fault: then it has an empty sandbox come up.

    A match that is begun while the engine is down costs one of its attempts. So does each of a thousand matches behind
    it, and all would be set aside within seconds. Whatever failed may have left something half removed, so once all is
    well again this host is tidied up.
    """
    if not _process().in_doubt:
        return True
    try:
        backend().open({}, module=BOT_SIDE, limits=Limits()).close()
    except SandboxError as error:
        logger.warning("sandboxes_unusable", reason=str(error))
        close()
        doubt()
        return False
    _process().in_doubt = False
    _remove_leftovers()
    return True


def are_walled() -> bool:
    """Whether bots run in containers, for the banner. Asked by each page, so the answer is kept for half a minute."""
    global _walled
    if settings.SANDBOX != "auto":
        return bool(settings.SANDBOX == "docker")
    now = time.monotonic()
    if _walled is None or _walled[0] < now:
        _walled = (now + PROBE_SECONDS, engine_answers())
    return _walled[1]
