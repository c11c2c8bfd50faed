"""Calls itself for ever."""
# verdict: crash

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        return self.act(view)
