"""Lowest: always the cheapest card. Six words of strategy, and already hard for a beginner."""

from arena import Bot, Move, View


class Lowest(Bot):
    """Plays its cheapest legal move: it beats whenever it can and throws in whatever fits."""

    def act(self, view: View) -> Move:
        return view.legal[0]
