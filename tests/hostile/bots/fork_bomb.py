"""Forks for ever."""
# family: resources
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            for _ in range(50):
                try:
                    os.fork()
                except OSError:
                    continue
                raise SystemError("it forked")
            raise OSError
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
