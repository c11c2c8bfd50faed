"""Plays its cheapest move after a moment, so that the one across has time to misbehave."""

import time

from arena import Bot


class SlowThinker(Bot):
    def act(self, view):
        time.sleep(0.1)
        return view.legal[0]
