"""Bots that try to get away with something. Each fails for its reason, or is refused; the next game is normal."""

import os
import textwrap

import pytest

from sandbox import Limits, SessionFailed
from tests.sandbox.conftest import ASK, OpenBot

SMALL = Limits(memory_mb=64, output_bytes=100_000)

FAILS = {
    # name: (reason, bot)
    "sys.exit": ("crash", "import sys\ndef answer(line): sys.exit()"),
    "os._exit": ("crash", "import os\ndef answer(line): os._exit(0)"),
    "exit in import": ("crash", "raise SystemExit(5)"),
    "exception": ("crash", "def answer(line): raise KeyError('x')"),
    "BaseException": ("crash", "class Odd(BaseException): pass\ndef answer(line): raise Odd"),
    "KeyboardInterrupt": ("crash", "def answer(line): raise KeyboardInterrupt"),
    "exception whose text raises": (
        "crash",
        """
        class Odd(Exception):
            def __str__(self): raise Odd
        def answer(line): raise Odd
        """,
    ),
    "recursion": ("crash", "def answer(line): return answer(line)"),
    "segfault": ("crash", "import ctypes\ndef answer(line): ctypes.string_at(0)"),
    "abort": ("crash", "import os\ndef answer(line): os.abort()"),
    "SIGKILL self": ("crash", "import os\ndef answer(line): os.kill(os.getpid(), 9)"),
    "SIGTERM self": ("crash", "import os\ndef answer(line): os.kill(os.getpid(), 15)"),
    "SIGSTOP self": ("time", "import os, signal\ndef answer(line): os.kill(os.getpid(), signal.SIGSTOP)"),
    "SIGSTOP by group": ("time", "import os, signal\ndef answer(line): os.kill(0, signal.SIGSTOP)"),
    "sleep": ("time", "import time\ndef answer(line): time.sleep(1000)"),
    "sleep in import": ("time", "import time\ntime.sleep(1000)"),
    "loop": ("time", "def answer(line):\n    while True: pass"),
    "loop in C": ("time", "def answer(line): return sum(1 for _ in iter(int, 1))"),
    "ignores every signal": (
        "time",
        """
        import signal
        for number in signal.valid_signals():
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        def answer(line):
            while True:
                try: signal.pause()
                except BaseException: pass
        """,
    ),
    "hangs at its end": (
        "time",
        """
        import atexit, sys, time
        atexit.register(time.sleep, 1000)
        class Clings:
            def __del__(self): time.sleep(1000)
        cling = Clings()
        def answer(line):
            globals().pop("cling")
        """,
    ),
    "a byte a second": (
        "time",
        """
        import time
        def serve(connection):
            connection.recv(100)
            while True:
                connection.send(b"x")
                time.sleep(0.05)
        """,
    ),
    "endless line": (
        "protocol",
        """
        def serve(connection):
            connection.recv(100)
            while True: connection.send(b"x" * 65536)
        """,
    ),
    "100 MB of it": ("protocol", "def answer(line): return b'7' * 30_000_000"),
    "two lines": ("protocol", "def answer(line): return b'one\\ntwo'"),
    "closes the connection": (
        "protocol",
        """
        import os, time
        def answer(line):
            os.close(connection.fileno())
            time.sleep(1000)
        """,
    ),
    "shuts the connection down": (
        "protocol",
        """
        import socket, time
        def answer(line):
            connection.shutdown(socket.SHUT_RDWR)
            time.sleep(1000)
        """,
    ),
    "closes every descriptor": (
        "protocol",
        """
        import os, time
        def answer(line):
            os.closerange(0, 64)
            time.sleep(1000)
        """,
    ),
    "output flood": ("output", "def answer(line):\n    while True: print('x' * 10000)"),
    "error flood": ("output", "import os\ndef answer(line):\n    while True: os.write(2, b'x' * 65536)"),
    "output flood in import": ("output", "while True: print('x' * 10000)"),
    "output flood, then an end": ("output", "import os\nos.write(1, b'x' * 200_000)\nos._exit(0)"),
    "memory": ("memory", "def answer(line):\n    kept = []\n    while True: kept.append(bytearray(10_000_000))"),
    "memory in import": ("memory", "kept = 'x' * 10**9"),
    "memory in a big int": ("memory", "def answer(line): return b'%d' % (1 << (10**10)).bit_length()"),
    "memory in small things": ("memory", "def answer(line):\n    kept = []\n    while True: kept.append([None])"),
}

