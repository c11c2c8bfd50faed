"""Has the kernel kill what started it: whoever owns a descriptor is sent a signal when something arrives there."""
# family: process
# verdict: none

import fcntl
import os
import signal

from arena import Bot

F_SETSIG = 10


def arm(descriptor):
    """Have the parent killed when the next question comes."""
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getppid())
        fcntl.fcntl(descriptor, F_SETSIG, signal.SIGKILL)
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_ASYNC)
    except OSError:
        pass


class Hostile(Bot):
    def act(self, view):
        for descriptor in range(16):
            arm(descriptor)
        return view.legal[0]
