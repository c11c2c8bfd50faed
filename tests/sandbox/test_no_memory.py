"""A bot cannot leave one bit for its next game, nor hand one to the seat beside it.

Game 1 does everything it can think of; game 2 looks at everything it can see, and the host at what it cannot. What is
seen must be the same as after a game 1 that did nothing.
"""

import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox import Backend, Limits, Sandbox
from tests.sandbox.conftest import ASK, OpenBot, host_processes, open_talker

pytestmark = pytest.mark.timeout(120)

LOOKS = r"""
import glob, json, os, re, resource, signal, sys, time

def stats(path):
    try: found = os.stat(path)
    except OSError as error: return type(error).__name__
    return [found.st_mode, found.st_nlink, found.st_uid, found.st_size, found.st_mtime_ns, found.st_atime_ns]

def is_there(pid):
    try: os.sched_getaffinity(pid)
    except ProcessLookupError: return False
    return True

def look():
    shown = {
        "niceness": [os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, 1)],
        "groups": [os.getpgid(1), os.getsid(1)],
        "limits": [resource.getrlimit(number) for number in range(16)],
        "affinity": [sorted(os.sched_getaffinity(pid)) for pid in (0, 1)],
        "scheduler": [os.sched_getscheduler(0), os.sched_getscheduler(1)],
        "umask": os.umask(0o22),
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "modules": sorted(sys.modules),
        "patched": [json.dumps.__module__, time.time.__name__, sys.getrecursionlimit(), sys.getswitchinterval()],
        "path": sys.path,
        "timers": [signal.getitimer(which) for which in (0, 1, 2)],
        "pending": sorted(signal.sigpending()),
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "handlers": [str(signal.getsignal(number)) for number in sorted(signal.valid_signals())],
        "process": os.getpid(),
        "processes": [pid for pid in range(1, 1000) if is_there(pid) and pid != os.getppid()],
        "descriptors": [number for number in range(64) if isinstance(stats(number), list)],
        "files": {path: stats(path) for path in (
            "/", "/box", "/box/bot", "/box/bot/bot.py", "/box/bot/data", "/box/link", "/tmp", "/dev", "/etc/passwd",
            "/usr/lib/python3.11/this.py", "/dev/null")},
        "box": sorted(glob.glob("/box/**", recursive=True)),
    }
    return shown

def leave():
    "Everything that might stay."
    import ctypes, fcntl, random
    libc = ctypes.CDLL(None)
    def burn():
        stop = time.process_time() + 0.2
        while time.process_time() < stop: pass
    def fill(): return len(bytearray(40_000_000))
    def fork():
        for _ in range(300):
            try: os.fork()
            except OSError: pass
        raise OSError
    def lock():
        globals()["held"] = file = open("/box/bot/data")
        fcntl.flock(file, fcntl.LOCK_SH); fcntl.flock(file, fcntl.LOCK_EX)
    def record_lock():
        globals()["record"] = file = open("/box/bot/data")
        fcntl.lockf(file, fcntl.LOCK_SH)
    def read(): [open(path, "rb").read() for path in glob.glob("/usr/lib/python3.11/t*.py")]
    def patch():
        json.dumps.__globals__["__name__"] = json.dumps.__module__ = "patched"
        time.time = lambda: 0
        sys.modules["left"] = sys
        sys.path.append("/left")
        sys.setrecursionlimit(99_999); sys.setswitchinterval(1)
        os.environ["LEFT"] = "1"
    def timers():
        signal.signal(signal.SIGVTALRM, signal.SIG_IGN); signal.setitimer(signal.ITIMER_VIRTUAL, 999)
    def mask(): signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]); os.kill(os.getpid(), signal.SIGUSR1)
    def slack(): libc.prctl(29, 12345)
    def names(): libc.prctl(15, b"left")
    def sockets():
        import socket
        for name in ("\0left", "/tmp/left", "/box/link/left", "/dev/left"):
            try: socket.socket(socket.AF_UNIX).bind(name)
            except OSError: pass
        connection.setsockopt(1, 7, 4096); connection.setsockopt(1, 8, 4096)
    def pass_descriptor():
        import array, socket
        connection.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1]))])
    def queues():
        libc.shmget(1, 4096, 0o1666); libc.semget(1, 1, 0o1666); libc.msgget(1, 0o1666); libc.memfd_create(b"left", 0)
        libc.syscall(250, 1, b"left"); libc.syscall(248, b"user", b"left", b"x", 1, -3)
    def files():
        def make_file(path): open(path, "w").write("1")
        def make_link(path): os.symlink("/", path)
        for folder in "/ /tmp /box /box/bot /box/link /dev /dev/shm /dev/mqueue /run".split():
            for make in (make_file, make_link, os.mkdir, os.mkfifo):
                try: make(folder + "/left")
                except OSError: pass
    def signals():
        for number in range(1, 65):
            for pid in (1, os.getppid()):
                try: os.kill(pid, number)
                except OSError: pass
            libc.sigqueue(1, number, None); libc.sigqueue(os.getppid(), number, None)
    def keeper():
        for change in (
            lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (20, 20)), lambda: os.setpriority(0, 1, 19),
            lambda: os.sched_setaffinity(1, {0}), lambda: os.setpriority(0, 0, 19), lambda: os.nice(5),
            lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)), lambda: os.setpgid(0, 1),
            lambda: libc.syscall(251, 1, 1, 7 << 13), lambda: libc.personality(0x40000),
        ):
            try: change()
            except OSError: pass
    def limits():
        resource.setrlimit(resource.RLIMIT_NOFILE, (30, 30))
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    def touch():
        for path in ("/box/bot/data", "/tmp", "/dev/null"):
            try: os.utime(path)
            except OSError: pass
    def folder(): os.chdir("/tmp"); os.umask(0o77)
    def write(): os.write(1, b"left" * 5000)
    did = []
    for name, attempt in list(locals().items()):
        if callable(attempt) and name not in ("libc",) and not isinstance(attempt, type(os)):
            try:
                attempt()
                did.append(name)
            except BaseException as error: did.append(f"{name}: {type(error).__name__}")
    return did
"""