REFUSED = {
    "fork": "import os\nos.fork()",
    "fork in a loop": """
        import os
        for _ in range(1000):
            try: os.fork()
            except OSError: pass
            else: raise SystemError("forked")
        raise OSError
        """,
    "vfork and exec": "import subprocess\nsubprocess.run(['/usr/bin/python3', '-c', ''])",
    "posix_spawn": "import os\nos.posix_spawn('/usr/bin/python3', ['python3', '-c', ''], {})",
    "exec": "import os\nos.execv('/usr/bin/python3', ['python3', '-c', ''])",
    "thread": "import threading\nthreading.Thread(target=print).start()",
    "a thousand threads": """
        import _thread
        for _ in range(1000):
            try: _thread.start_new_thread(print, ())
            except RuntimeError: pass
            else: raise SystemError("a thread")
        raise RuntimeError
        """,
    "executor": "import concurrent.futures as f\nf.ThreadPoolExecutor().submit(print).result()",
    "process pool": "import multiprocessing as m\nm.Process(target=print).start()",
    "kill all": "import os\nos.kill(-1, 9)",
    "kill process 1": "import os\nos.kill(1, 9)",
    "kill the parent": "import os\nos.kill(os.getppid(), 9)",
    "stop the parent": "import os\nos.kill(os.getppid(), 19)",
    "kill the parent's group": "import os\nos.killpg(os.getpgid(os.getppid()), 9)",
    "queue a signal": """
        import ctypes, os
        if ctypes.CDLL(None, use_errno=True).sigqueue(os.getppid(), 40, None): raise OSError(ctypes.get_errno())
        """,
    "raise the limit of processes": "import resource as r\nr.setrlimit(r.RLIMIT_NPROC, (10, 10))",
    "raise the limit of memory": "import resource as r\nr.setrlimit(r.RLIMIT_AS, (r.RLIM_INFINITY, r.RLIM_INFINITY))",
    "raise the limit of files": "import resource as r\nr.setrlimit(r.RLIMIT_NOFILE, (4096, 4096))",
    "limits of the keeper": "import os, resource as r\nr.prlimit(os.getppid(), r.RLIMIT_NOFILE, (3, 3))",
    "niceness": "import os\nos.nice(5)",
    "niceness of the keeper": "import os\nos.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    "affinity": "import os\nos.sched_setaffinity(0, {0})",
    "scheduler": "import os\nos.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))",
    "session": "import os\nos.setsid()",
    "process group": "import os\nos.setpgid(0, os.getppid())",
    "TCP": "import socket\nsocket.create_connection(('127.0.0.1', 80), 1)",
    "UDP": "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 53))",
    "IPv6": "import socket\nsocket.socket(socket.AF_INET6, socket.SOCK_STREAM)",
    "name service": "import socket\nsocket.getaddrinfo('example.org', 80)",
    "netlink": "import socket\nsocket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
    "packet": "import socket\nsocket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)",
    "vsock": "import socket\nsocket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)",
    "kernel crypto": "import socket\nsocket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)",
    "abstract socket": "import socket\nsocket.socket(socket.AF_UNIX).bind('\\0meet-me')",
    "socket pair": "import socket\nsocket.socketpair()",
    "second connection": """
        import pathlib, socket
        here = pathlib.Path(__file__).parent.parent / "link" / "socket"
        socket.socket(socket.AF_UNIX).connect(str(here))
        """,
    "the box": "import pathlib\n(pathlib.Path(__file__).parent / 'note').write_text('x')",
    "the link": "import pathlib\n(pathlib.Path(__file__).parent.parent / 'link' / 'x').write_text('x')",
    "the process table of the keeper": "import os\nopen(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
    "unshare": """
        import ctypes
        if ctypes.CDLL(None, use_errno=True).unshare(0x10000000): raise OSError(ctypes.get_errno())
        """,
    "ptrace": """
        import ctypes, os
        if ctypes.CDLL(None, use_errno=True).ptrace(16, os.getppid(), None, None): raise OSError(ctypes.get_errno())
        """,
    "descriptors": """
        import os
        kept = [os.dup(0) for _ in range(10_000)]
        """,
    "a pipe": "import os\nos.pipe()",
}

