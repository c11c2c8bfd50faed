"""Computes for ever before it has played."""
# family: time
# verdict: load

from arena import Bot

while True:
    pass


class Hostile(Bot):
    def act(self, view):
        return view.legal[0]
