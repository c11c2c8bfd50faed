"""Moves to the other seat's CPU."""
# family: time
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            os.sched_setaffinity(0, {0})
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