SPY = (
    LOOKS
    + """
def serve(its_connection):
    global connection
    connection = its_connection
    while line := connection.recv(100):
        word = line.decode().strip()
        reply = look() if word == "look" else leave() if word == "leave" else ["quiet"]
        connection.sendall(json.dumps(reply).encode() + b"\\n")
        if word == "leave": os._exit(77)
"""
)


def play(sandbox, word: str) -> Any:
    session = sandbox.start(ASK)
    try:
        return json.loads(session.ask(word.encode(), 60.0).removeprefix(b"x"))
    finally:
        session.close()


def without_times_of_birth(shown: dict[str, Any]) -> dict[str, Any]:
    """What differs between any two containers, whatever was done in them: when and by which user id they were made."""
    for facts in shown["files"].values():
        if isinstance(facts, list):
            facts[2] = min(facts[2], 1)
            facts[4:] = [int(moment > 1) for moment in facts[4:]]
    return shown


LONG_LINES = Limits(line_bytes=200_000)


def without_time_of_start(shown: dict[str, Any]) -> None:
    """A game's socket was made in this folder then."""
    shown["files"].pop("/box/link")


def of_the_keeper(engine: Any, backend: Backend) -> dict[str, Any]:
    """What the host sees of the process that the next game is forked from, or of what that game will have of it."""
    (container,) = engine.containers(filters={"label": f"durak-arena.worker={backend.boxes.worker}"})
    (keeper,) = host_processes(engine, container["Id"])
    facts = (keeper / "stat").read_text().rpartition(")")[2].split()
    status = dict(line.split(":", 1) for line in (keeper / "status").read_text().splitlines())
    signals = ("SigQ", "SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt", "Threads", "Seccomp")
    group = keeper / "autogroup"  # where the kernel has such groups
    return {
        "children, faults and CPU": [facts[index] for index in (8, 10, 13, 14)],
        "niceness": facts[16],
        "status": {name: status[name] for name in signals},
        "limits": (keeper / "limits").read_text(),
        "oom": (keeper / "oom_score_adj").read_text(),
        "autogroup": group.read_text().split()[-1] if group.exists() else None,
        "slack": (keeper / "timerslack_ns").read_text(),
        "descriptors": sorted(file.name for file in (keeper / "fd").iterdir()),
        "mounts": len((keeper / "mountinfo").read_text().splitlines()),
        "sockets": len((keeper / "net/unix").read_text().splitlines()),
    }


