"""Makes chance predictable."""
# family: trust
# verdict: none

import random

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        random.random = lambda: 0.5
        random.seed(1)
        return view.legal[0]
