"""Connects to the platform a second time."""
# family: protocol
# verdict: none

import socket

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            socket.socket(socket.AF_UNIX).connect("/box/link/socket")
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
