"""A line more than was asked for."""
# family: protocol
# verdict: protocol

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
        connection.sendall(
            b'{"n":%d,"move":"%s"}\n{"n":%d,"move":"%s"}\n'
            % (number, str(view.legal[0]).encode(), number + 1, str(view.legal[0]).encode())
        )
        time.sleep(1000)
        return view.legal[0]
