"""Moves the kernel's count of pieces of shared memory to a number that its next game reads off a new piece."""
# family: between-games
# verdict: none
# backends: docker

import contextlib
import mmap

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
    with contextlib.suppress(OSError), open("/dev/zero", "r+b", buffering=0) as zero:
        yield zero.fileno()


def found():
    for descriptor in ways():
        with contextlib.suppress(OSError):
            return number(descriptor)
    return None


FOUND = found()


class Hostile(Bot):
    def __init__(self, game):
        self.left = FOUND is None

    def act(self, view):
        if FOUND is not None and LEFT < FOUND < LEFT + 8:
            raise SystemError("the game before has left its number")
        while not self.left:
            for descriptor in ways():
                for _ in range((LEFT - number(descriptor)) % ROUND):
                    piece(descriptor).close()
                break
            self.left = number(descriptor) <= LEFT + 2
        return view.legal[0]
