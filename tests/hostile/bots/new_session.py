"""Leaves its session."""
# family: process
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            os.setsid()
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
