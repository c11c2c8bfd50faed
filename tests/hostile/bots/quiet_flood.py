"""A little too much in each turn."""
# family: output
# verdict: output

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        print("x" * 300_000)
        return view.legal[0]
