"""Raises KeyboardInterrupt."""
# family: exceptions
# verdict: crash

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        raise KeyboardInterrupt("no")
