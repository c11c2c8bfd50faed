"""Answers nothing."""
# family: trust
# verdict: illegal | crash | protocol

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        return None
