"""Counting: remembers every card. Knows who holds what it saw them pick up, and how likely they hold the rest."""

from collections.abc import Sequence

from arena import Bot, Card, Move, View
from arena.durak import RANKS, MoveKind

RANK = {rank: index for index, rank in enumerate(RANKS)}
FOLLOW = 6  # ranks dearer a card may be if it spares one card that can be thrown in after it
EARLY = 6  # cards in the talon above which a trump is worth more than picking up a card or two


class Counting(Bot):
    """Beats with ranks that nobody can follow, and leads what cannot be beaten once it knows the other hand."""

    def act(self, view: View) -> Move:
        if not view.table:
            return self.lead(view)
        if view.seat == view.defender:
            return self.defend(view)
        return self.throw_in(view)

    # What it knows

    def expect(self, view: View, seat: int, rank: str) -> float:
        """How many cards of a rank a seat holds: those it was seen to pick up, and its share of the unseen ones."""
        known, unseen = view.known(seat), view.unseen
        share = (view.hand_counts[seat] - len(known)) / max(1, len(unseen))
        return sum(card.rank == rank for card in known) + share * sum(card.rank == rank for card in unseen)

    def hand_of(self, view: View, seat: int) -> tuple[Card, ...] | None:
        """The whole hand of a seat where that is certain, else None."""
        known, unseen = view.known(seat), view.unseen
        hidden = view.hand_counts[seat] - len(known)
        return (*known, *unseen) if hidden == len(unseen) else known if hidden == 0 else None

    # What it does

    def lead(self, view: View) -> Move:
        """Low cards of which it has several, as long as nothing is known; what the defender cannot beat, if it is."""
        plain = [card for card in view.hand if card.suit != view.trump]
        worth_of_another = 2 if view.talon_count > 0 else 10
        against = self.hand_of(view, view.defender)

        def cost(move: Move) -> int:
            card = move.cards[0]
            together = [other for other in plain if other.rank == card.rank] or [card]
            if card.suit == view.trump:
                price = 100 + RANK[card.rank]
            else:
                price = RANK[card.rank] - worth_of_another * (len(together) - 1)
            if view.talon_count == 0 and against is not None and not can_beat(together, against, view.trump):
                price -= 20
            return price

        return min(view.legal, key=cost)

    def defend(self, view: View) -> Move:
        """Beats so that little can be thrown in after it; takes when not all can be beaten, or when that costs trumps
        while there are many cards to draw."""
        on_table = [card for pair in view.table for card in pair if card is not None]
        attackers = [seat for seat, count in enumerate(view.hand_counts) if seat != view.seat and count]

        def price(card: Card) -> float:
            cost = RANK[card.rank] + (10.0 if card.suit == view.trump else 0.0)
            if all(card.rank != other.rank for other in on_table):
                cost += FOLLOW * sum(self.expect(view, seat, card.rank) for seat in attackers)
            return cost

        beats: dict[Card, Move] = {}
        for move in view.legal:
            if move.kind is MoveKind.TRANSFER and move.cards[0].suit != view.trump:
                return move
            if move.kind is MoveKind.BEAT and move.target is not None:
                other = beats.setdefault(move.target, move)
                if price(move.cards[0]) < price(other.cards[0]):
                    beats[move.target] = move
        unbeaten = [attack for attack, beating in view.table if beating is None]
        trumps = sum(move.cards[0].suit == view.trump for move in beats.values())
        affordable = 0 if view.talon_count > EARLY and len(on_table) < 3 else 1 if view.talon_count > 0 else len(beats)
        if len(beats) < len(unbeaten) or trumps > affordable:
            return view.legal[-1]
        return max(beats.values(), key=lambda move: price(move.cards[0]))

    def throw_in(self, view: View) -> Move:
        """Whatever fits, but of the trumps only the two lowest while there are cards to draw."""
        cheapest, last = view.legal[0], view.legal[-1]
        dear = [card for card in cheapest.cards if card.suit == view.trump and card.rank not in "67"]
        return last if dear and view.talon_count > 0 else cheapest


def can_beat(attack: Sequence[Card], hand: Sequence[Card], trump: str) -> bool:
    """Whether a hand can beat all these cards, each with a card of its own."""
    if not attack:
        return True
    first, rest = attack[0], attack[1:]
    return any(
        (RANK[card.rank] > RANK[first.rank] if card.suit == first.suit else card.suit == trump)
        and can_beat(rest, [other for other in hand if other is not card], trump)
        for card in hand
    )
