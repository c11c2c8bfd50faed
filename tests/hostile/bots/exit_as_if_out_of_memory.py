"""Exits with the status that stands for a lack of memory."""
# family: resources
# verdict: crash | memory

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        os._exit(86)
