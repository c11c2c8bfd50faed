"""Writes to descriptors 0 to 20."""
# family: output
# verdict: protocol

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        for number in range(21):
            try:
                os.write(number, b"junk\n")
            except OSError:
                pass
        return view.legal[0]
