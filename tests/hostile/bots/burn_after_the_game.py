"""A timer goes on burning when the game is over."""
# family: time
# verdict: none | pondering

import signal

from arena import Bot


def burn(*_):
    while True:
        pass


class Hostile(Bot):
    def act(self, view):
        signal.signal(signal.SIGPROF, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        signal.signal(signal.SIGALRM, burn)
        return view.legal[0]
