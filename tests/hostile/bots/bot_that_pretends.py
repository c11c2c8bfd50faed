"""A metaclass answers every question about the class."""
# family: exceptions
# verdict: load | crash

from arena import Bot


class Meta(type(Bot)):
    def __getattribute__(cls, name):
        raise SystemExit


class Hostile(Bot, metaclass=Meta):
    def act(self, view):
        return view.legal[0]
