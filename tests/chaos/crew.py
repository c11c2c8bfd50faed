"""The site's own processes: workers that can be killed one by one, the clerk, the clock."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from pages.management.processes import Processes, beat_arguments, kill_group, worker_arguments

CLERK, BEAT = "clerk", "beat"
START_SECONDS = 60.0
END_SECONDS = 90.0
"""How long a worker may take to finish its match and to close its sandboxes."""


class Crew:
    """Processes by name. Each start of one has a log file of its own."""

    def __init__(self, folder: Path, environment: Mapping[str, str], workers: int) -> None:
        self._folder = folder / "log"
        self._processes = Processes(self._folder, environment)
        self._starts: dict[str, int] = {}
        self._now: dict[str, subprocess.Popen[bytes]] = {}
        self.frozen: set[str] = set()
        self.workers = [f"worker-{number}" for number in range(1, workers + 1)]

        self.names = [*self.workers, CLERK, BEAT]

    def start_all(self) -> None:
        """One of each."""
        for name in self.names:
            self.start(name)

    def start(self, name: str) -> None:
        """Start a process of that name, unless it runs."""
        if self.runs(name):
            return
        arguments = beat_arguments()
        if name != BEAT:
            queues = ("upkeep", "checks") if name == CLERK else ("matches",)
            arguments = worker_arguments(1, name, queues)
        self._starts[name] = self._starts.get(name, 0) + 1
        self._now[name] = self._processes.start(f"{name}.{self._starts[name]}", *arguments)

    def runs(self, name: str) -> bool:
        """Whether it is there, frozen or not."""
        return name in self._now and self._now[name].poll() is None

    def pid(self, name: str) -> int:
        """The number of its first process, which leads its group."""
        return self._now[name].pid

    def kill(self, name: str) -> None:
        """SIGKILL for a process and all that it started."""
        kill_group(self._now[name])
        self._now[name].wait()
        self.frozen.discard(name)

    def kill_parent(self, name: str) -> None:
        """SIGKILL for the first process alone: those that it started are left without it."""
        self._now[name].kill()
        self._now[name].wait()

    def freeze(self, name: str) -> None:
        """Stop the whole group as a suspended machine does."""
        self.frozen.add(name)
        os.killpg(self.pid(name), signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        """Let it go on where it was."""
        if name in self.frozen:
            self.frozen.discard(name)
            os.killpg(self.pid(name), signal.SIGCONT)

    def wait_until_ready(self, name: str) -> None:
        """Until a worker takes tasks, which it says in its log.

        Raises:
            TimeoutError: it ended, or did not within a minute.
        """
        log = self._folder / f"{name}.{self._starts[name]}.log"
        deadline = time.monotonic() + START_SECONDS
        while "ready." not in log.read_text(errors="replace"):
            if not self.runs(name) or time.monotonic() > deadline:
                raise TimeoutError(f"{name} did not come up.\n{log.read_text(errors='replace')}")
            time.sleep(0.1)

    def end(self, name: str) -> int:
        """Ask one to end as an operator does, and wait for it. Returns its status."""
        self._now[name].send_signal(signal.SIGTERM)
        return self._now[name].wait(END_SECONDS)

    def stop(self) -> None:
        """Ask all to end, and kill what does not at once."""
        for name in list(self.frozen):
            self.thaw(name)
        self._processes.stop()

    def logs(self) -> str:
        """The end of every log, for whoever looks for the cause of a failure."""
        return self._processes.tails()
