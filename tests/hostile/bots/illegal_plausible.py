"""A move that looks right."""
# family: trust
# verdict: illegal

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        return "pass" if str(view.legal[-1]) != "pass" else "take"
