"""Watches one game's process: holds its output, obeys the host, kills what is left, reports. Lives for one game."""

import binascii
import contextlib
import os
import select
import signal
import socket
import time

from sandbox.keeper import kernel
from sandbox.keeper.game import Stage, become_bot
from sandbox.keeper.wire import receive, send

_CHUNK = 64 * 1024
_KIB = 1024


def mind(control: socket.socket, stage: Stage, limits: dict[str, int], nonce: str) -> None:
    """Fork the game's process and serve the host until it orders the end of the game (or hangs up).

    This happens in a process of its own, a fork of the keeper that ends with the game, so that nothing a bot wrote
    or did is ever in the memory from which the next game's process is forked.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if kernel.LINUX:
        # gVisor has this for process 1 alone, which is the keeper there and inherits and kills what is left.
        with contextlib.suppress(OSError):
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        become_bot(stage, nonce, writing)
    os.close(writing)
    os.set_blocking(reading, False)
    game = _Game(child, reading, limits, stage.proc)
    send(control, f'{{"started": {child}}}')
    game.serve(control)


class _Game:
    def __init__(self, child: int, output: int, limits: dict[str, int], proc: int | None) -> None:
        self.child = child
        self.proc = proc
        self.output: int | None = output
        self.limits = limits
        self.written = 0
        self.head = bytearray()
        self.tail = bytearray()
        self.killed = False
        self.ended: tuple[int, float, int] | None = None  # wait status, CPU seconds, peak memory in bytes

    def serve(self, control: socket.socket) -> None:
        poll = select.poll()
        poll.register(control, select.POLLIN)
        if self.output is not None:
            poll.register(self.output, select.POLLIN)
        while True:
            ready = dict(poll.poll())
            if self.output in ready and not self.drain():
                poll.unregister(self.output)
                os.close(self.output)
                self.output = None
            if control.fileno() in ready:
                order = receive(control)
                if not order:  # the host is gone
                    self.end(0)
                    return
                if order[0] == "finish":
                    self.end(float(order[1]))
                    send(control, self.report())
                    return
                send(control, self.obey(order[0]))

    def obey(self, order: str) -> str:
        """Carry out one of the orders that leave the game running."""
        if order == "resume":
            self.signal(signal.SIGCONT)
            return '{"done": true}'
        if order == "pause":
            self.signal(signal.SIGSTOP)
        if order in {"pause", "usage"}:
            return f'{{"cpu_seconds": {self.cpu_seconds():.6f}}}'
        return '{"failed": "The keeper does not know this order."}'

    def signal(self, signum: int) -> None:
        if self.ended is None:  # until it is waited for, the number is this child's and nobody else's
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.child, signum)

    def drain(self) -> bool:
        """Read what the bot wrote and keep its start and end; False once nobody can write any more."""
        assert self.output is not None  # noqa: S101
        try:
            data = os.read(self.output, _CHUNK)
        except BlockingIOError:
            return True
        if not data:
            return False
        self.written += len(data)
        keep = self.limits["log_bytes"]
        room = keep - len(self.head)
        self.head += data[:room]
        self.tail += data[max(room, 0) :]
        del self.tail[:-keep]
        if self.written > self.limits["output_bytes"] and not self.killed:
            self.kill()
        return True

    def kill(self) -> None:
        self.killed = True
        self.signal(signal.SIGKILL)

    def cpu_seconds(self) -> float:
        """CPU time of the game's process so far."""
        if self.ended is not None:
            return self.ended[1]
        # The clock of another process: clock_getcpuclockid(3), CPUCLOCK_SCHED in the kernel's numbering.
        return time.clock_gettime((~self.child << 3) | 2)

    def end(self, grace: float) -> None:
        """Wait up to `grace` seconds for the process to end by itself, then see to it that nothing is left."""
        deadline = time.monotonic() + grace
        while not self.wait(os.WNOHANG) and not self.killed and (left := deadline - time.monotonic()) > 0:
            if self.output is None:
                time.sleep(min(left, 0.002))
            elif select.select([self.output], [], [], min(left, 0.002))[0] and not self.drain():
                os.close(self.output)
                self.output = None
        if self.ended is None:
            self.kill()
            self.wait(0)
        kill_descendants(self.proc)
        while self.output is not None and select.select([self.output], [], [], 0)[0] and self.drain():
            pass

    def wait(self, options: int) -> bool:
        if self.ended is None:
            pid, status, usage = os.wait4(self.child, options)
            if pid:
                scale = _KIB if kernel.LINUX else 1  # getrusage(2) counts KiB on Linux
                self.ended = (status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale)
        return self.ended is not None

    def report(self) -> str:
        assert self.ended is not None  # noqa: S101
        status, cpu_seconds, peak = self.ended
        exit_status = os.WEXITSTATUS(status) if os.WIFEXITED(status) else "null"
        signum = os.WTERMSIG(status) if os.WIFSIGNALED(status) else "null"
        # It may have ended by itself in the very moment of being killed: then that is how it ended.
        killed = "true" if self.killed and signum == signal.SIGKILL else "false"
        return (
            f'{{"exit_status": {exit_status}, "signal": {signum}, "killed": {killed}, '
            f'"cpu_seconds": {cpu_seconds:.6f}, "peak_memory_bytes": {peak}, "output_bytes": {self.written}, '
            f'"head": "{_base64(self.head)}", "tail": "{_base64(self.tail)}"}}'
        )


def _base64(data: bytearray) -> str:
    return binascii.b2a_base64(data, newline=False).decode() if data else ""


def kill_descendants(proc: int | None) -> None:
    """Kill and reap every process that the game's process left behind (none, where its limits could hold).

    As their subreaper this process inherits them all, however often they forked and whatever session they made. `proc`:
    a descriptor of the folder /proc; without one, on a system that has no such folder, none is found.
    """
    with contextlib.suppress(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # nearly always there is none, and no need to look through /proc
        while True:
            for child in _children(proc):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children(proc: int | None) -> list[int]:
    if proc is None:
        return []
    own = os.getpid()
    children = []
    for name in os.listdir(proc):  # noqa: PTH208 - by descriptor
        if name.isdigit():
            with contextlib.suppress(OSError):
                facts = kernel.read_small(proc, f"{name}/stat")
                # The second field is a name in brackets that may hold anything; the parent is the second behind it.
                if int(facts.rpartition(b")")[2].split()[1]) == own:
                    children.append(int(name))
    return children
