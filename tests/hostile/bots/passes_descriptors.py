"""Passes the host descriptors along with its answer."""
# family: protocol
# verdict: time | protocol | crash

import sys
import array
import socket

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
        answer = b'{"n":%d,"move":"%s"}\n' % (number, str(view.legal[0]).encode())
        connection.sendmsg([answer], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * 50))])
        never = connection.recv(100_000)  # the next question, or the end
        return view.legal[0]
