"""Exits when imported."""
# family: process
# verdict: load

import os

from arena import Bot

os._exit(0)


class Hostile(Bot):
    def act(self, view):
        return view.legal[0]
