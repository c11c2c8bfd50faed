"""What the process of one game does to itself before it loads the bot, and the loading."""

import contextlib
import importlib
import io
import os
import signal
import socket
import sys
import time
import traceback
from pathlib import Path
from typing import Any, NoReturn

from sandbox.keeper import kernel

if sys.platform != "win32":
    import resource

EXIT_MEMORY = 86
"""Exit status of a game's process that ran out of memory where nobody could tell the host."""

_LIMITS = ("CORE", "FSIZE", "MEMLOCK", "MSGQUEUE", "NICE", "RTPRIO", "NPROC")
"""What a bot has nothing of."""


class Stage:
    """All that can be made ready once, before the first fork, so that the process of a game has little left to do."""

    def __init__(self, config: dict[str, Any], proc: int | None) -> None:
        self.proc = proc
        self.socket_path = str(Path(config["box"]) / "link" / "socket")
        self.root = Path(config["box"]) / "bot"
        self.user: int | None = config["user"] if config["room"] is None else None
        self.strict: bool = config["strict"]
        self.call_filter = kernel.CallFilter() if kernel.can_filter() else None
        if self.strict and self.call_filter is None:
            raise OSError("the keeper does not know this machine's system calls")
        self.module = importlib.import_module(config["module"])
        # Unbuffered: what a bot printed is in the log even if it is killed in the next instruction. In the keeper
        # nothing is ever written to them.
        for name, number in (("stdout", 1), ("stderr", 2)):
            raw = open(number, "wb", buffering=0, closefd=False)  # noqa: SIM115
            stream = io.TextIOWrapper(raw, "utf-8", "backslashreplace", write_through=True)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
        sys.argv = [""]
        self.limits = [("NOFILE", config["limits"]["nofile"]), *((name, 0) for name in _LIMITS)]
        if proc is not None:
            pages = int(kernel.read_small(proc, "self/statm").split()[0])
            space = pages * resource.getpagesize() + config["limits"]["address_bytes"]
            self.limits.append(("AS", space))


def become_bot(stage: Stage, nonce: str, output: int) -> NoReturn:
    """Turn this freshly forked process into the one that plays: connect, drop everything, serve. Never returns."""
    status = 1
    try:
        os.setsid()
        # The keeper's own would be one and the same for all games, and they can set flags of it (F_SETFL).
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        if stage.proc is not None:
            _die_first(stage.proc, strict=stage.strict)
        # The control connection, the output pipe, the way to /proc: gone before bot code exists.
        os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0] if kernel.LINUX else 256)
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(stage.socket_path)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _drop(stage)
        # The last word before bot code can run: the walls stand, and this is the CPU time that was ours.
        connection.sendall(f"{nonce} {time.process_time():.6f}\n".encode())
        stage.module.serve(connection, stage.root)
        status = 0
    except SystemExit as leaving:
        code = leaving.code
        status = code if isinstance(code, int) else int(code is not None)
    except MemoryError:
        status = EXIT_MEMORY
    except BaseException:  # noqa: BLE001 - the last frame of the process: its owner reads it in the log
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    finally:
        os._exit(status & 0xFF)


def fresh_random_numbers() -> None:
    """Give the next game random numbers of its own, in the process that it will be a copy of.

    `random` seeds itself anew after a fork; NumPy's old global generator does not, and to seed it in the copy would be
    seven times the work, for all the pages that it touches there for the first time.
    """
    generator = sys.modules.get("numpy.random")
    if generator is not None:
        generator.seed(int.from_bytes(os.urandom(4), "little"))  # a tenth of the time that seed() takes


def _drop(stage: Stage) -> None:
    """Give up, for good, everything that a bot has no use for."""
    if stage.user is not None:
        kernel.become(stage.user)
    if kernel.LINUX:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)  # behind the change of user, which clears it
    for name, value in stage.limits:
        _limit(name, value)
    if stage.call_filter is not None:
        stage.call_filter.lay()


def _die_first(proc: int, *, strict: bool) -> None:
    """The kernel shall end the bot, not the keeper, when the container runs out of memory."""
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # the file belongs to root while a process is not dumpable
    try:
        file = os.open("self/oom_score_adj", os.O_WRONLY, dir_fd=proc)
        os.write(file, b"1000")
        os.close(file)
    except OSError:
        if strict:
            raise
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)


def _limit(name: str, value: int) -> None:
    which = getattr(resource, f"RLIMIT_{name}", None)
    if which is None:  # another Unix than Linux, in the process backend
        return
    soft, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    if (soft, hard) != (value, value):  # gVisor refuses to set what it does not know, also to what it is
        resource.setrlimit(which, (value, value))
