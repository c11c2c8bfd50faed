"""The same bot in two seats: one sleeps on a word of a file that both can read, and the other wakes it."""
# family: between-games
# verdict: none | pondering
# backends: docker
# opponent: itself
# machine: x86_64

import contextlib
import ctypes
import signal

from arena import Bot

FUTEX, WAIT, WAKE = 202, 0, 1
TIMED_OUT, INTERRUPTED = 110, 4
NAME = "/usr/lib/python3.11/this.py"
PROT_READ, MAP_SHARED = 1, 1

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p


class Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


class Hostile(Bot):
    def __init__(self, game):
        with open(NAME, "rb") as file:
            address = libc.mmap(None, 4096, PROT_READ, MAP_SHARED, file.fileno(), 0)
        self.word = ctypes.c_void_p(address)
        self.value = ctypes.c_uint32.from_address(address).value
        self.heard = False
        # Out of its turn it sleeps, and uses nothing; a timer lets it do so.
        signal.signal(signal.SIGALRM, self.sleep)
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)

    def sleep(self, *_):
        if not self.asked:
            self.heard |= (
                libc.syscall(FUTEX, self.word, WAIT, self.value, ctypes.byref(Time(0, 5_000_000)), None, 0) == 0
            )

    asked = False

    def act(self, view):
        self.asked = True
        with contextlib.suppress(OSError):
            for _ in range(50):
                if libc.syscall(FUTEX, self.word, WAKE, 100, None, None, 0) > 0:
                    raise SystemError("the other seat was asleep, and is awake now")
        if self.heard:
            raise SystemError("the other seat has woken this one")
        self.asked = False
        return view.legal[0]
