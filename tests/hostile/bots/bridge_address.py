"""Reaches for the engine's bridge."""
# family: reach
# verdict: none

import socket

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            socket.create_connection(("172.17.0.1", 2375), 0.1)
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
