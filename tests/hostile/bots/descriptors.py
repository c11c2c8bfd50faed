"""Opens descriptors until there are none."""
# family: resources
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            kept = [os.open("/dev/null", os.O_RDONLY) for _ in range(100_000)]
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
