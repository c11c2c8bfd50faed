"""Traces what started it."""
# family: reach
# verdict: none
# backends: docker process
# machine: x86_64

import ctypes
import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            if ctypes.CDLL(None, use_errno=True).syscall(101, 16, os.getppid(), 0, 0) < 0:
                raise OSError(ctypes.get_errno())
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
