"""What every backend has in common: sandboxes that start sessions, findings of a check, the reaper."""

import os
import secrets
import select
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sandbox.box import Box, Boxes, default_root
from sandbox.errors import SandboxError
from sandbox.finding import Finding
from sandbox.limits import Limits
from sandbox.link import Link
from sandbox.session import Evidence, Session

_LOOK_SECONDS = 0.25
_LONGEST_GREETING = 100  # a nonce of 32 characters, and a number
_NUMERIC_ENVIRONMENT = "OPENBLAS_"


class Holder(ABC):
    """The running thing around a keeper: a container, or a plain process."""

    evidence: Evidence
    place: str
    """What an operator finds it by: `container 0123456789ab`, `process 4711`."""

    @abstractmethod
    def why_ended(self) -> str | None:
        """A sentence if it is not running (any more), else None."""

    @abstractmethod
    def remove(self) -> None:
        """End it and leave nothing; SandboxError if that cannot be done."""


class Sandbox:
    """A keeper that is up and answering, with one bot's files. Runs one session at a time."""

    def __init__(self, box: Box, holder: Holder, link: Link, limits: Limits, cpu_grain: float) -> None:
        self.limits = limits
        self._cpu_grain = cpu_grain
        self._box = box
        self._holder = holder
        self._link = link
        self._session: Session | None = None
        self._closed = False

    def start(self, timeout: float) -> Session:
        """Start a game in a fresh process, connected before any bot code ran.

        `timeout`: seconds for our own part of it. Raises SandboxError; a bot cannot fail here.
        """
        if self._closed:
            raise SandboxError("The sandbox is closed; open another one.")
        if self.busy:
            raise RuntimeError("The sandbox plays a game already; close that session first.")
        nonce = secrets.token_hex(16)
        deadline = time.monotonic() + timeout
        self._holder.evidence.begin()
        with self._box.listening() as listener:
            self._link.send("start", nonce)
            connection = _accept_game(listener, nonce, deadline, self._link)
        if connection is None:
            self._link.broken = f"A game's process did not connect within {timeout:g} s; is the host overloaded?"
            raise SandboxError(self._link.broken)
        game, own_seconds = connection
        self._session = Session(
            game, self._link, self.limits, self._holder.evidence, own_seconds=own_seconds, cpu_grain=self._cpu_grain
        )
        return self._session

    @property
    def place(self) -> str:
        """What an operator finds it by: `container 0123456789ab`, `process 4711`."""
        return self._holder.place

    @property
    def busy(self) -> bool:
        """Whether a session is open."""
        return self._session is not None and not self._session.closed

    @property
    def alive(self) -> bool:
        """Whether another session can be started here (after the present one)."""
        return not self._closed and (self.busy or (self._link.alive and self._box.is_whole))

    def close(self) -> None:
        """End the keeper and whatever runs, and remove container and box folder. May be called again."""
        if self._closed:
            return
        self._closed = True
        if self._session is not None:
            self._session.abandon()
        self._link.close()
        try:
            self._holder.remove()
        finally:
            self._box.remove()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


