"""Gigabytes to standard error."""
# family: output
# verdict: output

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        while True:
            os.write(2, b"x" * 65536)
