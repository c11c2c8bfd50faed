"""Catches MemoryError and goes on taking."""
# family: resources
# verdict: time

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        kept = []
        while True:
            try:
                kept.append(bytearray(10**6))
            except MemoryError:
                pass
