"""Closes descriptor 3."""
# family: output
# verdict: crash

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            os.close(3)
        except OSError:
            pass
        return view.legal[0]