@pytest.mark.docker
def test_game_2_sees_nothing_of_game_1(docker_backend: Backend, engine: Any):
    with open_talker(docker_backend, SPY, LONG_LINES, data=b"x") as quiet:
        assert play(quiet, "quiet") == ["quiet"]
        expected = play(quiet, "look")
        expected_of_keeper = of_the_keeper(engine, docker_backend)
    with open_talker(docker_backend, SPY, LONG_LINES, data=b"x") as loud:
        before = play(loud, "look")
        did = play(loud, "leave")
        seen = play(loud, "look")
        assert of_the_keeper(engine, docker_backend) == expected_of_keeper
    assert expected_of_keeper["children, faults and CPU"] == ["0", "0", "0", "0"]
    assert "burn" in did
    assert "fill" in did
    # In one and the same container not even a time has moved, but where a game's socket comes and goes.
    for shown in (before, seen):
        without_time_of_start(shown)
    assert seen["files"] == before["files"]
    # Two processes a game, whatever it tried.
    assert seen["process"] - before["process"] == 4
    without_time_of_start(expected)
    for shown in (expected, seen):
        shown.pop("process"), shown.pop("processes")
    assert without_times_of_birth(seen) == without_times_of_birth(expected)


@pytest.mark.docker
def test_the_other_seat_sees_nothing(docker_backend: Backend):
    with (
        open_talker(docker_backend, SPY, LONG_LINES, data=b"x") as seat,
        open_talker(docker_backend, SPY.replace("os._exit(77)", "pass"), LONG_LINES, data=b"x") as partner,
    ):
        first = seat.start(ASK)
        expected = json.loads(first.ask(b"look", ASK))
        whispering = partner.start(ASK)
        whispering.ask(b"leave", 60.0)  # and it lives on, holding whatever it holds
        assert json.loads(first.ask(b"look", ASK)) == expected
        first.close()
        again = seat.start(ASK)
        seen = json.loads(again.ask(b"look", ASK))
        for key in ("process", "processes"):  # it is the next game
            seen.pop(key), expected.pop(key)
        for shown in (seen, expected):
            without_time_of_start(shown)
        assert seen == expected
        again.close()
        whispering.close()


LOOKER = """
    import json, os

    PATHS = ["/"] + [os.path.join(top, name) for top, folders, files in os.walk("/") for name in folders + files]

    def answer(line):
        if line.startswith(b"look "):
            began, ended = map(int, line.split()[1:])
            telling = []
            for path in PATHS:
                try: facts = os.lstat(path)
                except FileNotFoundError: continue  # the socket by which it came here
                if any(began < at < ended for at in (facts.st_atime_ns, facts.st_mtime_ns, facts.st_ctime_ns)):
                    telling.append(path)
            return json.dumps([len(PATHS), telling[:99]]).encode()
        for path in PATHS[int(line)::2]:
            try:
                if os.path.islink(path): os.readlink(path)
                elif os.path.isdir(path): os.listdir(path)
                else: open(path, "rb").read(1)
            except OSError: pass
        kept = []
        try:
            while True: kept.append(bytearray(1_000_000))  # so that the kernel forgets what it need not keep
        except MemoryError: pass
        return b"[]"
"""


def assert_that_looking_leaves_nothing(backend: Backend) -> None:
    """No time of anything lies within the game before."""
    data = {f"data-{number}": b"x" for number in range(8)}
    with open_talker(backend, LOOKER, Limits(line_bytes=500_000, memory_mb=64), **data) as sandbox:
        for half in (b"0", b"1"):
            began = time.time_ns()
            session = sandbox.start(ASK)
            session.ask(half, 60.0)
            session.close()
            tick = 10_000_000  # the kernel's own clock of files goes in such steps
            ended = time.time_ns() - tick
            session = sandbox.start(ASK)
            looked_at, telling = json.loads(session.ask(b"look %d %d" % (began, ended), 60.0))
            session.close()
            assert looked_at > 1000
            assert telling in ([], ["/box/link"])  # where a socket is made for each game


