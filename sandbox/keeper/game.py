"""What the process of one game does to itself before it loads the bot, and the loading."""

import contextlib
import importlib
import io
import os
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

from sandbox.keeper import kernel

if sys.platform != "win32":
    import resource

EXIT_MEMORY = 86
"""Exit status of a game's process that ran out of memory where nobody could tell the host."""


def become_bot(config: dict[str, Any], nonce: str, output: int) -> NoReturn:
    """Turn this freshly forked process into the one that plays: connect, drop everything, serve. Never returns."""
    status = 1
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        # The control connection, the output pipe and whatever the keeper held: gone before bot code exists.
        os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0] if kernel.LINUX else 256)
        box = Path(config["box"])
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(str(box / "link" / "socket"))
        connection.sendall(nonce.encode() + b"\n")
        _fresh_interpreter()
        _drop(config["limits"], config["user"], strict=config["strict"])
        importlib.import_module(config["module"]).serve(connection, box / "bot")
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


def _fresh_interpreter() -> None:
    """Give the process streams, signals and random numbers of its own; all else is as the keeper loaded it."""
    for signum in (signal.SIGINT, signal.SIGCHLD):
        signal.signal(signum, signal.SIG_DFL)
    # Unbuffered: what a bot printed is in the log even if it is killed in the next instruction.
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - a descriptor, not a path
    for name, number in (("stdout", 1), ("stderr", 2)):
        raw = open(number, "wb", buffering=0, closefd=False)  # noqa: SIM115
        stream = io.TextIOWrapper(raw, "utf-8", "backslashreplace", write_through=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv = [""]
    # `random` seeds itself anew after a fork; NumPy's old global generator does not.
    generator = sys.modules.get("numpy.random")
    if generator is not None:
        generator.seed()


def _drop(limits: dict[str, int], user: int | None, *, strict: bool) -> None:
    """Give up, for good, everything that a bot has no use for."""
    if kernel.LINUX:
        # The kernel shall end the bot, not the keeper, when the container runs out of memory. The file belongs to
        # root while a process is not dumpable.
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
        try:
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
        except OSError:
            if strict:
                raise
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    if kernel.LINUX:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)  # behind the change of user, which clears it
    for name, value in (
        ("NOFILE", limits["nofile"]),
        ("CORE", 0),
        ("FSIZE", 0),
        ("MEMLOCK", 0),
        ("MSGQUEUE", 0),
        ("NICE", 0),
        ("RTPRIO", 0),
        ("NPROC", 0),
    ):
        _limit(name, value)
    if kernel.LINUX:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        _limit("AS", pages * resource.getpagesize() + limits["address_bytes"])
    if kernel.can_filter():
        kernel.filter_calls(os.getpid())
    elif strict:
        raise OSError("The keeper does not know this machine's system calls.")


def _limit(name: str, value: int) -> None:
    which = getattr(resource, f"RLIMIT_{name}", None)
    if which is None:  # another Unix than Linux, in the process backend
        return
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
