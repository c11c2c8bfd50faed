"""A whole site in processes of its own: web server, workers, clock, on a fresh database. For tests of the whole way."""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from pages.management.processes import Processes, source_roots

ROOT = Path(__file__).resolve().parents[1]


class ManagementError(Exception):
    """A management command of the site failed; the message is what it wrote."""


class RunningSite:
    """Use it as a context manager. `url` is its address; `processes` are its processes, to be started one by one."""

    def __init__(self, folder: Path, **environment: str) -> None:
        """Args:
        folder: an empty folder for the site's data and logs.
        environment: variables of the site beside these: DATABASE_URL, CELERY_BROKER_URL, SANDBOX ...
        """
        self.environment: Mapping[str, str] = {"DATA_DIR": str(folder), "SANDBOX": "process", **environment}
        self.processes = Processes(folder / "log", self.environment)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.manage("migrate", "--noinput")

    def start(self) -> Self:
        """Start one of everything: the server, a worker, the clock."""
        self.processes.start_worker(concurrency=1)
        self.processes.start_beat()
        self.processes.start_site(self.port)
        self.processes.check()
        return self

    def manage(self, *arguments: str, stdin: str | None = None) -> str:
        """Run a management command beside the site, and return what it printed.

        Raises:
            ManagementError: it failed.
        """
        return self.run("manage.py", *arguments, stdin=stdin)

    def run(self, *arguments: str, stdin: str | None = None) -> str:
        """Run `python ARGUMENTS` beside the site, and return what it printed.

        Raises:
            ManagementError: it failed.
        """
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(source_roots()), **self.environment},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode:
            raise ManagementError(f"{' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.processes.stop()


def free_port() -> int:
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
