"""Changes its own file for the next game."""
# family: between-games
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            with open(__file__, "a") as file:
                file.write("left")
                file.flush()
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
