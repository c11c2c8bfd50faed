"""Takes precedence."""
# family: time
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            os.setpriority(os.PRIO_PROCESS, 0, -20)
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
