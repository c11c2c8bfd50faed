"""Asks for an address."""
# family: reach
# verdict: none

import socket

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            socket.getaddrinfo("example.org", 80)
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
