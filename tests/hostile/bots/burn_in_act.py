"""Computes for ever."""
# family: time
# verdict: time

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        while True:
            pass
