"""Closes all descriptors and goes on running."""
# family: output
# verdict: protocol

import os
import time

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        os.closerange(0, 64)
        time.sleep(1000)
