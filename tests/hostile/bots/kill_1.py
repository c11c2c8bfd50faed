"""Kills process 1."""
# family: process
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            for number in range(1, 65):
                try:
                    os.kill(1, number)
                except OSError:
                    continue
                raise SystemError("it signalled the keeper")
            raise OSError
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
