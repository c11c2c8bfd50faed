"""The `process` backend: the same keeper as a plain child of the worker. Walls of paper: for one's own bots."""

import json
import os
import random
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

from sandbox.backend import Backend, Holder, keeper_config
from sandbox.box import Box
from sandbox.errors import SandboxError
from sandbox.finding import Finding
from sandbox.keeper import kernel
from sandbox.limits import Limits
from sandbox.session import Evidence

_STOP_SECONDS = 5.0
_USERS = range(20_000, 60_000)
_START = "import sys; sys.path[:0] = [sys.argv[2]]; from sandbox.keeper.__main__ import run; run()"


class ProcessBackend(Backend):
    """Runs bots as children of this process, with resource limits and a filter of system calls, and no more.

    A bot can read every file that its user can. Where the worker is root, the bot gets a user of its own, if that one
    can reach Python and the box folder.
    """

    name = "process"

    def _prepare(self) -> None:
        pass

    def _launch(self, box: Box, limits: Limits, job: dict[str, Any]) -> Holder:
        path = [str(Path(entry).resolve()) for entry in sys.path if entry and Path(entry).exists()]
        user = random.choice(_USERS) if _needs_user([*path, str(box.path)]) else None  # noqa: S311 - a number, no secret
        config = keeper_config(str(box.path), limits, job, path=path, room=None, user=user, strict=False)
        package = str(Path(__file__).resolve().parent.parent)
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-B", "-X", "utf8", "-c", _START, json.dumps(config), package],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd="/",
                env={},
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxError(f"No process can be started for a sandbox: {error}.") from error
        return _Child(process)

    def check(self) -> list[Finding]:
        """Say plainly what this backend is not."""
        return [
            Finding(
                "walls",
                "weak",
                "The process backend runs bots as processes of this machine: they can read its files.",
                "Run only bots that you trust, or set up Docker and use the docker backend.",
            ),
            Finding("system calls", "good", "Bots can make no process, thread or socket.")
            if kernel.can_filter()
            else Finding(
                "system calls",
                "weak",
                "This machine's system calls are not known to the filter: bots can make sockets.",
                "Use Linux on x86_64 or aarch64.",
            ),
        ]

    def reap(self, *, dry_run: bool = False) -> list[str]:
        """Remove the box folders of dead workers; their processes end by themselves when the worker does."""
        return self._reap_boxes(dry_run)


class _Child(Holder):
    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self.place = f"process {process.pid}"
        self.evidence: Evidence = _NoEvidence()

    def why_ended(self) -> str | None:
        status = self._process.poll()
        return (
            None if status is None else f"The keeper process ended at its start with status {status}; see its output."
        )

    def remove(self) -> None:
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class _NoEvidence:
    """A plain process has no control group of its own: nothing can be told from outside."""

    def begin(self) -> None:
        return

    def out_of_memory(self) -> bool:
        return False

    def figures(self) -> tuple[int | None, float | None]:
        return None, None


def _needs_user(path: list[str]) -> bool:
    """Whether the bot should get a user of its own: this is root, and a stranger could read all of `path`."""
    if os.name != "posix" or os.geteuid() != 0:
        return False
    return all(_open_to_all(Path(entry)) for entry in [*path, os.__file__, sys.executable])


def _open_to_all(path: Path) -> bool:
    mode = path.stat().st_mode
    readable = mode & stat.S_IROTH and (not stat.S_ISDIR(mode) or mode & stat.S_IXOTH)
    return bool(readable) and all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)
