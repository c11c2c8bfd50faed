"""Changes what the frame above holds."""
# family: trust
# verdict: none

import sys

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        frame = sys._getframe()
        while frame is not None:
            for name in ("question", "legal", "info", "number", "lines", "nonce", "stage"):
                if name in frame.f_locals:
                    frame.f_locals[name] = None
            frame = frame.f_back
        return view.legal[0]
