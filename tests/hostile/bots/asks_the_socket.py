"""Asks its connection where it leads: to a folder of the host, by its name there."""
# family: reach
# verdict: none

import ctypes
import sys

from arena import Bot

libc = ctypes.CDLL(None)


def wire():
    """The connection, from the frame above."""
    frame = sys._getframe()
    while "connection" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["connection"]


class Hostile(Bot):
    def act(self, view):
        connection = wire()
        for ask in (connection.getpeername, connection.getsockname):
            try:
                raise SystemError(f"it leads to {ask()!r}")
            except OSError:
                pass
        for ask in (libc.getpeername, libc.getsockname):
            name, length = ctypes.create_string_buffer(128), ctypes.c_int(128)
            if ask(connection.fileno(), name, ctypes.byref(length)) == 0:
                raise SystemError(f"it leads to {name.raw!r}")
        return view.legal[0]
