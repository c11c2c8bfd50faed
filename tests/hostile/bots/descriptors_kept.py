"""Leaves itself no descriptor and plays on."""
# family: resources
# verdict: none

import os

from arena import Bot


KEPT = []


class Hostile(Bot):
    def act(self, view):
        try:
            while True:
                KEPT.append(os.dup(0))
        except OSError:
            return view.legal[0]
