"""Hangs at its end."""
# family: process
# verdict: none

import atexit
import time

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        atexit.register(time.sleep, 1000)
        return view.legal[0]
