"""Thrifty: spends little. Saves trumps and high cards, leads low pairs, and knows when taking is cheaper."""

from arena import Bot, Card, Move, View
from arena.durak import RANKS, MoveKind

TRUMP = 10  # what a trump is worth beyond its rank
PAIR = 3  # how many ranks dearer a card may be if another of its rank can follow it
DEAR_TRUMP = 12  # while there are cards to draw, a defence that costs more than this is not worth it
THROW = 5  # while there are cards to draw, plain cards up to this rank (J) are thrown in


class Thrifty(Bot):
    """Plays by the price of each card: its rank from 0 to 8, and 10 more for a trump."""

    def act(self, view: View) -> Move:
        if not view.table:
            return self.lead(view)
        if view.seat == view.defender:
            return self.defend(view)
        return self.throw_in(view)

    def price(self, view: View, card: Card) -> int:
        return RANKS.index(card.rank) + (TRUMP if card.suit == view.trump else 0)

    def lead(self, view: View) -> Move:
        """The cheapest card, or a slightly dearer one of which a pair can be thrown in later."""

        def cost(move: Move) -> int:
            card = move.cards[0]
            if card.suit == view.trump:
                return self.price(view, card)
            pair = sum(other.rank == card.rank and other.suit != view.trump for other in view.hand) - 1
            return self.price(view, card) - PAIR * pair

        return min((move for move in view.legal if len(move.cards) == 1), key=cost)

    def defend(self, view: View) -> Move:
        """Beats with the cheapest cards unless that costs dear trumps, or cannot be done to the end."""
        cheapest: dict[Card, Move] = {}
        for move in view.legal:
            if move.kind is MoveKind.TRANSFER and move.cards[0].suit != view.trump:
                return move
            if move.kind is MoveKind.BEAT and move.target is not None:
                cheapest.setdefault(move.target, move)
        unbeaten = [attack for attack, beating in view.table if beating is None]
        if len(cheapest) < len(unbeaten):
            return view.legal[-1]
        dearest = max(cheapest.values(), key=lambda move: self.price(view, move.cards[0]))
        if view.talon_count > 0 and self.price(view, dearest.cards[0]) > DEAR_TRUMP and len(view.table) < 3:
            return view.legal[-1]
        return dearest

    def throw_in(self, view: View) -> Move:
        """Throws in what it can spare: low plain cards while there are cards to draw, later every plain card."""
        move = view.legal[0]
        if move.kind is MoveKind.PASS:
            return move
        price = self.price(view, move.cards[0])
        if price <= THROW or (view.talon_count == 0 and price < TRUMP):
            return move
        return view.legal[-1]
