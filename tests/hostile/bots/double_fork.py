"""Leaves a grandchild behind."""
# family: process
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            if os.fork() == 0:
                if os.fork() == 0:
                    while True:
                        pass
                os._exit(0)
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
