"""Moves and how they are written.

    7h       lay 7h: lead it, or throw it in
    7h+7d    lead a group: cards of one rank, suits in the order c d h s
    7h/9h    beat 7h with 9h
    >7d      transfer with 7d
    take     take the table
    pass     throw in no more

There is one `Move` object for each way of writing, so moves compare by identity. Whether a move is legal is the game's
question: `9h/7h` is a move, and one that no game allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import combinations
from typing import Final, NoReturn

from arena.durak.cards import CARDS, RANKS, Card, mask_of


class MoveKind(StrEnum):
    """What a move does."""

    LAY = "lay"
    """Lay attack cards: lead one, lead a group, or throw one in."""
    BEAT = "beat"
    TRANSFER = "transfer"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 - a word of the game


class IllegalMove(ValueError):  # noqa: N818 - a move is the thing, not an accident
    """The move is not allowed in this position; the sentence says why. The game is as it was."""


class InvalidMove(IllegalMove):
    """The text is not a move in any position."""


class Move:
    """One move. Get it by `Move.parse` or from `Game.legal_moves`; it is immutable, and `str(move)` is its notation."""

    __slots__ = ("cards", "kind", "mask", "same_rank", "target", "target_mask", "text")

    kind: MoveKind
    cards: tuple[Card, ...]
    """The cards that leave the hand, in the order c d h s; none for `take` and `pass`."""
    target: Card | None
    """The attack card that a beat beats."""
    text: str
    """The notation, as `str(move)` gives it."""
    mask: int
    """The set of `cards`."""
    target_mask: int
    """The set that holds `target` alone, empty without one."""
    same_rank: int
    """The set of all four cards of the rank of `cards`, empty without any."""

    def __init__(self) -> None:
        raise TypeError("Moves are written, not made: use Move.parse('7h')")

    @staticmethod
    def parse(text: str) -> Move:
        """The move written `text`; InvalidMove, with a sentence, when there is none."""
        move = MOVES.get(text) if isinstance(text, str) else None
        if move is None:
            raise InvalidMove(_explain(text))
        return move

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a move cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a move cannot be changed: {name}")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Move.parse, (self.text,)


def _make_move(kind: MoveKind, text: str, cards: tuple[Card, ...] = (), target: Card | None = None) -> Move:
    move = object.__new__(Move)
    values = {
        "kind": kind,
        "cards": cards,
        "target": target,
        "text": text,
        "mask": mask_of(cards),
        "target_mask": target.mask if target else 0,
        "same_rank": cards[0].same_rank if cards else 0,
    }
    for name, value in values.items():
        object.__setattr__(move, name, value)
    return move


def _all_moves() -> Iterator[Move]:
    for card in CARDS:
        yield _make_move(MoveKind.LAY, card.text, (card,))
        yield _make_move(MoveKind.TRANSFER, f">{card}", (card,))
        for target in CARDS:
            if target is not card:
                yield _make_move(MoveKind.BEAT, f"{target}/{card}", (card,), target)
    for rank in RANKS:
        of_rank = [card for card in CARDS if card.rank == rank]
        for size in (2, 3, 4):
            for group in combinations(of_rank, size):
                yield _make_move(MoveKind.LAY, "+".join(card.text for card in group), group)
    yield _make_move(MoveKind.TAKE, "take")
    yield _make_move(MoveKind.PASS, "pass")


MOVES: Final = {move.text: move for move in _all_moves()}
"""Every move by its notation."""

TAKE: Final = MOVES["take"]
PASS: Final = MOVES["pass"]
LAY_OF: Final = {card.mask: MOVES[card.text] for card in CARDS}
"""For the set of one card: laying it."""
TRANSFER_OF: Final = {card.mask: MOVES[f">{card}"] for card in CARDS}
"""For the set of one card: transferring with it."""
BEAT_OF: Final = {
    target.mask: {card.mask: MOVES[f"{target}/{card}"] for card in CARDS if card is not target} for target in CARDS
}
"""For the set of one attack card, then of one other card: beating the first with the second."""


def _explain(text: object) -> str:
    """Why `text` is not a move."""
    if not isinstance(text, str):
        return f"A move is a Move or its text, not {type(text).__name__}"
    shown = repr(text if len(text) <= 40 else text[:40] + "...")
    group = "+".join(sorted(set(text.split("+")))) if len(text) <= 40 else ""
    if group in MOVES and "+" in text:
        return f"{shown} is not a move: write {group!r}, each card once, suits in the order c d h s"
    return f"{shown} is not a move: write 7h, 7d+7h, 7h/9h, >7d, take or pass"
