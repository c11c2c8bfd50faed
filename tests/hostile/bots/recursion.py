"""Calls itself for ever."""
# family: exceptions
# verdict: crash

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        return self.act(view)
