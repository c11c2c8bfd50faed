"""One number of ten thousand million bits."""
# family: resources
# verdict: memory
# limits: slow

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        return str(1 << 10**10)
