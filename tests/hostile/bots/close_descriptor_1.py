"""Closes descriptor 1."""
# family: output
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            os.close(1)
        except OSError:
            pass
        return view.legal[0]
