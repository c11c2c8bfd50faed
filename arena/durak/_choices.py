"""The lists of moves that a set of cards allows, made once for each set and then looked up.

What a player may do depends on few things: the cards he holds that fit, and the trump that orders them. So every list
of legal moves is worked out from the rules once and remembered. The lists are shared: nobody may change one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Final

from arena.durak.cards import ALL_CARDS, CARD_OF_MASK, RANKS, SUIT_MASKS, Card, cards_of
from arena.durak.moves import BEAT_OF, LAY_OF, MOVES, PASS, TAKE, TRANSFER_OF, Move

REMEMBERED: Final = 4096
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

    __slots__ = ("beaters", "beats", "beats_and_transfers", "same_rank")

    beaters: int
    """The cards that beat at least one of them."""
    same_rank: int
    """The cards of their ranks."""
    beats: Remembered
    """By the beaters held: the beats, then `take`."""
    beats_and_transfers: Remembered
    """By the beaters and cards of the rank held: the beats and transfers, then `take`."""

    def __init__(self, unbeaten: int, trump: str) -> None:
        targets = cards_of(unbeaten, trump)
        beaters = {target: beaters_of(target, trump) for target in targets}
        self.beaters = 0
        self.same_rank = 0
        for target in targets:
            self.beaters |= beaters[target]
            self.same_rank |= target.same_rank

        def beats_with(card: Card) -> list[Move]:
            return [BEAT_OF[target.mask][card.mask] for target in targets if beaters[target] & card.mask]

        def make_beats(held: int) -> list[Move]:
            return [move for card in cards_of(held, trump) for move in beats_with(card)] + [TAKE]

        def make_beats_and_transfers(held: int) -> list[Move]:
            moves = []
            for card in cards_of(held, trump):
                moves += beats_with(card)
                if card.mask & self.same_rank:
                    moves.append(TRANSFER_OF[card.mask])
            return [*moves, TAKE]

        self.beats = Remembered(make_beats)
        self.beats_and_transfers = Remembered(make_beats_and_transfers)


class Choices:
    """All lists of legal moves under one trump, from cheapest to dearest, `take` and `pass` last."""

    __slots__ = ("_groups", "_singles", "_thirds", "_trumps", "defences", "throws", "trump", "trumps")

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
        self.defences = Defences(trump)
        """By the unbeaten cards: what can be done against them."""

    def leads(self, hand: int) -> list[Move]:
        """Leads of one card."""
        low, middle, high = self._thirds
        singles = self._singles
        return singles[hand & low] + singles[hand & middle] + singles[hand & high] + singles[hand & self._trumps]

    def group_leads(self, hand: int, cap: int) -> list[Move]:
        """Leads of one card or of several of one rank, no more than `cap` cards: those of a rank together, single cards
        first; groups with a trump among the trumps."""
        groups = self._groups
        moves = []
        for third in self._thirds:
            moves += groups[hand & third]
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


class Defences(dict[int, Defence]):
    """`Defence` by set of unbeaten cards, made when it is asked for first."""

    __slots__ = ("_trump",)

    def __init__(self, trump: str) -> None:
        super().__init__()
        self._trump = trump

    def __missing__(self, unbeaten: int) -> Defence:
        if len(self) >= REMEMBERED:
            self.clear()
        defence = self[unbeaten] = Defence(unbeaten, self._trump)
        return defence


def beaters_of(target: Card, trump: str) -> int:
    """The cards that beat `target`: higher ones of its suit, and every trump when it is a plain card."""
    return sum(
        card.mask
        for card in CARD_OF_MASK.values()
        if (card.suit == target.suit and card.mask > target.mask) or (card.suit == trump != target.suit)
    )


@lru_cache(maxsize=4)
def choices_under(trump: str) -> Choices:
    """The lists under `trump`."""
    return Choices(trump)
