"""A card that it does not hold."""
# family: trust
# verdict: illegal

import arena

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        held = set(map(str, view.hand))
        return next(str(card) for card in view.unseen if str(card) not in held)
