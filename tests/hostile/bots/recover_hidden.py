"""Looks through its whole memory for the other's cards."""
# family: trust
# verdict: none
# limits: slow

import gc

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        for thing in gc.get_objects():
            if type(thing).__name__ in ("Game", "GameRecord") and len(getattr(thing, "deck", ())) == 36:
                raise SystemError("the deck is here")
        return view.legal[0]
