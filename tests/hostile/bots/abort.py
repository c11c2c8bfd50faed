"""Aborts."""
# family: process
# verdict: crash

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        os.abort()
