"""Defines two bots."""
# family: exceptions
# verdict: load

from arena import Bot


class One(Bot):
    def act(self, view):
        return view.legal[0]


class Two(Bot):
    def act(self, view):
        return view.legal[0]
