"""Changes what a move is."""
# family: trust
# verdict: illegal | protocol | crash

import arena

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        arena.Move.__str__ = lambda self: "win"
        return "win"
