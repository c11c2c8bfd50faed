"""Thinks as long as it may, each time, until the bank is empty."""
# family: time
# verdict: time
# limits: bank

import time

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        time.sleep(min(0.35, view.clock))
        return view.legal[0]
