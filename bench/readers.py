"""Readers and uploaders over real sockets: many at a time in one process, each with a connection of its own."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

HOST = "127.0.0.1"
TIMEOUT = 120.0
"""Longer than anything may hang unnoticed: what takes so long is told as what it took."""
BOUNDARY = "a-line-that-is-in-no-bot"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float


class ConnectionLostError(Exception):
    """The server closed the connection before it had answered, or took none."""


class Connection:
    """A connection that is opened again when the server has closed it, as a browser does."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Answer:
        """One request.

        Raises:
            ConnectionLostError: there was no answer.
            TimeoutError: there was none in time.
        """
        began = time.perf_counter()
        async with asyncio.timeout(TIMEOUT):
            for kept in (True, False):
                try:
                    status, found, content = await self._try(method, path, headers, body)
                except (OSError, asyncio.IncompleteReadError, ValueError, IndexError) as error:
                    fresh = self._streams is None or not kept
                    self.close()
                    # A connection that was kept may have been closed meanwhile: a browser opens another at once.
                    if fresh or method != "GET":
                        raise ConnectionLostError(f"{type(error).__name__}: {error}") from error
                    continue
                if found.get("connection", "").lower() == "close":
                    self.close()
                return Answer(status, found, content, time.perf_counter() - began)
        raise AssertionError("unreachable")

    async def _try(
        self, method: str, path: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        if self._streams is None:
            opened = await asyncio.open_connection(HOST, self._port)
            reader, writer = self._streams = opened
        else:
            reader, writer = self._streams
        lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{self._port}", "Accept-Encoding: gzip"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()
        status = int((await reader.readline()).split()[1])
        found: dict[str, str] = {}
        while line := (await reader.readline()).strip():
            name, _, value = line.decode().partition(":")
            found[name.lower()] = value.strip()
        return status, found, await _body(reader, found, status)

    def close(self) -> None:
        """Close it; the next question opens another."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


async def _body(reader: asyncio.StreamReader, headers: dict[str, str], status: int) -> bytes:
    if status in {204, 304}:
        return b""
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    if headers.get("transfer-encoding") != "chunked":
        return await reader.read()
    pieces = []
    while size := int((await reader.readline()).strip() or b"0", 16):
        pieces.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(pieces)


@dataclass
class Log:
    """What everybody saw, by phase of the run."""

    phase: str = "calm"
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    outcomes: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    connections: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    slowest: tuple[float, str] = (0.0, "")

    def note(self, path: str, outcome: str, seconds: float, example: str = "") -> None:
        """Write down one answer: its status, or how there was none."""
        self.outcomes[self.phase][outcome] += 1
        if outcome == "200":
            self.seconds[self.phase].append(seconds)
        self.slowest = max(self.slowest, (seconds, f"{path} ({outcome}, {self.phase})"))
        if outcome not in {"200", "304"}:
            self.examples.setdefault(f"{outcome}, {self.phase}", f"{path}: {example[:300]}")


async def read(port: int, pages: Sequence[str], pause: float, log: Log, until: asyncio.Event, seed: int) -> None:
    """A reader: opens a page, looks at it for a while, opens another, until the end."""
    chance = random.Random(seed)
    connection = Connection(port)
    await _sleep(until, chance.uniform(0, pause))  # they do not all come at once
    while not until.is_set():
        path, began = chance.choice(pages), time.perf_counter()
        phase = log.phase
        try:
            answer = await connection.ask("GET", path, {})
        except (ConnectionLostError, TimeoutError) as error:
            log.note(path, f"no answer in {phase}", time.perf_counter() - began, repr(error))
        else:
            outcome = str(answer.status)
            if answer.status == 503 and "retry-after" not in answer.headers:
                outcome = "503 without Retry-After"
            log.note(path, outcome, answer.seconds, answer.body[:300].decode(errors="replace"))
        await _sleep(until, chance.uniform(0.5 * pause, 1.5 * pause))
    connection.close()


async def _sleep(until: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await until.wait()
    except TimeoutError:
        return  # the time to look at a page is over


async def upload(port: int, slug: str, token: str, code: bytes, log: Log, tries: int = 60) -> int | None:
    """Upload a version as the command line does: again after a 429 or a 503, and after a connection that broke.

    Returns the number of the version that the site said it has; None where it never took it.
    """
    body = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="bot.py"\r\n'
        "Content-Type: text/x-python\r\n\r\n"
    ).encode() + code
    body += f"\r\n--{BOUNDARY}--\r\n".encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    path = f"/api/bots/{slug}/versions"
    for _ in range(tries):
        connection, began = Connection(port), time.perf_counter()
        wait = 1.0
        try:
            answer = await connection.ask("POST", path, headers, body)
        except (ConnectionLostError, TimeoutError) as error:
            log.note(path, "upload without an answer", time.perf_counter() - began, repr(error))
        else:
            log.note(path, f"upload {answer.status}", answer.seconds, answer.body[:300].decode(errors="replace"))
            if answer.status == 201:
                return int(json.loads(answer.body)["number"])
            if answer.status not in {429, 503}:
                return None
            wait = float(answer.headers.get("retry-after", wait))
        finally:
            connection.close()
        await asyncio.sleep(min(wait, 5.0))
    return None
