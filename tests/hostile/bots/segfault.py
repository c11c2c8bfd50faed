"""Reads where nothing is."""
# family: process
# verdict: crash

import ctypes

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        ctypes.string_at(0)
