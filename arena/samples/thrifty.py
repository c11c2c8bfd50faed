"""Thrifty: spends little. Saves its trumps, leads low pairs, and knows when taking is cheaper than beating."""

from arena import Bot, Card, Move, View
from arena.durak import RANKS, MoveKind


class Thrifty(Bot):
    """Plays by what a card is worth later, not by whether it fits now."""

    def act(self, view: View) -> Move:
        if not view.table:
            return self.lead(view)
        if view.seat == view.defender:
            return self.defend(view)
        return self.throw_in(view)

    def lead(self, view: View) -> Move:
        """A low card, rather one of which more can be thrown in; a trump when there is nothing else.

        With the talon empty, getting rid of many cards counts more than their rank.
        """
        plain = [card for card in view.hand if card.suit != view.trump]
        worth_of_another = 2 if view.talon_count > 0 else 10

        def cost(move: Move) -> int:
            card = move.cards[0]
            if card.suit == view.trump:
                return 100 + RANKS.index(card.rank)
            others = sum(other.rank == card.rank for other in plain) - 1
            return RANKS.index(card.rank) - worth_of_another * others

        return min(view.legal, key=cost)

    def defend(self, view: View) -> Move:
        """Beats each card with the cheapest that can; takes when not all can be beaten, or only with two trumps while
        there are cards to draw."""
        beats: dict[Card, Move] = {}
        for move in view.legal:
            if move.kind is MoveKind.TRANSFER and move.cards[0].suit != view.trump:
                return move
            if move.kind is MoveKind.BEAT and move.target is not None:
                beats.setdefault(move.target, move)
        unbeaten = [attack for attack, beating in view.table if beating is None]
        trumps = sum(move.cards[0].suit == view.trump for move in beats.values())
        if len(beats) < len(unbeaten) or (trumps > 1 and view.talon_count > 0):
            return view.legal[-1]
        # The dearest first: if it turns out that one card was to do the work of two, less is lost.
        return max(beats.values(), key=lambda move: view.legal.index(move))

    def throw_in(self, view: View) -> Move:
        """Whatever fits, but of the trumps only the two lowest while there are cards to draw."""
        cheapest, last = view.legal[0], view.legal[-1]
        dear = [card for card in cheapest.cards if card.suit == view.trump and card.rank not in "67"]
        return last if dear and view.talon_count > 0 else cheapest
