"""Gigabytes to standard output."""
# family: output
# verdict: output

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        while True:
            print("x" * 100_000)
