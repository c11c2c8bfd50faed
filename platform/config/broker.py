"""A message broker made of a folder, so that the site and its workers run without installing one.

kombu ships a transport over the file system, but it polls once a second, reads messages that are still being written
(and so loses them), and shares one table of bindings between all folders. This one keeps kombu's virtual channel and
replaces what touches the disk:

* A message is written to `parts/` and moved into its queue's folder with `os.replace`: a reader sees all of it or none.
* A message is claimed by renaming it out of the queue's folder. Of many processes that try, the file system lets one
  succeed.
* An empty queue is looked at again after 50 ms.

The folder (`durakfile:///absolute/path`) holds `queues/NAME/`, `exchanges/`, `parts/`, `claimed/`. It must lie on one
local file system; for more than one machine use Valkey or Redis. A consumer killed between claiming and reading leaves
its message in `claimed/`, from where the next process to connect puts it back.

The broker carries only hints (identifiers of rows). The database is the queue of record: what a lost hint would have
started, the next sweep starts.
"""

import contextlib
import fcntl
import json
import os
import time
import uuid
from collections import defaultdict, deque
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any, NamedTuple, cast
from urllib.parse import quote

from kombu.connection import Connection
from kombu.transport import TRANSPORT_ALIASES, virtual
from kombu.transport.virtual.base import BrokerState
from kombu.utils.json import dumps, loads

SCHEME = "durakfile"

POLL_SECONDS = 0.05
"""How long an idle consumer waits before it looks at its queues again, in seconds."""

LEFTOVER_SECONDS = 60.0
"""A claim or a half-written file older than this belongs to a process that died. Either normally lives microseconds."""


def register() -> None:
    """Make `durakfile://` known to kombu. Called before Celery opens its first connection; harmless when repeated."""
    TRANSPORT_ALIASES[SCHEME] = "config.broker:Transport"


class Binding(NamedTuple):
    """A row of an exchange's table, in the order in which kombu's exchange types read it."""

    routing_key: str
    pattern: str
    queue: str


class Channel(virtual.Channel):
    """A channel whose queues are folders."""

    supports_fanout = True

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        self._root = folder_of(connection.client)
        self._seen: dict[str, deque[str]] = defaultdict(deque)
        for name in ("queues", "exchanges", "parts", "claimed"):
            (self._root / name).mkdir(parents=True, exist_ok=True)
        self._heal()

    # Messages.

    def _put(self, queue: str, message: dict[str, Any], **_: Any) -> None:
        # The name sorts by time of writing and carries the queue, so that a claim can be put back where it came from.
        name = f"{time.time_ns():020d}-{uuid.uuid4().hex}.{_file_name(queue)}"
        self._write(self._queue_folder(queue) / name, dumps(message))

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:  # noqa: ARG002 - kombu's signature
        folder, seen = self._queue_folder(queue), self._seen[queue]
        if not seen:
            # One listing serves many messages. What others took meanwhile fails to be claimed and is passed over.
            seen.extend(sorted(os.listdir(folder)))  # noqa: PTH208 - a hot loop: names are all it needs
        while seen:
            claim = self._root / "claimed" / seen[0]
            try:
                os.rename(folder / seen.popleft(), claim)  # noqa: PTH104 - as above
            except FileNotFoundError:
                continue
            content = claim.read_bytes()
            claim.unlink()
            return cast("dict[str, Any]", loads(content))
        raise Empty

    def _size(self, queue: str) -> int:
        return len(os.listdir(self._queue_folder(queue)))  # noqa: PTH208

    def _purge(self, queue: str) -> int:
        count = 0
        for path in self._queue_folder(queue).iterdir():
            with contextlib.suppress(FileNotFoundError):  # another process was quicker
                path.unlink()
                count += 1
        return count

    def _put_fanout(self, exchange: str, message: dict[str, Any], *_: Any, **kwargs: Any) -> None:
        for _key, _pattern, queue in self.get_table(exchange):
            self._put(queue, message, **kwargs)

    # Exchanges: who is bound to what, shared by all processes.

    def get_table(self, exchange: str) -> list[tuple[str, str, str]]:
        """The bindings of an exchange as (routing key, pattern, queue); empty for one that nobody bound to."""
        try:
            content = self._exchange_file(exchange).read_bytes()
        except FileNotFoundError:
            return []
        return [Binding(*row) for row in json.loads(content)]

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        binding = Binding(routing_key or "", pattern or "", queue or "")
        with self._exchanges_locked():
            table = self.get_table(exchange)
            if binding not in table:
                self._write(self._exchange_file(exchange), json.dumps([*table, binding]))

    def _delete(self, queue: str, *args: Any, **kwargs: Any) -> None:
        super()._delete(queue, *args, **kwargs)
        exchange = args[0]
        with self._exchanges_locked():
            table = self.get_table(exchange)
            kept = [row for row in table if row[2] != queue]
            if kept != table:
                self._write(self._exchange_file(exchange), json.dumps(kept))

    # The folder.

    def _queue_folder(self, queue: str) -> Path:
        folder = self._root / "queues" / _file_name(queue)
        folder.mkdir(exist_ok=True)
        return folder

    def _exchange_file(self, exchange: str) -> Path:
        return self._root / "exchanges" / f"{_file_name(exchange)}.json"

    def _write(self, path: Path, content: str) -> None:
        part = self._root / "parts" / f"{uuid.uuid4().hex}.part"
        try:
            part.write_text(content, encoding="utf-8")
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise

    @contextlib.contextmanager
    def _exchanges_locked(self) -> Iterator[None]:
        with (self._root / "exchanges.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _heal(self) -> None:
        """Put back what a dead process had claimed, and remove what it was writing."""
        now = time.time()
        for path in (self._root / "claimed").iterdir():
            with contextlib.suppress(FileNotFoundError):
                if now - path.stat().st_ctime > LEFTOVER_SECONDS:  # a rename sets the inode's change time
                    path.rename(self._root / "queues" / path.name.partition(".")[2] / path.name)
        for path in (self._root / "parts").iterdir():
            with contextlib.suppress(FileNotFoundError):
                if now - path.stat().st_ctime > LEFTOVER_SECONDS:
                    path.unlink()


class Transport(virtual.Transport):
    """kombu's name for a kind of broker; see the module's docstring."""

    Channel = Channel
    polling_interval = POLL_SECONDS
    driver_type = "filesystem"
    driver_name = SCHEME
    implements = virtual.Transport.implements.extend(
        asynchronous=False, exchange_type=frozenset(["direct", "topic", "fanout"])
    )

    _states: dict[Path, BrokerState] = {}  # noqa: RUF012 - one a folder, shared by the connections of this process

    def __init__(self, client: Connection, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        self.state = self._states.setdefault(folder_of(client), BrokerState())

    @property
    def default_connection_params(self) -> dict[str, Any]:
        """What kombu fills in when it copies a connection: nothing, or the folder would get a host's name."""
        return {}

    def driver_version(self) -> str:
        """The version that `celery report` shows: the transport has none of its own."""
        return "1"


def folder_of(client: Connection) -> Path:
    """The folder that a connection's address names.

    Raises:
        ValueError: the address is not of the form `durakfile:///absolute/path`.
    """
    if client.hostname or not client.virtual_host or client.virtual_host == "/":
        raise ValueError(f"The file broker's address must be {SCHEME}:///absolute/path, with an absolute folder.")
    return Path("/", client.virtual_host)


def _file_name(name: str) -> str:
    """A queue's or exchange's name as a file name: no separator, no leading dot, one name a file."""
    return "_" + quote(name, safe="@")
