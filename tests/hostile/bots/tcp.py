"""Opens a TCP connection."""
# family: reach
# verdict: none

import socket

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            socket.create_connection(("127.0.0.1", 80), 0.1)
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
