"""Calls itself for ever, the limit raised."""
# family: resources
# verdict: time | memory | crash

import sys

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        sys.setrecursionlimit(10**9)
        return self.act(view)
