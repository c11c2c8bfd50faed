"""How people write the ranks of cards, by language: in the rules, on the faces of the cards, and in a replay.

What machines read (records, the wire, what a bot prints) has one way of writing in every language, that of
`arena.durak`, where a ten is ``T``.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from arena.durak import RANKS


def _written(ranks: str) -> Mapping[str, str]:
    return MappingProxyType(dict(zip(RANKS, ranks.split(), strict=True)))


WRITTEN: Final[Mapping[str, Mapping[str, str]]] = {
    "en": _written("6 7 8 9 10 J Q K A"),
    "ru": _written("6 7 8 9 10 В Д К Т"),
    "pl": _written("6 7 8 9 10 W D K A"),
    "uk": _written("6 7 8 9 10 В Д К Т"),
}
"""By language: what players write for each rank of `arena.durak.RANKS`. В, К and Т are Cyrillic letters."""
