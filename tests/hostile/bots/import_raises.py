"""Raises when imported."""
# family: exceptions
# verdict: load

from arena import Bot

raise BaseException("not today")


class Hostile(Bot):
    def act(self, view):
        return view.legal[0]
