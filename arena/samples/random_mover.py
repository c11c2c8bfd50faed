"""Random: any legal move, each as likely as the next. What every other bot must beat."""

import random

from arena import Bot, Move, View


class Random(Bot):
    """Picks a legal move at random.

    The generator is seeded by what the bot sees, so that the same deal is played the same way twice.
    """

    def act(self, view: View) -> Move:
        rng = random.Random(f"{view.seat} {' '.join(map(str, view.hand))} {len(view.history)}")
        return rng.choice(view.legal)
