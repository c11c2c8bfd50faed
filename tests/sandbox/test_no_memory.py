"""A bot cannot leave one bit for its next game, nor hand one to the seat beside it.

Game 1 does everything it can think of; game 2 looks at everything it can see. What it sees must be the same as after a
game 1 that did nothing.
"""

import json
import time
from typing import Any

import pytest

from sandbox import Backend, Limits
from tests.sandbox.conftest import ASK, OpenBot, open_talker

pytestmark = pytest.mark.timeout(120)

LOOKS = r"""
import glob, json, os, re, resource, signal, sys, time

def lines(path):
    try:
        with open(path) as file: return file.read().splitlines()
    except OSError as error: return [type(error).__name__]

def fields(path, *names):
    return [line for line in lines(path) if line.split(":")[0] in names]

def stats(path):
    try: found = os.stat(path)
    except OSError as error: return type(error).__name__
    return [found.st_mode, found.st_nlink, found.st_uid, found.st_size, found.st_mtime_ns, found.st_atime_ns]

def look():
    keeper = lines("/proc/1/stat")[0].rpartition(")")[2].split()
    shown = {
        "children of the keeper, faults and CPU": [keeper[index] for index in (8, 10, 13, 14)],
        "niceness of the keeper": keeper[16],
        "niceness": os.getpriority(os.PRIO_PROCESS, 0),
        "keeper": fields(
            "/proc/1/status", "SigQ", "SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt", "Threads", "Seccomp"),
        "limits of the keeper": lines("/proc/1/limits"),
        "oom": lines("/proc/1/oom_score_adj"),
        "autogroup of the keeper": [line.split()[-1] for line in lines("/proc/1/autogroup")],
        "own autogroup": [line.split()[-1] for line in lines("/proc/self/autogroup")],
        "slack": lines("/proc/self/timerslack_ns"),
        "limits": [resource.getrlimit(number) for number in range(16)],
        "affinity": sorted(os.sched_getaffinity(0)),
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
        "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getppid()),
        "sockets": len(lines("/proc/self/net/unix")),
        "mounts": len(lines("/proc/self/mountinfo")),
        "descriptors": sorted(os.listdir("/proc/self/fd")),
        "files": {path: stats(path) for path in (
            "/", "/box", "/box/bot", "/box/bot/bot.py", "/box/bot/data", "/box/link", "/tmp", "/dev", "/etc/passwd",
            "/usr/lib/python3.11/this.py", "/dev/null", "/proc/1")},
        "box": sorted(glob.glob("/box/**", recursive=True)),
        "connection": [connection.getsockopt(1, option) for option in (7, 8)],
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
    def slack():
        libc.prctl(29, 12345)
        for path in ("/proc/1/timerslack_ns", "/proc/self/timerslack_ns"):
            try:
                with open(path, "w") as file: file.write("12345")
            except OSError: pass
    def names(): libc.prctl(15, b"left")
    def autogroup():
        for path in ("/proc/1/autogroup", "/proc/self/autogroup"):
            try:
                with open(path, "w") as file: file.write("15")
            except OSError: pass
    def oom():
        for path in ("/proc/1/oom_score_adj", "/proc/self/oom_score_adj"):
            try:
                with open(path, "w") as file: file.write("777")
            except OSError: pass
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
        for folder in "/ /tmp /box /box/bot /box/link /dev /dev/shm /dev/mqueue /run /proc/self".split():
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
    def touch(): os.utime("/box/bot/data"), os.utime("/tmp")
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
    """When /dev was last listed is when this game began: the minder lists it, so that no earlier game can have."""
    shown["files"].pop("/box/link")  # a socket was made in it then
    shown["files"]["/dev"][5] = 0


@pytest.mark.docker
def test_game_2_sees_nothing_of_game_1(docker_backend: Backend):
    with open_talker(docker_backend, SPY, LONG_LINES, data=b"x") as quiet:
        assert play(quiet, "quiet") == ["quiet"]
        expected = play(quiet, "look")
    with open_talker(docker_backend, SPY, LONG_LINES, data=b"x") as loud:
        before = play(loud, "look")
        did = play(loud, "leave")
        seen = play(loud, "look")
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
    assert seen["children of the keeper, faults and CPU"] == ["0", "0", "0", "0"]


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

    def names():
        yield from ("/dev/" + name for name in os.listdir("/dev"))
        waiting = ["/proc/1"]
        for name in os.listdir("/proc"):
            if not name.isdigit(): yield "/proc/" + name
        while waiting:
            folder = waiting.pop()
            yield folder
            try: found = os.listdir(folder)
            except OSError: continue
            for name in found:
                path = folder + "/" + name
                yield path
                if os.path.isdir(path) and not os.path.islink(path) and path.count("/") < 5: waiting.append(path)

    def answer(line):
        if line == b"look":
            times = {}
            for path in names():
                facts = os.lstat(path)
                times[path] = [facts.st_atime_ns, facts.st_mtime_ns, facts.st_ctime_ns]
            return json.dumps(times).encode()
        for path in list(names())[int(line)::2]:
            try:
                if os.path.islink(path): os.readlink(path)
                elif os.path.isdir(path): os.listdir(path)
                else: open(path, "rb").read(1)
            except OSError: pass
        os.listdir("/dev")
        kept = []
        try:
            while True: kept.append(bytearray(1_000_000))  # so that the kernel forgets what it need not keep
        except MemoryError: pass
        return b"[]"
"""


