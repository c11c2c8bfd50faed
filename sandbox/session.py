"""One game of one bot: questions out, answers in, each with a deadline."""

import base64
import math
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from sandbox.errors import Reason, SandboxError, SessionFailed
from sandbox.keeper.game import EXIT_MEMORY
from sandbox.limits import MIB, Limits
from sandbox.link import Link

_IDLE_WAKES = 64
_DEVIATIONS = 3
_CUT = b"\n... %d bytes left out ...\n"


@dataclass(frozen=True, slots=True)
class Report:
    """How one game's process ended and what it used."""

    exit_status: int | None
    """Exit status, None if a signal ended the process."""

    signal: int | None
    """The signal that ended the process, None if it exited."""

    killed: bool
    """Whether it was the platform that killed it: game over, too much output, or a bot that would not end."""

    cpu_seconds: float
    """CPU time of the process, user and system, from the moment in which it let the bot in; loading included."""

    cpu_error_seconds: float
    """By how much a coarse clock may have `cpu_seconds` too high, as good as certainly (three standard deviations). A
    clock that looks every g seconds who is running, and charges that one g, counts t seconds in bursts shorter than g
    with a deviation of sqrt(g t) at most. Nothing worth the name on Linux, whose clock counts nanoseconds."""

    stray_seconds: float
    """CPU time that the process used out of turn, at least: what it used between two times at which it was paused
    beyond the time it took to answer meanwhile, added up. Unlike the difference of the two totals, a busy host that
    lets the process wait for a CPU in its own turns hides little of it. What a coarse clock of CPU time may have made
    of nothing is taken off, one step of it for each of those times."""

    peak_memory_bytes: int
    """Largest resident size of the process, what it shares with the keeper included."""

    output_bytes: int
    """Bytes written to standard output and error together."""

    log: bytes = field(repr=False)
    """The first and the last `Limits.log_bytes` of that output, with a line between that says what was left out."""

    oom: bool
    """Whether the kernel ended the process because the container was out of memory."""

    container_peak_bytes: int | None = None
    """Peak memory of the whole container during this game by its control group, None where that cannot be read. Control
    groups version 2 count on from the container's start before Linux 6.12."""

    container_cpu_seconds: float | None = None
    """CPU time of the whole container during this game by its control group, None where that cannot be read."""


class Evidence(Protocol):
    """What a backend can tell about a sandbox from outside, for one game."""

    def begin(self) -> None:
        """A game begins: figures count from here."""

    def out_of_memory(self) -> bool:
        """Whether the kernel has killed for want of memory since `begin`."""

    def figures(self) -> tuple[int | None, float | None]:
        """Peak memory in bytes and CPU seconds of the whole container since `begin`."""


