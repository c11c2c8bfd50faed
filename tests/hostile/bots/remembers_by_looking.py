"""Finds a name of /proc that nobody has looked at before: once it has looked, its time tells the next game so."""
# family: between-games
# verdict: none
# backends: docker

import os
import time

from arena import Bot

COARSE = 5  # CLOCK_REALTIME_COARSE, by which the kernel dates files: it goes in steps of some milliseconds
BEFORE = time.clock_gettime(COARSE)
while (BEGAN := time.clock_gettime(COARSE)) == BEFORE:
    pass  # what the keeper looked at a moment ago is older than this step


def names():
    for folder in ("/proc", "/proc/1", "/proc/1/task/1"):
        try:
            yield from (f"{folder}/{name}" for name in os.listdir(folder) if not name.isdigit())
        except OSError:
            continue


FRESH = []
for path in names():
    try:
        if os.lstat(path).st_mtime >= BEGAN:
            FRESH.append(path)
    except OSError:
        pass


class Hostile(Bot):
    def act(self, view):
        if FRESH:
            raise SystemError(f"the next game could read a bit from each of {FRESH}")
        return view.legal[0]
