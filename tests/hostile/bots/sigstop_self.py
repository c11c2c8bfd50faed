"""Stops itself."""
# family: process
# verdict: time

import os
import signal

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        os.kill(os.getpid(), signal.SIGSTOP)
