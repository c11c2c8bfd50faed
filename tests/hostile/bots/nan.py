"""NaN for the number."""
# family: parsing
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
        connection.sendall(b'{"n":NaN,"move":"take"}\n')
        connection.recv(1000)
        raise SystemExit
