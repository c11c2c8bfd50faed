"""Becomes root."""
# family: reach
# verdict: none
# backends: docker

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            os.setresuid(0, 0, 0)
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
