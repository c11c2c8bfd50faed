"""Sleeps before it has played."""
# family: time
# verdict: load

import time

from arena import Bot

time.sleep(1000)


class Hostile(Bot):
    def act(self, view):
        return view.legal[0]