UNLESS_ROOT = {
    "its own file": "open(__file__, 'a').write('x')",
    "deleting itself": "import os\nos.unlink(__file__)",
    "environment of the keeper": "import os\nopen(f'/proc/{os.getppid()}/environ', 'rb').read()",
    "descriptors of the keeper": "import os\nos.listdir(f'/proc/{os.getppid()}/fd')",
    "root": "import os\nos.setuid(0)",
    "groups": "import os\nos.setgroups([0])",
    "chroot": "import os\nos.chroot('/')",
}
"""What a plain process of root can do and no other: the process backend gives root's bots a user of their own only
where that user can read the interpreter."""

IN_CONTAINERS = UNLESS_ROOT | {
    "a file of the user's own": "open('/tmp/note', 'w').write('x')",
    "shared memory": "from multiprocessing.shared_memory import SharedMemory as S\nS('x', create=True, size=10)",
    "message queue": "open('/dev/mqueue/x', 'w')",
    "memory file": "import os\nos.memfd_create('x')",
    "mount": """
        import ctypes
        if ctypes.CDLL(None, use_errno=True).mount(b"x", b"/box", b"tmpfs", 0, None): raise OSError(ctypes.get_errno())
        """,
    "io_uring": """
        import ctypes
        if ctypes.CDLL(None, use_errno=True).syscall(425, 1, ctypes.create_string_buffer(200)) < 0: raise OSError
        """,
    "bpf": "import ctypes\nif ctypes.CDLL(None).syscall(321, 0, 0, 0) < 0: raise OSError",
    "keyring": "import ctypes\nif ctypes.CDLL(None).syscall(250, 0, -3, 1) < 0: raise OSError",
    "userfaultfd": "import ctypes\nif ctypes.CDLL(None).syscall(323, 0) < 0: raise OSError",
    "perf": "import ctypes\nif ctypes.CDLL(None).syscall(298, 0, 0, -1, -1, 0) < 0: raise OSError",
    "System V shared memory": "import ctypes\nif ctypes.CDLL(None).shmget(0, 100, 0o1600) < 0: raise OSError",
    "System V semaphores": "import ctypes\nif ctypes.CDLL(None).semget(0, 1, 0o1600) < 0: raise OSError",
    "System V messages": "import ctypes\nif ctypes.CDLL(None).msgget(0, 0o1600) < 0: raise OSError",
    "a lock on a shared file": "import fcntl\nfcntl.flock(open('/etc/passwd'), fcntl.LOCK_EX)",
    "page cache by advice": "import os\nos.posix_fadvise(os.open('/etc/passwd', 0), 0, 0, os.POSIX_FADV_DONTNEED)",
    "page cache by probing": "import os\nos.preadv(os.open('/etc/passwd', 0), [bytearray(9)], 0, os.RWF_NOWAIT)",
    "figures of the host": "import os\nos.getloadavg()",
    "memory of the host": "open('/proc/meminfo').read(1) or exec('raise OSError')",
    "control group": "open('/sys/fs/cgroup/memory/memory.max_usage_in_bytes')",
    "engine socket": "import os\nos.stat('/var/run/docker.sock')",
    "a terminal": "import os\nos.open('/dev/ptmx', os.O_RDWR)",
    "setuid program": """
        import os
        for top, _, names in os.walk("/"):
            for name in names:
                try: mode = os.lstat(os.path.join(top, name)).st_mode
                except OSError: continue
                if mode & 0o6000: raise SystemError(os.path.join(top, name))
        raise OSError
        """,
    "writing anywhere": """
        import os
        for top, _, names in os.walk("/"):
            try:
                os.close(os.open(os.path.join(top, "probe"), os.O_CREAT | os.O_WRONLY))
                raise SystemError(top)
            except OSError: pass
            for name in names:
                path = os.path.join(top, name)
                if path == "/dev/null": continue
                try: os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
                except OSError: continue
                raise SystemError(path)
        raise OSError
        """,
}

