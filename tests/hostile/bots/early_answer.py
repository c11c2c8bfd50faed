"""Answers the next question before it is asked."""
# family: protocol
# verdict: protocol

import sys

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
        if number > 1:
            return view.legal[0]
        connection.sendall(
            b'{"n":%d,"move":"%s"}\n{"n":%d,"move":"take"}\n' % (number, str(view.legal[0]).encode(), number + 1)
        )
        return view.legal[0]
