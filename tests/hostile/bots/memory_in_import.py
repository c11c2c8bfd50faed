"""Takes all memory before it has played."""
# family: resources
# verdict: memory

from arena import Bot

TABLE = bytearray(2 * 10**9)


class Hostile(Bot):
    def act(self, view):
        return view.legal[0]