class Backend(ABC):
    """Makes sandboxes of one kind. For one process: after a fork, open another one."""

    name: str

    def __init__(self, boxes: Path | None = None) -> None:
        self.boxes_root = default_root() if boxes is None else boxes
        self._boxes: Boxes | None = None
        self._reaped = False

    @property
    def boxes(self) -> Boxes:
        """This worker's box folders."""
        if self._boxes is not None and self._boxes.pid != os.getpid():
            raise SandboxError("The sandbox backend was opened in another process; open one in each process.")
        if self._boxes is None:
            self._boxes = Boxes(self.boxes_root)
        return self._boxes

    def open(
        self,
        files: Mapping[str, bytes],
        *,
        module: str,
        limits: Limits,
        preload: Sequence[str] = (),
        host_files: Mapping[str, bytes] | None = None,
    ) -> Sandbox:
        """Bring up a sandbox with these files of a bot (relative path -> content).

        `module`: the module that speaks for the bot, with `serve(connection, root)`; imported by the keeper from the
        image, or from `host_files` (path -> content), which only the caller's own code may be. `preload`: modules
        to import once for all games, those of them that the bot's files mention: what the keeper holds, each fork
        pays for. SandboxError if it does not come up within `limits.start_seconds`.
        """
        if not self._reaped:  # an earlier worker may have died
            self._reaped = True
            self.reap()
        self._prepare()
        mentioned = [name for name in preload if any(name.encode() in content for content in files.values())]
        box = self.boxes.new_box(files, host_files or {})
        holder: Holder | None = None
        try:
            deadline = time.monotonic() + limits.start_seconds
            with box.listening() as listener:
                holder = self._launch(box, limits, {"module": module, "preload": mentioned})
                link = _accept_keeper(listener, holder, deadline, limits)
            try:
                ready = link.receive(max(deadline - time.monotonic(), 1.0))
            except SandboxError:
                link.close()
                raise
        except BaseException:
            try:
                if holder is not None:
                    holder.remove()
            finally:
                box.remove()
            raise
        return Sandbox(box, holder, link, limits, ready["cpu_grain"])

    @abstractmethod
    def _prepare(self) -> None:
        """Do what is to be done before the first sandbox is opened, and has not been. SandboxError if it cannot be."""

    @abstractmethod
    def _launch(self, box: Box, limits: Limits, job: dict[str, Any]) -> Holder:
        """Start a keeper on this box; `job` names `module` and `preload`."""

    @abstractmethod
    def check(self) -> list[Finding]:
        """Look at everything this backend relies on."""

    @abstractmethod
    def reap(self, *, dry_run: bool = False) -> list[str]:
        """Remove what dead workers left and say what that was; with ``dry_run``, only say it."""

    def close(self) -> None:
        """Remove this worker's box folders. Close the sandboxes first."""
        if self._boxes is not None:
            self._boxes.close()
            self._boxes = None

    def _reap_boxes(self, dry_run: bool) -> list[str]:
        dead = self.boxes.dead_workers()
        for worker in [] if dry_run else dead:
            self.boxes.remove_worker(worker)
        return [f"box folders of worker {worker}" for worker in dead]


def keeper_config(
    box: str,
    limits: Limits,
    job: dict[str, Any],
    *,
    path: Sequence[str],
    room: str | None,
    user: int | None,
    strict: bool,
) -> dict[str, Any]:
    """What a keeper is told on its command line (see `sandbox.keeper.__main__.main`). Nothing in it is secret."""
    return {
        "box": box,
        **job,
        "path": list(path),
        # How the linear algebra library is told which processor it is on, where the machine's owner must say so.
        "environment": {key: value for key, value in os.environ.items() if key.startswith(_NUMERIC_ENVIRONMENT)},
        "limits": {
            "nofile": limits.nofile,
            "output_bytes": limits.output_bytes,
            "log_bytes": limits.log_bytes,
            "address_bytes": limits.address_bytes,
        },
        "room": room,
        "user": user,
        "strict": strict,
    }


def _accept_keeper(listener: socket.socket, holder: Holder, deadline: float, limits: Limits) -> Link:
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    while not poll.poll(_LOOK_SECONDS * 1000):
        # A keeper that could not begin has told why, and ended since we looked: what it told says more than its status.
        if (why := holder.why_ended()) is not None and not poll.poll(0):
            raise SandboxError(why)
        if time.monotonic() > deadline:
            raise SandboxError(f"A sandbox did not come up within {limits.start_seconds:g} s; is the host overloaded?")
    return Link(listener.accept()[0])


def _accept_game(
    listener: socket.socket, nonce: str, deadline: float, link: Link
) -> tuple[socket.socket, float] | None:
    """The connection of the game's process and the CPU seconds that it used before it let the bot in, once the keeper
    has said that it runs; None when the time is over.

    It is the first one that says the nonce; any other is closed.
    """
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    poll.register(link.fileno(), select.POLLIN)
    game: tuple[socket.socket, float] | None = None
    started = False
    try:
        while (left := deadline - time.monotonic()) > 0:
            ready = {number for number, _ in poll.poll(left * 1000)}
            if link.fileno() in ready:
                link.receive(left)  # says that it has started, or raises why not
                started = True
                poll.unregister(link.fileno())
            if game is None and listener.fileno() in ready:
                game = _greet(listener.accept()[0], nonce, left)
            if started and game is not None:
                connected, game = game, None
                return connected
        return None
    finally:
        if game is not None:
            game[0].close()


def _greet(connection: socket.socket, nonce: str, seconds: float) -> tuple[socket.socket, float] | None:
    """The connection if it says the nonce and its CPU seconds, and nothing else, in time; else it is closed."""
    connection.settimeout(seconds)
    said = b""
    try:
        # No byte can stand behind the newline: the process is waiting for its first question then.
        while not said.endswith(b"\n") and len(said) < _LONGEST_GREETING and (data := connection.recv(64)):
            said += data
    except OSError:
        said = b""
    first, _, own_seconds = said.partition(b" ")
    if secrets.compare_digest(first, nonce.encode()):
        return connection, float(own_seconds)
    connection.close()
    return None
