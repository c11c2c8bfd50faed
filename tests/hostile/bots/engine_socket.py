"""Talks to the container engine."""
# family: reach
# verdict: none

import socket

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock")
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
