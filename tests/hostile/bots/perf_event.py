"""Counts what the CPU does for others."""
# family: reach
# verdict: none
# backends: docker
# machine: x86_64

import ctypes
import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            if (
                ctypes.CDLL(None, use_errno=True).syscall(
                    298, ctypes.create_string_buffer(b"\0\0\0\0\x70", 112), 0, -1, -1, 0
                )
                < 0
            ):
                raise OSError(ctypes.get_errno())
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
