"""Takes memory in a million small pieces."""
# family: resources
# verdict: memory
# limits: slow

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        kept = []
        while True:
            kept.append([len(kept)])
