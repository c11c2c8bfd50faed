"""Hangs when it is thrown away."""
# family: process
# verdict: none

import time

from arena import Bot


class Clings:
    def __del__(self):
        time.sleep(1000)


KEPT = []


class Hostile(Bot):
    def act(self, view):
        KEPT.append(Clings())
        return view.legal[0]
