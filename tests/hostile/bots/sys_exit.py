"""Exits."""
# family: process
# verdict: crash

import sys

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        sys.exit(0)
