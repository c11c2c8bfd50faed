"""Starts threads for ever."""
# family: resources
# verdict: none

import threading

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            for _ in range(50):
                try:
                    threading.Thread(target=threading.Event().wait).start()
                except RuntimeError:
                    continue
                raise SystemError("a thread")
            raise OSError
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
