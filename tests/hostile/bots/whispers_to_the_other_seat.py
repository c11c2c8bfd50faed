"""The same bot in two seats: what one leaves, the other looks for at every move."""
# family: between-games
# verdict: none
# backends: docker
# opponent: itself

import ctypes
import fcntl
import os
import socket

from arena import Bot

libc = ctypes.CDLL(None)
ROUND_UP = 0x800


LOCKED = ("/box/bot/bot.py", "/usr/lib/python3.11/this.py", "/dev/null")
FOLDERS = ("/", "/tmp", "/dev", "/box/link")


def others():
    for pid in range(1, 1000):
        if pid not in (1, os.getpid(), os.getppid()):
            try:
                os.sched_getaffinity(pid)
            except ProcessLookupError:
                continue
            yield pid


def hear():
    heard = []
    if any(others()):
        heard.append("a process of the other seat")
    for path in LOCKED:
        with open(path, "r+b" if path == "/dev/null" else "rb", buffering=0) as file:
            for lock in (fcntl.lockf, fcntl.flock):
                try:
                    lock(file, (fcntl.LOCK_EX if file.writable() else fcntl.LOCK_SH) | fcntl.LOCK_NB)
                    lock(file, fcntl.LOCK_UN)
                except BlockingIOError:
                    heard.append(f"a lock of the other seat on {path}")
                except OSError:
                    pass
    for folder in FOLDERS:
        if any(name.startswith("left") for name in os.listdir(folder)):
            heard.append(f"a file of the other seat in {folder}")
    if libc.shmget(4711, 4096, 0) >= 0 or libc.semget(4711, 1, 0) >= 0 or libc.msgget(4711, 0) >= 0:
        heard.append("an object of System V")
    return heard


def whisper(kept):
    libc.shmget(4711, 4096, 0o1666)
    libc.semget(4711, 1, 0o1666)
    libc.msgget(4711, 0o1666)
    for name in ("\0left", "/tmp/left", "/box/link/left"):
        try:
            socket.socket(socket.AF_UNIX).bind(name)
        except OSError:
            pass
    for folder in FOLDERS:
        try:
            open(f"{folder}/left", "w").close()
        except OSError:
            pass
    for path in LOCKED:
        file = open(path, "r+b" if path == "/dev/null" else "rb", buffering=0)
        kept.append(file)
        for lock in (fcntl.lockf, fcntl.flock):
            try:
                lock(file, fcntl.LOCK_EX if file.writable() else fcntl.LOCK_SH)
            except OSError:
                pass


class Hostile(Bot):
    def act(self, view):
        if not hasattr(self, "kept"):
            self.kept = []
            whisper(self.kept)
        heard = hear()
        if heard:
            raise SystemError(f"heard: {heard}")
        return view.legal[0]