@pytest.mark.docker
def test_what_one_game_has_looked_at_the_next_cannot_tell(docker_backend: Backend):
    assert_that_looking_leaves_nothing(docker_backend)


READER = """
    import json, os, resource

    def answer(line):
        size = 0
        before = resource.getrusage(resource.RUSAGE_SELF)
        for top, folders, files in os.walk("/usr"):
            for name in files:
                try: file = open(os.path.join(top, name), "rb", buffering=0)
                except OSError: continue
                with file:
                    while data := file.read(65536): size += len(data)
        after = resource.getrusage(resource.RUSAGE_SELF)
        return json.dumps([size, (after.ru_inblock - before.ru_inblock) * 512]).encode()
"""


@pytest.mark.docker
def test_no_bot_is_the_first_to_read_a_file_of_the_image(
    image: str, engine: Any, docker_backend: Backend, monkeypatch: pytest.MonkeyPatch
):
    """It could have its container throw the page out again, or not; the next game sees that it comes from a disk."""
    monkeypatch.setattr("sandbox.docker._images_read", set())
    layers = engine.inspect_image(image)["GraphDriver"]["Data"]
    for layer in ":".join(filter(None, (layers.get("UpperDir"), layers.get("LowerDir")))).split(":"):
        for top, _, files in os.walk(layer):
            for path in (Path(top) / name for name in files):
                if path.is_file() and not path.is_symlink():
                    file = os.open(path, os.O_RDONLY)
                    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)  # as after a start of this host
                    os.close(file)
    with open_talker(docker_backend, READER) as sandbox:
        size, from_disk = json.loads(sandbox.start(ASK).ask(b"?", 60.0))
    assert size > 50_000_000
    assert from_disk < size / 50  # a kernel lets go of single pages now and then, whoever has read them


MARKED = r"""
    import os

    MARK = "".join(map(chr, (76, 69, 65, 75, 69, 68))) + "-"

    def answer(line):
        global own
        if line == b"print":
            secret = MARK + str(int.from_bytes(os.urandom(4), "little") + 10**10)
            print(secret, flush=True)
            connection.sendall(secret.encode() + b"\n")
            os._exit(173)
        own = MARK + "9" * 11  # something to find, so that finding nothing means something
        return b"here"
"""


def memory_of(process: Path) -> Iterator[bytes]:
    """All that a process of this host may write to, a piece at a time. Needs to be root, who may look at any."""
    with (process / "mem").open("rb", buffering=0) as memory:
        for mapped in (process / "maps").read_text().splitlines():
            span, rights, *rest = mapped.split()
            if rights.startswith("rw") and not rest[-1].startswith("[v"):
                start, end = (int(part, 16) for part in span.split("-"))
                memory.seek(start)
                yield memory.read(end - start)


def game_process(sandbox: Sandbox, engine: Any) -> Path:
    """The folder in this host's /proc of the game that runs: the keeper's only child has it as its only child."""
    kind, _, name = sandbox.place.partition(" ")
    pid = name if kind == "process" else str(engine.inspect_container(name)["State"]["Pid"])
    for _ in range(2):
        (pid,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return Path("/proc") / pid


@pytest.mark.skipif(os.geteuid() != 0, reason="Nobody but root may look into another process.")
def test_no_trace_in_the_memory_that_is_forked(open_bot: OpenBot, request: pytest.FixtureRequest, backend: Backend):
    """What game 1 printed, said and ended with is nowhere in the memory that game 2 begins with."""
    engine = request.getfixturevalue("engine") if backend.name == "docker" else None
    sandbox = open_bot(MARKED, Limits(memory_mb=256))
    session = sandbox.start(ASK)
    secret = session.ask(b"print", ASK)
    assert secret in session.close().log
    session = sandbox.start(ASK)
    session.ask(b"look", ASK)
    pieces = list(memory_of(game_process(sandbox, engine)))
    session.close()
    assert sum(map(len, pieces)) > 1_000_000
    found = {number for piece in pieces for number in re.findall(rb"LEAKED-(\d{11})", piece)}
    assert found == {b"9" * 11}