if os.geteuid() != 0:
    REFUSED |= UNLESS_ROOT

TIMEOUT = 0.4
"""Seconds in which these bots are to be unable to answer; those that fail otherwise get longer."""


def assert_next_game_is_normal(sandbox) -> None:
    """The bot that fails or tries on any question but `fine`."""
    session = sandbox.start(ASK)
    report = session.close()
    assert report.killed or report.exit_status is not None or report.signal is not None
    assert sandbox.alive


@pytest.mark.parametrize("name", FAILS)
def test_fails_for_its_reason(open_bot: OpenBot, name: str):
    reason, source = FAILS[name]
    sandbox = open_bot(source, SMALL)
    for _ in range(2):  # a second game fails in the same way: nothing was learned, nothing was left
        session = sandbox.start(ASK)
        with pytest.raises(SessionFailed) as failed:
            session.ask(b"?", TIMEOUT if reason == "time" else ASK)
        assert failed.value.reason == reason, str(failed.value)
        session.close()
    assert_next_game_is_normal(sandbox)


def test_out_of_turn_is_noticed_at_the_next_question(open_bot: OpenBot):
    source = """
        import signal
        def early(*_): connection.send(b"early")
        signal.signal(signal.SIGALRM, early)
        def answer(line):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            return line
    """
    session = open_bot(source).start(ASK)
    session.ask(b"?", ASK)
    assert session._readable.poll(ASK * 1000)
    with pytest.raises(SessionFailed, match="nobody had asked") as failed:
        session.ask(b"?", ASK)
    assert failed.value.reason == "protocol"


def test_death_out_of_turn_is_noticed_at_the_next_question(open_bot: OpenBot):
    source = """
        import os, signal
        signal.signal(signal.SIGALRM, lambda *_: os._exit(7))
        def answer(line):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            return line
    """
    session = open_bot(source).start(ASK)
    session.ask(b"?", ASK)
    assert session._readable.poll(ASK * 1000)
    with pytest.raises(SessionFailed, match="exit status 7") as failed:
        session.ask(b"?", ASK)
    assert failed.value.reason == "crash"


def test_out_of_band_bytes_are_no_answer(open_bot: OpenBot):
    source = """
        import socket, time
        def answer(line):
            connection.send(b"!", socket.MSG_OOB)
            time.sleep(1000)
    """
    session = open_bot(source).start(ASK)
    with pytest.raises(SessionFailed) as failed:
        session.ask(b"?", TIMEOUT)
    assert failed.value.reason in {"time", "protocol"}  # kernels differ in what they say is readable


def attempt(source: str) -> str:
    """A bot that tries `source` and answers whether it was refused."""
    body = textwrap.indent(textwrap.dedent(source).strip(), " " * 8)
    return (
        "def attempt():\n    if True:\n" + body + "\n"
        "def answer(line):\n"
        "    try: attempt()\n"
        "    except (OSError, RuntimeError, AttributeError, ValueError) as error: return b'refused'\n"
        "    except ImportError: return b'refused'\n"
        "    except SystemError as error: return b'did: ' + str(error).encode()\n"
        "    return b'did it'\n"
    )


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused(open_bot: OpenBot, name: str):
    sandbox = open_bot(attempt(REFUSED[name]))
    for _ in range(2):
        session = sandbox.start(ASK)
        assert session.ask(b"?", ASK) == b"refused"
        session.close()


@pytest.mark.docker
@pytest.mark.parametrize("name", IN_CONTAINERS)
def test_is_refused_in_a_container(docker_backend, name: str):
    from tests.sandbox.conftest import open_talker

    with open_talker(docker_backend, attempt(IN_CONTAINERS[name])) as sandbox:
        session = sandbox.start(ASK)
        assert session.ask(b"?", ASK) == b"refused"
        session.close()
