"""Moves the kernel's count of pieces of shared memory to a number that its next game reads off a new piece."""
# family: between-games
# verdict: none
# backends: docker

import contextlib
import mmap
import os

from arena import Bot

ROUND, LEFT = 1024, 777
PIECE = "/dev/zero (deleted)"


def piece(descriptor):
    return mmap.mmap(descriptor, 4096, flags=mmap.MAP_SHARED)


def number(descriptor):
    """The kernel's number of a new piece."""
    with contextlib.closing(piece(descriptor)), open("/proc/self/maps") as lines:
        return next(int(line.split()[4]) % ROUND for line in lines if PIECE in line)


def ways():
    yield -1
    with contextlib.suppress(OSError):
        yield os.open("/dev/zero", os.O_RDWR)


def found():
    for descriptor in ways():
        with contextlib.suppress(OSError, StopIteration):
            return descriptor, number(descriptor)
    return None, None


WAY, FOUND = found()


class Hostile(Bot):
    def __init__(self, game):
        self.left = WAY is None

    def act(self, view):
        if FOUND is not None and LEFT < FOUND < LEFT + 8:
            raise SystemError("the game before has left its number")
        while not self.left:
            for _ in range((LEFT - number(WAY)) % ROUND):
                piece(WAY).close()
            self.left = number(WAY) <= LEFT + 2
        return view.legal[0]
