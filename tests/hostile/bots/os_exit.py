"""Exits at once."""
# family: process
# verdict: crash

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        os._exit(0)
