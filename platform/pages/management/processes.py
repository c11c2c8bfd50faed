"""The processes that make up a running site, as children of one command: for the demo and for tests of the whole.

They write to a log file each, end when their parent ends (however it ends), and none is left behind. In production a
service manager does this instead.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from django.conf import settings

STOP_SECONDS = 5.0
"""How long a process may take to end by itself before it is killed, in seconds."""

START_SECONDS = 60.0
"""How long the site may take until it answers its first request, in seconds."""

POLL_SECONDS = 0.1
TAIL_LINES = 15
QUEUES = ("upkeep", "checks", "matches")
"""The kinds of work, as `config.settings` names them. A match may take minutes: where there are many, what is quick
gets a worker of its own."""

PR_SET_PDEATHSIG = 1  # from <linux/prctl.h>


class ProcessError(Exception):
    """A process of the site ended, or never came up; the message says which, and shows the end of its log."""


class Processes:
    """Child processes with a log file each. Use it as a context manager: leaving it stops them all."""

    def __init__(self, logs: Path, environment: Mapping[str, str]) -> None:
        """Args:
        logs: folder for the log files; made if missing. A file holds the last run only.
        environment: variables that the children get beside those of this process.
        """
        self._logs = logs
        self._environment = {**os.environ, "PYTHONPATH": os.pathsep.join(source_roots()), **environment}
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        logs.mkdir(parents=True, exist_ok=True)

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start `python -m ARGUMENTS` under a name, in a group of its own: Ctrl-C reaches us alone, and we stop it."""
        with (self._logs / f"{name}.log").open("wb") as log:
            child = subprocess.Popen(
                [sys.executable, "-m", *arguments],
                cwd=settings.BASE_DIR,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_end_with_parent(),
            )
        self._children[name] = child
        return child

    def start_site(self, port: int) -> None:
        """Start the web server on the loopback interface and wait until it answers.

        Raises:
            ProcessError: it does not come up.
        """
        self.start("site", *site_arguments(port))
        self.wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), "The site", START_SECONDS)

    def start_worker(
        self, concurrency: int, name: str = "worker", queues: Sequence[str] = QUEUES
    ) -> subprocess.Popen[bytes]:
        """Start a worker that does `concurrency` things of its queues at a time."""
        return self.start(name, *worker_arguments(concurrency, name, queues))

    def start_beat(self) -> subprocess.Popen[bytes]:
        """Start the clock that tells the workers to sweep."""
        return self.start("beat", *beat_arguments())

    def check(self) -> None:
        """Raises:
        ProcessError: one of the processes is no longer running.
        """
        for name, child in self._children.items():
            if child.poll() is not None:
                raise ProcessError(f"The {name} ended with status {child.returncode}.\n{self.tail(name)}")

    def wait_until(self, condition: Callable[[], bool], what: str, seconds: float) -> None:
        """Wait for a condition while all processes run.

        Raises:
            ProcessError: a process ended, or the time is over.
        """
        deadline = time.monotonic() + seconds
        while not condition():
            self.check()
            if time.monotonic() > deadline:
                raise ProcessError(f"{what} did not come up within {seconds:.0f} seconds.\n{self.tails()}")
            time.sleep(POLL_SECONDS)

    def tail(self, name: str) -> str:
        """The last lines of a process's log, with the path of the file."""
        path = self._logs / f"{name}.log"
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[-TAIL_LINES:]
        return "\n".join([f"The end of {path}:", *(f"    {line}" for line in lines)])

    def tails(self) -> str:
        """The last lines of every process's log."""
        return "\n".join(self.tail(name) for name in self._children)

    def stop(self) -> None:
        """Ask every process to end, last started first, and kill what does not. Harmless when repeated."""
        for child in reversed(self._children.values()):
            if child.poll() is None:
                child.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for child in self._children.values():
            with contextlib.suppress(subprocess.TimeoutExpired):  # then it is killed with its group
                child.wait(max(0.0, deadline - time.monotonic()))
            kill_group(child)
            child.wait()
        self._children.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def site_arguments(port: int) -> list[str]:
    """What runs the web server after `python -m`."""
    options = ["--worker-class", "asgi", "--bind", f"127.0.0.1:{port}", "--no-control-socket"]
    return ["gunicorn", "config.asgi:application", *options]


def worker_arguments(concurrency: int, name: str, queues: Sequence[str]) -> list[str]:
    """What runs a worker after `python -m`. Workers need not talk to each other: the database is the queue."""
    options = ["--concurrency", str(concurrency), "--hostname", f"{name}@%h", "--queues", ",".join(queues)]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return ["celery", "--app", "config.celery", "worker", *options, *quiet]


def beat_arguments() -> list[str]:
    """What runs the clock after `python -m`. No pid file: one of a killed process would stop the next."""
    return ["celery", "--app", "config.celery", "beat", "--pidfile="]


def source_roots() -> list[str]:
    """What PYTHONPATH needs so that the packages of the house are found."""
    return [str(settings.BASE_DIR / "platform"), str(settings.BASE_DIR)]


def answers(url: str) -> bool:
    """Does a server answer this address with success?"""
    try:
        with urllib.request.urlopen(url, timeout=5) as response:  # noqa: S310 - our own http address
            return bool(response.status == 200)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """Kill what is left of a child and of its own children."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # nothing is left


def _end_with_parent() -> Callable[[], None] | None:
    """What a child does before its program starts: ask the kernel to end it when its parent ends. Linux only."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)  # loaded here: between fork and exec as little as possible
    return lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
