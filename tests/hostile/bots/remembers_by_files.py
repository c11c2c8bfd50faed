"""Leaves files, folders, links, FIFOs and locks for its next game."""
# family: between-games
# verdict: none
# backends: docker

import fcntl
import os

from arena import Bot

FOLDERS = "/ /tmp /box /box/bot /box/host /box/link /dev /dev/shm /dev/mqueue /dev/pts /run /var/tmp /sys /proc".split()
LOCKED = ("/box/bot/bot.py", "/dev/null")  # the second is one and the same for all
held = []


def look():
    found = [folder for folder in FOLDERS for name in _names(folder) if name.startswith("left")]
    for path in LOCKED:
        with open(path) as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                fcntl.lockf(file, fcntl.LOCK_UN)
            except BlockingIOError:
                found.append(f"a lock on {path}")
            except OSError:
                pass
    return found


def _names(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


def make_file(path):
    open(path, "w").close()


FOUND = look()


class Hostile(Bot):
    def act(self, view):
        if FOUND:
            raise SystemError(f"left by the game before: {FOUND}")
        for folder in FOLDERS:
            for make in (make_file, os.mkdir, os.mkfifo, lambda path: os.symlink("/", path)):
                try:
                    make(f"{folder}/left")
                except OSError:
                    continue
                raise SystemError(f"{folder} can be written to")
        for path in LOCKED:
            file = open(path)
            held.append(file)
            for lock in (fcntl.lockf, fcntl.flock):
                try:
                    lock(file, fcntl.LOCK_SH)
                except OSError:
                    pass
        return view.legal[0]
