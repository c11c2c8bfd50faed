"""Gives itself more time."""
# family: time
# verdict: time

import time

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            object.__setattr__(view, "clock", 1e9)
        except Exception:
            pass
        time.sleep(1000)