@pytest.mark.docker
def test_what_one_game_has_looked_at_the_next_cannot_tell(docker_backend: Backend):
    """No time of anything lies within the game before: all are older, or of this game's own start."""
    limits = Limits(line_bytes=2_000_000, memory_mb=64)
    with open_talker(docker_backend, LOOKER, limits) as sandbox:
        for half in (b"0", b"1"):
            began = time.time_ns()
            session = sandbox.start(ASK)
            session.ask(half, 60.0)
            session.close()
            ended = time.time_ns()
            session = sandbox.start(ASK)
            times = json.loads(session.ask(b"look", 60.0))
            session.close()
            assert len(times) > 100
            tick = 10_000_000  # the kernel's own clock of files goes in such steps
            assert [path for path, all_of in times.items() if any(began < at < ended - tick for at in all_of)] == []


def test_no_trace_in_the_memory_that_is_forked(open_bot: OpenBot):
    """What game 1 printed, said and ended with is nowhere in the memory that game 2 begins with."""
    sandbox = open_bot(
        r"""
        import ctypes, os, re

        MARK = "".join(map(chr, (76, 69, 65, 75, 69, 68))) + "-"

        def answer(line):
            if line == b"print":
                secret = MARK + str(int.from_bytes(os.urandom(4), "little") + 10**10)
                print(secret, flush=True)
                connection.sendall(secret.encode() + b"\n")
                os._exit(173)
            own = MARK + "9" * 11  # something to find, so that finding nothing means something
            found, looked = set(), 0
            ends = re.compile(MARK.encode() + rb"(\d{11})")
            for mapped in open("/proc/self/maps"):
                span, rights, *rest = mapped.split()
                if not rights.startswith("rw") or rest[-1].startswith("[v"): continue
                start, end = (int(part, 16) for part in span.split("-"))
                data = ctypes.string_at(start, end - start)
                looked += len(data)
                found.update(ends.findall(data))
            return b"%d %s" % (looked, b" ".join(sorted(found)))
        """,
        Limits(memory_mb=256),
    )
    session = sandbox.start(ASK)
    secret = session.ask(b"print", ASK)
    assert secret in session.close().log
    session = sandbox.start(ASK)
    looked, _, found = session.ask(b"look", ASK).partition(b" ")
    session.close()
    assert int(looked) > 1_000_000
    assert found == b"9" * 11
