"""The class that every bot derives from."""

from __future__ import annotations

from arena.bot.info import GameInfo
from arena.bot.view import View
from arena.durak import Move


class Bot:
    """A player. Derive one class from it in `bot.py` and write `act`.

    An object is made for each game, so what it remembers it remembers for that game only.
    """

    game: GameInfo
    """The game being played."""

    def __init__(self, game: GameInfo) -> None:
        self.game = game

    def act(self, view: View) -> Move | str:
        """Choose a member of `view.legal`, or its text. Called for each decision with more than one legal move."""
        raise NotImplementedError(f"{type(self).__name__} has no method act(self, view)")