class Session:
    """A game in progress. Not for several threads."""

    def __init__(
        self,
        connection: socket.socket,
        link: Link,
        limits: Limits,
        evidence: Evidence,
        *,
        own_seconds: float = 0.0,
        cpu_grain: float = 0.0,
    ) -> None:
        """`own_seconds`: CPU time that the process had used when it let the bot in, which is the platform's.
        `cpu_grain`: the step of the clock of CPU time, in seconds."""
        connection.setblocking(False)
        self.elapsed = 0.0
        """Seconds of the last `ask`, from the question sent to the answer read (or to the failure)."""
        self._connection = connection
        self._link = link
        self._limits = limits
        self._evidence = evidence
        self._readable = select.poll()
        self._readable.register(connection, select.POLLIN)
        self._most = limits.line_bytes + 1
        self._failure: SessionFailed | None = None
        self._report: Report | None = None
        self._paused = False
        self._stray = 0.0
        self._counted = 0.0
        self._own_seconds = own_seconds
        self._cpu_grain = cpu_grain
        self._answering = 0.0
        self.closed = False

    def ask(
        self,
        question: bytes,
        timeout: float,
        *,
        patience: float | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> bytes:
        """Send one line and return the line that answers it, without its newline.

        `timeout`: seconds from now to the whole answer. `meanwhile` is called once if no answer is there after
        `patience` seconds: the place to `pause` the bots that are not to think now.

        Raises SessionFailed when it is the bot's fault (then the session only serves for `close`), SandboxError when
        it is ours.
        """
        if self._failure is not None:
            raise self._failure
        if self.closed:
            raise SandboxError("The session is closed; start another one.")
        if self._paused:
            self.resume()
        if self._readable.poll(0):
            self._refuse_early()
        began = time.monotonic()
        deadline = began + timeout
        try:
            self._send(question + b"\n", deadline)
            if (
                patience is not None
                and meanwhile is not None
                and not self._readable.poll(min(patience, timeout) * 1000)
            ):
                meanwhile()
            return self._read(deadline)
        finally:
            self.elapsed = time.monotonic() - began
            self._answering += self.elapsed

    def pause(self) -> None:
        """Stop the bot's process until the next question (or `resume`), so that it takes no time from others."""
        if not self._paused and self._report is None and not self.closed:
            reply = self._link.request("pause", timeout=self._limits.reply_seconds)
            self._paused = True
            self._count_stray(self._of_the_bot(reply))

    def resume(self) -> None:
        """Let a paused process go on."""
        if self._paused and self._report is None:
            self._link.request("resume", timeout=self._limits.reply_seconds)
        self._paused = False

    def _count_stray(self, cpu_seconds: float) -> None:
        """Count what the process used since the last count beyond the time in which it was to answer."""
        self._stray += max(0.0, cpu_seconds - self._counted - self._answering - self._cpu_grain)
        self._counted = cpu_seconds
        self._answering = 0.0

    def cpu_seconds(self) -> float:
        """CPU time of the bot's process so far, user and system, in seconds."""
        if self._report is not None:
            return self._report.cpu_seconds
        return self._of_the_bot(self._link.request("usage", timeout=self._limits.reply_seconds))

    def _of_the_bot(self, reply: dict[str, Any]) -> float:
        """The CPU seconds of a keeper's reply, less what was the platform's own."""
        return max(0.0, float(reply["cpu_seconds"]) - self._own_seconds)

    def close(self) -> Report:
        """End the process, and everything it may have left, and tell how it went. May be called again."""
        self.closed = True
        self._connection.close()
        if self._report is None:
            self._report = self._finish(0.0)
        return self._report

    def abandon(self) -> None:
        """Give the game up without a report: its sandbox is being closed."""
        self.closed = True
        self._connection.close()

    def _send(self, line: bytes, deadline: float) -> None:
        view = memoryview(line)
        while view:
            try:
                view = view[self._connection.send(view) :]
            except BlockingIOError:
                poll = select.poll()
                poll.register(self._connection, select.POLLOUT)
                if (left := deadline - time.monotonic()) <= 0 or not poll.poll(left * 1000 + 1):
                    raise self._fail("time", "The bot does not read its questions.") from None
            except OSError:
                raise self._ended() from None

    def _read(self, deadline: float) -> bytes:
        line = b""
        idle = 0
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not self._readable.poll(left * 1000 + 1):
                raise self._fail("time", "The answer did not come in time.")
            try:
                data = self._connection.recv(self._most)
            except BlockingIOError:
                idle += 1  # out-of-band bytes make a socket readable that has nothing to read
                if idle > _IDLE_WAKES:
                    raise self._fail("protocol", "The bot sent something else than a line.") from None
                continue
            except OSError:
                data = b""
            if not data:
                raise self._ended()
            line = line + data if line else data
            end = line.find(b"\n")
            if end == len(line) - 1:
                return line[:-1]
            if end >= 0:
                raise self._fail("protocol", "The bot sent more than one line to one question.")
            if len(line) > self._limits.line_bytes:
                raise self._fail("protocol", f"The answer is longer than {self._limits.line_bytes} bytes.")

    def _refuse_early(self) -> None:
        try:
            data = self._connection.recv(self._most)
        except BlockingIOError:
            data = b"?"
        except OSError:
            data = b""
        if data:
            raise self._fail("protocol", "The bot sent something that nobody had asked for.")
        raise self._ended()

    def _fail(self, reason: Reason, message: str) -> SessionFailed:
        self._failure = SessionFailed(reason, message)
        return self._failure

    def _ended(self) -> SessionFailed:
        """The bot's end of the connection is closed: find out why. SandboxError if the keeper cannot tell."""
        self._report = report = self._finish(self._limits.grace_seconds)
        limits = self._limits
        if report.output_bytes > limits.output_bytes:
            return self._fail(
                "output",
                f"The bot wrote more than {limits.output_bytes} bytes of output in one game: {report.output_bytes} "
                "when it was stopped.",
            )
        has = f"{limits.memory_mb} MiB; with the interpreter its process held {report.peak_memory_bytes // MIB} at most"
        if report.oom:
            return self._fail("memory", f"The bot used more memory than it has ({has}).")
        if report.exit_status == EXIT_MEMORY:
            return self._fail("memory", f"The bot could get no more memory (it has {has}).")
        if report.killed:
            return self._fail("protocol", "The bot closed its connection and went on running.")
        if report.signal is not None:
            return self._fail("crash", f"The bot's process was ended by {_signal_name(report.signal)}.")
        return self._fail("crash", f"The bot's process ended with exit status {report.exit_status}.")

    def _finish(self, grace: float) -> Report:
        raw = self._link.request("finish", grace, timeout=self._limits.reply_seconds + grace)
        killed_by_other = raw["signal"] == signal.SIGKILL and not raw["killed"]
        peak, container_seconds = self._evidence.figures()
        cpu_seconds = self._of_the_bot(raw)
        self._count_stray(cpu_seconds)
        return Report(
            exit_status=raw["exit_status"],
            signal=raw["signal"],
            killed=raw["killed"],
            cpu_seconds=cpu_seconds,
            cpu_error_seconds=_DEVIATIONS * math.sqrt(self._cpu_grain * cpu_seconds),
            stray_seconds=self._stray,
            peak_memory_bytes=raw["peak_memory_bytes"],
            output_bytes=raw["output_bytes"],
            log=_log(raw),
            oom=killed_by_other and self._evidence.out_of_memory(),
            container_peak_bytes=peak,
            container_cpu_seconds=container_seconds,
        )


def _log(raw: dict[str, Any]) -> bytes:
    head, tail = base64.b64decode(raw["head"]), base64.b64decode(raw["tail"])
    left_out = raw["output_bytes"] - len(head) - len(tail)
    return head + _CUT % left_out + tail if left_out else head + tail


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
