"""Kills itself when imported."""
# family: process
# verdict: load

import os

from arena import Bot

os.kill(os.getpid(), 9)


class Hostile(Bot):
    def act(self, view):
        return view.legal[0]
