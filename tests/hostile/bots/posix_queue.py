"""A queue of the other kind."""
# family: between-games
# verdict: none
# backends: docker
# machine: x86_64

import ctypes
import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            if ctypes.CDLL(None, use_errno=True).syscall(240, b"left", 0o102, 0o666, 0) < 0:
                raise OSError(ctypes.get_errno())
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
