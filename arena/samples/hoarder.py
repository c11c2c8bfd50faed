"""Hoarder: trumps are for the end. Never parts with one while there are cards to draw."""

from arena import Bot, Move, View
from arena.durak import MoveKind


class Hoarder(Bot):
    """Plays its cheapest plain card, and rather takes or passes than spend a trump before the talon is empty."""

    def act(self, view: View) -> Move:
        if view.talon_count == 0:
            return view.legal[0]
        for move in view.legal:
            if move.cards and all(card.suit != view.trump for card in move.cards):
                return move
        # No plain card fits: `take` or `pass` stands last, or it must lead and the cheapest trump stands first.
        last = view.legal[-1]
        return last if last.kind in (MoveKind.TAKE, MoveKind.PASS) else view.legal[0]
