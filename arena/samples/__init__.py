"""Bots of rising strength, each a readable file that could be uploaded as it is."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from types import MappingProxyType

from arena.archive import BotFiles, read_upload
from arena.bot.bot import Bot
from arena.bot.host import find_bot


@dataclass(frozen=True)
class Sample:
    """One sample bot. ``deterministic`` ones play the same deal in the same way every time."""

    name: str
    title: str
    idea: str
    module: str
    deterministic: bool = True

    @cached_property
    def source(self) -> bytes:
        """The file, as it would be uploaded."""
        return files(__package__).joinpath(self.module + ".py").read_bytes()

    @property
    def files(self) -> BotFiles:
        """The bot as the archive reader gives it."""
        return read_upload(self.module + ".py", self.source)

    def load(self) -> type[Bot]:
        """The bot's class, in this process."""
        return find_bot(importlib.import_module(f"{__package__}.{self.module}"))


_LADDER = (
    Sample("random", "Random", "Any legal move, each as likely as the next.", "random_mover"),
    Sample("easy", "Easy", "A beginner: low cards, but gives in half the time.", "easy"),
    Sample("hoarder", "Hoarder", "Never parts with a trump while there are cards to draw.", "hoarder"),
    Sample("lowest", "Lowest", "Always the cheapest legal move.", "lowest"),
    Sample("thrifty", "Thrifty", "Spends little: leads low pairs, saves trumps, knows when to take.", "thrifty"),
    Sample("counting", "Counting", "Remembers every card, and who holds what.", "counting"),
    Sample("endgame", "Endgame", "Solves the game exactly once the talon is empty and two are left.", "endgame"),
    Sample("search", "Search", "Tries each move on many worlds that fit what it knows.", "search", deterministic=False),
)

SAMPLES: Mapping[str, Sample] = MappingProxyType({sample.name: sample for sample in _LADDER})
"""The samples by name, weakest first."""
