"""One byte now and then."""
# family: protocol
# verdict: time

import sys
import time

from arena import Bot


def wire():
    """The connection and the number of the question, from the frame above."""
    frame = sys._getframe()
    while "connection" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["connection"], frame.f_locals["number"]


class Hostile(Bot):
    def act(self, view):
        connection, number = wire()
        while True:
            connection.send(b" ")
            time.sleep(0.05)
        return view.legal[0]
