"""Stops the clock."""
# family: time
# verdict: time

import time

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        real = time.sleep
        time.monotonic = time.perf_counter = time.time = lambda: 0.0
        real(1000)
