"""Cards, and sets of cards as whole numbers.

There are 36 `Card` objects and never another: two cards are the same card exactly when they are the same object.

Inside the engine a set of cards is an `int`, one bit a card (`Card.mask`). The bits run by rank and, within a rank, by
suit, so that walking a set from its lowest bit upwards walks it from the lowest rank to the highest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, NoReturn

RANKS: Final = ("6", "7", "8", "9", "T", "J", "Q", "K", "A")
"""The ranks, low to high."""

SUITS: Final = ("c", "d", "h", "s")
"""Clubs, diamonds, hearts, spades."""


class DeckError(ValueError):
    """The cards given are not a deck; the sentence says which card is wrong."""


class Card:
    """One of the 36 cards. `Card("7h")` is the seven of hearts, always the same object.

    Cards are immutable, hashable and ordered by `index`; `str(card)` is rank then suit.
    """

    __slots__ = ("index", "mask", "rank", "same_rank", "suit", "text")

    _by_text: ClassVar[dict[str, Card]] = {}

    rank: str
    """"6" to "A"."""
    suit: str
    """"c", "d", "h" or "s"."""
    index: int
    """0 to 35: nine times the suit's place in `SUITS`, plus the rank's place in `RANKS`."""
    mask: int
    """The set that holds this card alone."""
    same_rank: int
    """The set of the four cards of this rank."""
    text: str
    """Rank then suit, as `str(card)` gives it."""

    def __new__(cls, text: str) -> Card:
        try:
            return cls._by_text[text]
        except (KeyError, TypeError):
            raise ValueError(
                f"{text!r} is not a card: write a rank of 6 7 8 9 T J Q K A, then a suit of c d h s"
            ) from None

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card written `text`; ValueError when there is none."""
        return cls(text)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a card cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a card cannot be changed: {name}")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.text!r})"

    def __hash__(self) -> int:
        # The same in every process, unlike the hash of a text: a bot that loops over a set of cards can be replayed.
        return self.index

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index if isinstance(other, Card) else NotImplemented

    def __le__(self, other: Card) -> bool:
        return self.index <= other.index if isinstance(other, Card) else NotImplemented

    def __gt__(self, other: Card) -> bool:
        return self.index > other.index if isinstance(other, Card) else NotImplemented

    def __ge__(self, other: Card) -> bool:
        return self.index >= other.index if isinstance(other, Card) else NotImplemented

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self.text,)


def _make_card(suit: int, rank: int) -> Card:
    card = object.__new__(Card)
    values = {
        "rank": RANKS[rank],
        "suit": SUITS[suit],
        "index": 9 * suit + rank,
        "mask": 1 << (4 * rank + suit),
        "same_rank": 0b1111 << (4 * rank),
        "text": RANKS[rank] + SUITS[suit],
    }
    for name, value in values.items():
        object.__setattr__(card, name, value)
    return card


CARDS: Final = tuple(_make_card(suit, rank) for suit in range(4) for rank in range(9))
"""All cards, in the order of their index."""

Card._by_text.update({card.text: card for card in CARDS})

ALL_CARDS: Final = sum(card.mask for card in CARDS)
"""The set of all cards."""

SUIT_MASKS: Final = {suit: sum(card.mask for card in CARDS if card.suit == suit) for suit in SUITS}
"""The set of the nine cards of each suit."""

CARD_OF_MASK: Final = {card.mask: card for card in CARDS}
"""The card of a set of one."""


def mask_of(cards: Iterable[Card]) -> int:
    """The set of `cards`."""
    mask = 0
    for card in cards:
        mask |= card.mask
    return mask


def cards_of(mask: int, trump: str) -> tuple[Card, ...]:
    """The cards of a set, from cheapest to dearest under `trump`: plain cards by rank, then trumps by rank; cards of
    one rank in the order of `SUITS`."""
    trumps = mask & SUIT_MASKS[trump]
    cards = []
    for part in (mask ^ trumps, trumps):
        while part:
            lowest = part & -part
            cards.append(CARD_OF_MASK[lowest])
            part ^= lowest
    return tuple(cards)


def read_deck(deck: Sequence[Card | str]) -> list[Card]:
    """`deck` as cards; DeckError unless it is the 36 cards, each of them once."""
    cards = [item if isinstance(item, Card) else _read_card(item, place) for place, item in enumerate(deck)]
    if len(cards) != len(CARDS):
        raise DeckError(f"A deck has 36 cards, this one has {len(cards)}")
    if mask_of(cards) != ALL_CARDS:
        twice = next(card for card in cards if cards.count(card) > 1)
        raise DeckError(f"A deck has each card once, this one has {twice} {cards.count(twice)} times")
    return cards


def _read_card(text: str, place: int) -> Card:
    try:
        return Card(text)
    except ValueError as error:
        raise DeckError(f"Card {place} of the deck: {error}") from None
