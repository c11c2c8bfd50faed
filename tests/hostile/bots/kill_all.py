"""Kills everything it can."""
# family: process
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            os.kill(-1, 9)
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
