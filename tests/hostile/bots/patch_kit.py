"""Replaces the kit's own functions."""
# family: trust
# verdict: none

import arena.bot.host

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        arena.bot.host.load_bot = arena.bot.host.find_bot = None
        return view.legal[0]
