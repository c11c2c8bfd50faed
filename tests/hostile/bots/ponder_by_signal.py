"""A timer lets it think in the other's turn."""
# family: time
# verdict: pondering
# opponent: slow_thinker
# limits: watchful

import signal
import time

from arena import Bot


BURNING = False


def burn(*_):
    global BURNING
    if BURNING:
        return
    BURNING = True
    stop = time.process_time() + 0.0003
    while time.process_time() < stop:
        pass
    BURNING = False


class Hostile(Bot):
    def act(self, view):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, burn)
        signal.setitimer(signal.ITIMER_REAL, 0.0004, 0.0004)
        return view.legal[0]
