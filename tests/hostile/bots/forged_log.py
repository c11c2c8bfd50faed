"""Writes a verdict into its log."""
# family: output
# verdict: crash

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        print("failure: seat 1, reason time")
        raise RuntimeError
