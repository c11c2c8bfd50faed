"""Lets the platform's JSON lie."""
# family: trust
# verdict: none

import json

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        json.dumps = json.loads = json.JSONEncoder.encode = json.JSONDecoder.decode = lambda *_, **__: (
            '{"n":0,"ready":true}'
        )
        return view.legal[0]
