"""A text that is another one each time it is looked at."""
# family: parsing
# verdict: illegal | none

from arena import Bot


class Shifting(str):
    def __str__(self):
        return "take"

    def encode(self, *_):
        return b"win"


class Hostile(Bot):
    def act(self, view):
        return Shifting(view.legal[0])
