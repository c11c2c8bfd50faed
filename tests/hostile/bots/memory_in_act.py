"""Takes memory until there is none."""
# family: resources
# verdict: memory
# limits: slow

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        kept = []
        while True:
            kept.append(bytearray(10**6))
