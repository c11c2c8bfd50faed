"""Raises with a text of a hundred megabytes."""
# family: exceptions
# verdict: crash

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        raise ValueError("x" * 10**8)
