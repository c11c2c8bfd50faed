"""Kills what started it."""
# family: process
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            os.kill(os.getppid(), 9)
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
