"""One string of two thousand million characters."""
# family: resources
# verdict: memory
# limits: slow

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        return "x" * 2 * 10**9
