"""A socket without a file, for the other seat to find."""
# family: between-games
# verdict: none

import socket

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            socket.socket(socket.AF_UNIX).bind("\0meeting")
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
