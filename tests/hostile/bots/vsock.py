"""Reaches for the hypervisor."""
# family: reach
# verdict: none

import socket

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
