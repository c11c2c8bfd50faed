"""The lists of moves that a set of cards allows, made once for each set and then looked up.

What a player may do depends on few things: the cards he holds that fit, and the trump that orders them. So every list
of legal moves is worked out from the rules once and remembered. The lists are shared: nobody may change one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Final

from arena.durak.cards import ALL_CARDS, CARDS, RANKS, SUIT_MASKS, Card, cards_of
from arena.durak.moves import BEAT_OF, LAY_OF, MOVES, PASS, TAKE, TRANSFER_OF, Move

REMEMBERED: Final = 2048
"""How many lists of one kind are kept: a bot that searches for hours must not fill its memory with them."""


class Remembered(dict[int, list[Move]]):
    """Lists of moves by set of cards: `remembered[mask]` makes the list when it is asked for first."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[int], list[Move]]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, mask: int) -> list[Move]:
        if len(self) >= REMEMBERED:
            self.clear()
        moves = self[mask] = self._make(mask)
        return moves


class Defence:
    """What can be done against one set of unbeaten cards."""

    __slots__ = ("_plain", "_trumps", "_uses")

    def __init__(self, unbeaten: int, trump: str, transfer: bool) -> None:
        targets = [(target, beaters_of(target, trump)) for target in cards_of(unbeaten, trump)]
        # Card by card what each can do: beat this target or that, transfer.
        self._uses: dict[int, list[Move]] = {}
        for card in CARDS:
            uses = [BEAT_OF[target.mask][card.mask] for target, beaters in targets if beaters & card.mask]
            if transfer and any(card.rank == target.rank for target, _ in targets):
                uses.append(TRANSFER_OF[card.mask])
            if uses:
                self._uses[card.mask] = uses
        useful = sum(self._uses)
        self._trumps = useful & SUIT_MASKS[trump]
        self._plain = useful ^ self._trumps

    def moves(self, hand: int) -> list[Move]:
        """What `hand` allows: beats, transfers where they are possible, and `take`."""
        moves = []
        for cards in (hand & self._plain, hand & self._trumps):
            while cards:
                cheapest = cards & -cards
                moves += self._uses[cheapest]
                cards ^= cheapest
        moves.append(TAKE)
        return moves


class Defences(dict[int, Defence]):
    """`Defence` by set of unbeaten cards, made when it is asked for first."""

    __slots__ = ("_transfer", "_trump")

    def __init__(self, trump: str, transfer: bool) -> None:
        super().__init__()
        self._trump = trump
        self._transfer = transfer

    def __missing__(self, unbeaten: int) -> Defence:
        if len(self) >= REMEMBERED:
            self.clear()
        defence = self[unbeaten] = Defence(unbeaten, self._trump, self._transfer)
        return defence


class Choices:
    """All lists of legal moves under one trump, from cheapest to dearest, `take` and `pass` last."""

    __slots__ = ("_groups", "_singles", "_thirds", "_trumps", "defences", "throws", "transfers", "trump", "trumps")

    def __init__(self, trump: str) -> None:
        self.trump = trump
        self._trumps = SUIT_MASKS[trump]
        self.trumps = cards_of(self._trumps, trump)
        """The trumps by rank."""
        plain = ALL_CARDS & ~self._trumps
        # Hands are many, so the list for a hand is put together from those of its low, middle and high plain cards and
        # its trumps: 512 sets each.
        self._thirds = (plain & 0xFFF, plain & 0xFFF << 12, plain & 0xFFF << 24)
        self._singles = Remembered(lambda mask: [LAY_OF[card.mask] for card in cards_of(mask, trump)])
        self._groups = Remembered(self._make_groups)
        self.throws = Remembered(lambda mask: [*self.leads(mask), PASS])
        """By the cards that fit: throwing each of them in, then `pass`."""
        self.defences = Defences(trump, transfer=False)
        """By the unbeaten cards: what can be done against them."""
        self.transfers = Defences(trump, transfer=True)
        """The same where a card of the rank transfers."""

    def leads(self, hand: int) -> list[Move]:
        """Leads of one card."""
        low, middle, high = self._thirds
        singles = self._singles
        return singles[hand & low] + singles[hand & middle] + singles[hand & high] + singles[hand & self._trumps]

    def group_leads(self, hand: int, cap: int) -> list[Move]:
        """Leads of one card or of several of one rank, no more than `cap` cards: those of a rank together, single cards
        first; groups with a trump among the trumps."""
        low, middle, high = self._thirds
        groups = self._groups
        moves = groups[hand & low] + groups[hand & middle] + groups[hand & high]
        for trump in cards_of(hand & self._trumps, self.trump):
            moves += groups[hand & trump.same_rank]
        return moves if cap >= 4 else [move for move in moves if len(move.cards) <= cap]

    def _make_groups(self, mask: int) -> list[Move]:
        """Single cards and groups of plain cards, or, when there is a trump in `mask`, those that hold it."""
        trump = mask & self._trumps
        cards = cards_of(mask, self.trump)
        moves = []
        for rank in RANKS:
            # In a group's notation the suits are in the order c d h s, a trump among them.
            of_rank = sorted(card for card in cards if card.rank == rank)
            for size in range(1, len(of_rank) + 1):
                for group in combinations(of_rank, size):
                    move = MOVES["+".join(card.text for card in group)]
                    if not trump or move.mask & trump:
                        moves.append(move)
        return moves


def beaters_of(target: Card, trump: str) -> int:
    """The cards that beat `target`: higher ones of its suit, and every trump when it is a plain card."""
    return sum(
        card.mask
        for card in CARDS
        if (card.suit == target.suit and card.mask > target.mask) or (card.suit == trump != target.suit)
    )


@lru_cache(maxsize=4)
def choices_under(trump: str) -> Choices:
    """The lists under `trump`."""
    return Choices(trump)
