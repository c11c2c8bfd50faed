"""Easy: the beginner of a public study of Durak, who plays low cards and often gives in."""

import random

from arena import Bot, GameInfo, Move, View
from arena.durak import MoveKind


class Easy(Bot):
    """Plays its lowest card, trumps last; takes half the time although it could beat; declines 70 % of its throw-ins.

    It makes up its mind to take once for the cards that lie before it, not again for each of them. The study's own bot
    is not described; one like this comes close to its figures. Chance is seeded by what the bot sees, so that the same
    deal is played the same way twice.
    """

    def __init__(self, game: GameInfo) -> None:
        super().__init__(game)
        self.deal = ""

    def act(self, view: View) -> Move:
        self.deal = self.deal or f"{view.seat} {' '.join(map(str, view.hand))}"
        lowest, last = view.legal[0], view.legal[-1]
        if last.kind is MoveKind.TAKE and self.chance(f"{view.bout} {len(view.table)}") < 0.5:
            return last
        if last.kind is MoveKind.PASS and self.chance(f"{len(view.history)}") < 0.7:
            return last
        return lowest

    def chance(self, occasion: str) -> float:
        """A number from 0 to 1, the same for the same occasion of the same deal."""
        return random.Random(f"{self.deal} {occasion}").random()
