"""Keeps the process that starts its next game busy, whose CPU time it reads there."""
# family: between-games
# verdict: none
# backends: docker
# limits: slow

import os
import time

from arena import Bot

KEEPER_CLOCK = (~1 << 3) | 2  # the CPU time of process 1, as clock_getcpuclockid(3) numbers it
try:
    WORKED = time.clock_gettime(KEEPER_CLOCK)
except OSError:
    WORKED = 0.0
LOADING = 0.0
"""Seconds that it may be seen to have worked: how long it took over the game before is nobody's business."""


class Hostile(Bot):
    def act(self, view):
        if WORKED > LOADING:
            raise SystemError(f"the keeper has worked for {WORKED} seconds")
        if not hasattr(self, "kept"):
            self.kept = [bytearray(4096) for _ in range(15_000)]  # all of it is to be taken back when the game ends
            self.burnt = 0
            for _ in range(4_000):
                os.write(1, b"x" * 200)  # and read, and kept in part
        if self.burnt < 5:
            self.burnt += 1
            end = sum(os.times()[:2]) + 0.2
            while sum(os.times()[:2]) < end:
                pass
        return view.legal[0]
