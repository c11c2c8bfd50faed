"""Sends a line while the other thinks."""
# family: protocol
# verdict: protocol
# opponent: slow_thinker

import signal
import sys

from arena import Bot


def wire():
    """The connection and the number of the question, from the frame above."""
    frame = sys._getframe()
    while "connection" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["connection"], frame.f_locals["number"]


CONNECTION = None


def speak(*_):
    CONNECTION.send(b"me again\n")


class Hostile(Bot):
    def act(self, view):
        global CONNECTION
        CONNECTION, _ = wire()
        signal.signal(signal.SIGALRM, speak)
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        return view.legal[0]
