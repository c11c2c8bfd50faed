"""Computes for ever in C, where no signal handler runs."""
# family: time
# verdict: time

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        return sum(1 for _ in iter(int, 1))
