"""The servers that a site stands on, each of its own, so that they can be stopped, killed and started anew."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.running import free_port

START_SECONDS = 60.0
LOOPBACK = "127.0.0.1"


class ServerError(Exception):
    """A server did not come up or did not end; the message says which, and what it logged last."""


class Server:
    """A process with a log file that answers after a while. In a session of its own: what it starts ends with it."""

    name = "server"

    def __init__(self, folder: Path) -> None:
        self.folder = folder / self.name
        self.folder.mkdir()
        self.log = folder / "log" / f"{self.name}.log"
        self.log.parent.mkdir(exist_ok=True)
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> Sequence[str]:
        """What starts it."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Whether it does what it is there for."""
        raise NotImplementedError

    @property
    def runs(self) -> bool:
        """Whether its process is there."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            ServerError: it does not.
        """
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self._wait(self.answers, "answer")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it with a signal, and wait until it is gone. Harmless when repeated."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(how)
        try:
            self._process.wait(START_SECONDS)
        except subprocess.TimeoutExpired as error:
            self._process.kill()
            raise ServerError(f"{self.name} did not end.\n{self._tail()}") from error

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not condition():
            if not self.runs or time.monotonic() > deadline:
                raise ServerError(f"{self.name} did not {what}.\n{self._tail()}")
            time.sleep(0.05)

    def _tail(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])


class Postgres(Server):
    """A PostgreSQL cluster. What is committed survives the death of its processes, though not that of the machine."""

    name = "postgres"

    def __init__(self, folder: Path, host: str = LOOPBACK) -> None:
        super().__init__(folder)
        self.host, self.port = host, free_port()
        self.url = f"postgresql://postgres@{host}:{self.port}/postgres"
        self._bin = max(Path("/usr/lib/postgresql").glob("*/bin"))
        self._as: list[str] = []
        if os.geteuid() == 0:  # which the server refuses to run as
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self._as = ["runuser", "-u", "postgres", "--"]
        self._data = self.folder / "data"
        options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        subprocess.run(
            [*self._as, str(self._bin / "initdb"), f"--pgdata={self._data}", *options],
            check=True,
            capture_output=True,
            cwd=self.folder,
        )
        if host != LOOPBACK:
            with (self._data / "pg_hba.conf").open("a") as rules:
                rules.write("host all all samenet trust\n")

    def command(self) -> Sequence[str]:
        settings = {
            "listen_addresses": self.host,
            "port": self.port,
            "unix_socket_directories": "",
            "max_connections": 100,
            "fsync": "off",  # the machine does not die, and its disk is shared
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [*self._as, str(self._bin / "postgres"), "-D", str(self._data), *options]

    def answers(self) -> bool:
        ready = [str(self._bin / "pg_isready"), f"--host={self.host}", f"--port={self.port}", "--username=postgres"]
        return subprocess.run(ready, capture_output=True, check=False).returncode == 0

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: transactions are rolled back. SIGQUIT: as if it had crashed."""
        if self.runs:
            # `runuser` passes on some signals only, so the server itself is told, and `runuser` ends with it.
            os.kill(int((self._data / "postmaster.pid").read_text().split()[0]), how)
        super().stop(signal.SIGCONT)


class Broker(Server):
    """A Redis that keeps nothing: when it ends, all that it held is lost."""

    name = "broker"

    def __init__(self, folder: Path, host: str = LOOPBACK) -> None:
        super().__init__(folder)
        self.host, self.port = host, free_port()
        self.url = f"redis://{host}:{self.port}/0"

    def command(self) -> Sequence[str]:
        options = ["--save", "", "--appendonly", "no", "--dir", str(self.folder), "--protected-mode", "no"]
        return ["redis-server", "--bind", self.host, "--port", str(self.port), *options]

    def answers(self) -> bool:
        ping = ["redis-cli", "-h", self.host, "-p", str(self.port), "ping"]
        return subprocess.run(ping, capture_output=True, check=False).stdout.strip() == b"PONG"


class Engine(Server):
    """A Docker engine without networks, beside whatever engine the machine has."""

    name = "engine"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.socket = folder / "docker.sock"
        self.url = f"unix://{self.socket}"

    def command(self) -> Sequence[str]:
        state = self.folder
        return [
            # In a network of its own, because an engine without a bridge removes the machine's `docker0`.
            "unshare",
            "--net",
            "dockerd",
            f"--host={self.url}",
            f"--data-root={state / 'data'}",
            f"--exec-root={state / 'exec'}",
            f"--pidfile={state / 'pid'}",
            "--bridge=none",
            "--iptables=false",
            "--ip-forward=false",
            "--log-level=warn",
        ]

    def answers(self) -> bool:
        return self._docker("version").returncode == 0

    def load(self, image: str) -> None:
        """Carry an image over from the machine's own engine.

        Raises:
            ServerError: it is not there, or does not fit.
        """
        with subprocess.Popen(["docker", "save", image], stdout=subprocess.PIPE) as saving:
            done = subprocess.run(
                ["docker", "--host", self.url, "load"], stdin=saving.stdout, capture_output=True, check=False
            )
        if saving.returncode:
            raise ServerError(f"The machine's engine has no image {image}: `python -m sandbox build` makes it.")
        if done.returncode:
            raise ServerError(f"The image {image} could not be carried over: {done.stderr.decode()}")

    def containers(self) -> list[str]:
        """All containers, running or not, as a line each, with what the engine says went wrong with it.

        Those that it has: after a crash it may list one that it knows nothing of when it is asked, and that has
        neither a process nor a folder (`sandbox.docker`).
        """
        names = self._docker("ps", "--all", "--quiet").stdout.split()
        what = "{{.Id}} {{.State.Status}} {{.State.Error}} {{json .Config.Labels}}"
        found = self._docker("inspect", "--format", what, *names).stdout.splitlines() if names else []
        return [line for line in found if line]

    def remove(self) -> None:
        """Stop it, end what outlived an engine that was killed, and delete all that it stored."""
        self.stop()
        keeper = self.folder / "exec/containerd/containerd.pid"
        if keeper.exists() and _is_named(int(keeper.read_text()), "containerd"):
            os.kill(int(keeper.read_text()), signal.SIGKILL)
        for line in Path("/proc/mounts").read_text().splitlines():
            if (place := line.split()[1]).startswith(str(self.folder)):
                subprocess.run(["umount", "--lazy", place], check=False)
        shutil.rmtree(self.folder)

    def _docker(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["docker", "--host", self.url, *arguments], capture_output=True, text=True, check=False, timeout=60
        )


def _is_named(pid: int, name: str) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip() == name
    except FileNotFoundError:
        return False
