"""Looks at some names and not at others, and its next game reads off the times of all which those were."""
# family: between-games
# verdict: none
# backends: docker
# limits: slow

import os
import time

from arena import Bot

COARSE = 5  # CLOCK_REALTIME_COARSE, by which the kernel dates files: it goes in steps of some milliseconds
BEFORE = time.clock_gettime(COARSE)
while (BEGAN := time.clock_gettime(COARSE)) == BEFORE:
    pass  # what the keeper looked at a moment ago is older than this step


def names():
    yield "/"
    for folder, folders, files in os.walk("/"):
        yield from (os.path.join(folder, name) for name in folders + files)


def look_at(path):
    try:
        if os.path.islink(path):
            os.readlink(path)
        elif os.path.isdir(path):
            os.listdir(path)
        else:
            with open(path, "rb") as file:
                file.read(1)
    except OSError:
        pass


def tells(path):
    facts = os.lstat(path)
    return any(BEGAN <= moment <= time.time() for moment in (facts.st_atime, facts.st_mtime, facts.st_ctime))


def is_the_hosts(path):
    """Where an engine cannot make a null device this is the host's: looking does not move its times, but others do."""
    return path == "/dev/null" and os.stat(path).st_dev != os.stat("/dev").st_dev


class Hostile(Bot):
    looked = False

    def act(self, view):
        if not self.looked:
            self.looked = True
            paths = list(names())
            for path in paths:
                look_at(path)
            fresh = [path for path in paths if tells(path) and not is_the_hosts(path)]
            if fresh:
                raise SystemError(f"the next game could read a bit from each of {fresh[:9]}")
        return view.legal[0]
