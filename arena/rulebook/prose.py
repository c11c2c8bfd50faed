"""The sentences of one language: read from its file, and filled in with cards, numbers and moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Final

from arena.durak import Move, MoveKind
from arena.letters import WRITTEN

LANGUAGES: Final = ("en", "ru", "pl", "uk")
"""The languages that rules pages exist in."""

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_CARD: Final = re.compile(r"\{([6789TJQKA])([cdhs])\}")
_NUMBER: Final = re.compile(r"\{(\w+)((?:\|[^{}|]*)*)\}")
_OURS: Final = re.compile(r"\[ours\](.*?)\[/ours\]", re.DOTALL)


class Prose:
    """What a language says. `text` gives a piece by its key."""

    def __init__(self, language: str) -> None:
        self.language = language
        source = resources.files("arena.rulebook").joinpath(f"{language}.md").read_text(encoding="utf-8")
        parts = re.split(r"^## (\S+)\n", source, flags=re.MULTILINE)[1:]
        self._pieces = {key: text.strip() for key, text in zip(parts[::2], parts[1::2], strict=True)}
        self._ranks = WRITTEN[language]

    def __contains__(self, key: str) -> bool:
        return key in self._pieces

    def keys(self) -> set[str]:
        """All keys of the language."""
        return set(self._pieces)

    def raw(self, key: str) -> str:
        """The piece as it stands in the file."""
        return self._pieces[key]

    def text(self, key: str, numbers: Mapping[str, int | None] | None = None) -> str:
        """The piece with its cards and numbers filled in and what is ours marked."""
        text = _CARD.sub(lambda match: self.card(match[1] + match[2]), self._pieces[key])
        if numbers:
            text = _NUMBER.sub(lambda match: self._number(match, numbers), text)
        return _OURS.sub(lambda match: f"{match[1]} *({self._pieces['ours']})*", text)

    def card(self, text: str) -> str:
        """A card as the language writes it: ``"Th"`` is 10♥, and a jack is В♥ in Russian."""
        return self._ranks[text[0]] + _SUITS[text[1]]

    def moves(self, texts: list[str]) -> str:
        """Moves in words, with commas between them."""
        return ", ".join(self._move(Move.parse(text)) for text in texts)

    def _move(self, move: Move) -> str:
        cards = " + ".join(self.card(str(card)) for card in move.cards)
        target = self.card(str(move.target)) if move.target else ""
        return self._pieces[_KINDS[move.kind]].format(card=cards, target=target)

    def _number(self, match: re.Match[str], numbers: Mapping[str, int | None]) -> str:
        if match[1] not in numbers:
            return match[0]
        number = numbers[match[1]] or 0
        forms = match[2].split("|")[1:]
        return f"{number} {forms[_FORM[self.language](number)]}" if forms else str(number)


@cache
def prose(language: str) -> Prose:
    """The prose of one of `LANGUAGES`."""
    return Prose(language)


def _east(number: int) -> int:
    """Russian and Ukrainian: 1, 21 · 2 to 4, 22 to 24 · the rest."""
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in {2, 3, 4} and number % 100 not in {12, 13, 14} else 2


def _polish(number: int) -> int:
    """1 · 2 to 4, 22 to 24 · the rest, 21 among them."""
    return 0 if number == 1 else _east(number) or 2


def _english(number: int) -> int:
    return 0 if number == 1 else 1


_FORM: Final[dict[str, Callable[[int], int]]] = {"en": _english, "ru": _east, "pl": _polish, "uk": _east}
_KINDS: Final = {
    MoveKind.LAY: "move.lay",
    MoveKind.BEAT: "move.beat",
    MoveKind.TRANSFER: "move.transfer",
    MoveKind.TAKE: "move.take",
    MoveKind.PASS: "move.pass",
}
