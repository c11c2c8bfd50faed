"""Talks to the kernel's network."""
# family: reach
# verdict: none

import socket

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
