"""Sleeps when it is made."""
# family: time
# verdict: load

import time

from arena import Bot


class Hostile(Bot):
    def __init__(self, game):
        time.sleep(1000)

    def act(self, view):
        return view.legal[0]
