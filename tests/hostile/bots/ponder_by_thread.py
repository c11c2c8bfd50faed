"""A thread lets it think in the other's turn."""
# family: time
# verdict: none

import threading

from arena import Bot


def burn():
    while True:
        pass


class Hostile(Bot):
    def act(self, view):
        try:
            threading.Thread(target=burn, daemon=True).start()
        except RuntimeError:
            return view.legal[0]
        raise SystemError("it was possible")
