"""Sets flags of what it finds open, and moves in it, for its next game to find them so."""
# family: between-games
# verdict: none

import fcntl
import os
import struct

from arena import Bot

STANDARD = (0, 1, 2)
FIONBIO = 0x5421
LEFT = os.O_NONBLOCK | os.O_APPEND
PLACE = 777


def place(descriptor):
    try:
        return os.lseek(descriptor, 0, os.SEEK_CUR)
    except OSError:
        return 0


FOUND = [number for number in STANDARD if fcntl.fcntl(number, fcntl.F_GETFL) & LEFT or place(number)]


class Hostile(Bot):
    left = False

    def act(self, view):
        if FOUND:
            raise SystemError(f"the game before has left its mark on {FOUND}")
        if not self.left:
            self.left = True
            for number in STANDARD:
                for change in (
                    lambda: fcntl.fcntl(number, fcntl.F_SETFL, LEFT),
                    lambda: fcntl.ioctl(number, FIONBIO, struct.pack("i", 1)),
                    lambda: os.lseek(number, PLACE, os.SEEK_SET),
                ):
                    try:
                        change()
                    except OSError:
                        pass
        return view.legal[0]
