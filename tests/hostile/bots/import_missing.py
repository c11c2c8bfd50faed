"""Imports what is not there."""
# family: exceptions
# verdict: load

import requests_of_somebody

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        return requests_of_somebody.act(view)
