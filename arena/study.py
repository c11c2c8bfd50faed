"""Plays a public study of podkidnoy again and sets its table beside ours.

The study published averages over 6,900 games of its own easy bots, two to four at a table. Its bot is not described;
`easy_move` is the sample bot `easy`, with the dice handed in, so that thousands of games take seconds. What agrees and
what does not is told in ``docs/study.md``.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from arena.durak import PRESETS, Ending, Game, Move, MoveKind

TRUMP_COUNTS: Final = (0, 3)
"""Numbers of trumps dealt for which the study says how often the hand became the fool."""


@dataclass(frozen=True)
class Habits:
    """How an easy bot plays, where it does not simply play its lowest card. The defaults are the sample bot's."""

    takes: float = 0.5
    """How often, 0 to 1, it takes although it could beat."""
    declines: float = 0.7
    """How often it declines to throw in although it could."""
    each_card: bool = False
    """Whether it decides about taking anew before each beat, or once for the cards that lie before it."""


@dataclass(frozen=True, slots=True)
class Published:
    """One line of the study's table. Shares are from 0 to 1; None where it says nothing."""

    players: int
    games: int
    bouts: float
    draws: float | None
    fool_with_trumps: tuple[float, float]
    """With 0 and with 3 trumps among the six cards dealt."""
    fool_leading: float | None


PUBLISHED: Final = (
    Published(2, 3000, 30, 0.02, (0.55, 0.45), 0.477),
    Published(3, 2300, 36, None, (0.37, 0.26), None),
    Published(4, 1600, 42, 0.01, (0.31, 0.18), None),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured number."""

    value: float
    error: float
    """Its standard error."""
    cases: int
    """How many games or hands it is taken over."""


@dataclass(slots=True)
class Tally:
    """Counts over the games of one table size."""

    players: int
    bouts: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    dealt: Counter[int] = field(default_factory=Counter)
    """Hands by number of trumps dealt."""
    fools: Counter[int] = field(default_factory=Counter)
    """Those of them whose owner became the fool."""
    leaders_fooled: int = 0

    def add(self, game: Game, trumps: Sequence[int], leader: int) -> None:
        """Count a finished game: trumps dealt to each seat, and who led first."""
        assert game.result is not None  # noqa: S101 - only finished games are counted
        self.bouts.append(game.bout)
        self.endings[game.result.ending] += 1
        self.leaders_fooled += game.result.fool == leader
        for seat, count in enumerate(trumps):
            self.dealt[count] += 1
            self.fools[count] += game.result.fool == seat

    def mean_bouts(self) -> Figure:
        n = len(self.bouts)
        mean = sum(self.bouts) / n
        variance = sum((bouts - mean) ** 2 for bouts in self.bouts) / max(n - 1, 1)
        return Figure(mean, math.sqrt(variance / n), n)

    def draws(self) -> Figure:
        return share(self.endings[Ending.DRAW], len(self.bouts))

    def fool_leading(self) -> Figure:
        return share(self.leaders_fooled, len(self.bouts))

    def fool_with_trumps(self, count: int) -> Figure:
        return share(self.fools[count], self.dealt[count])

    def to_json(self) -> dict[str, Any]:
        """The figures by name, with standard errors."""
        return {
            "players": self.players,
            "games": len(self.bouts),
            "bouts": asdict(self.mean_bouts()),
            "draws": asdict(self.draws()),
            "fool_with_trumps": {str(n): asdict(self.fool_with_trumps(n)) for n in sorted(self.dealt)},
            "fool_leading": asdict(self.fool_leading()),
            "endings": dict(sorted(self.endings.items())),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure, there and here."""

    name: str
    published: float | None
    measured: Figure
    judged: bool
    """Whether the two must agree: the trump columns must, the rest depends on the bot."""
    is_share: bool = True
    ratio: float = 1.0
    """How many games were played here for each one there."""

    @property
    def apart(self) -> float | None:
        """How many standard errors lie between them, above 0 if ours is larger; None if nothing was published.

        The published figure was counted over games too and has an error of its own, ours times the root of the ratio;
        the standard error meant is that of the difference. Not a number if nothing varied.
        """
        if self.published is None:
            return None
        error = self.measured.error * math.sqrt(1 + self.ratio)
        return (self.measured.value - self.published) / error if error else math.nan

    @property
    def agrees(self) -> bool:
        """Whether they are at most three standard errors apart; not if that cannot be told."""
        return self.apart is not None and abs(self.apart) <= 3


def compare(tally: Tally, line: Published) -> list[Comparison]:
    """Return every figure of the study's table beside ours."""
    ratio = len(tally.bouts) / line.games
    trumps = [
        Comparison(
            f"fool with {count} trumps dealt", published, tally.fool_with_trumps(count), judged=True, ratio=ratio
        )
        for count, published in zip(TRUMP_COUNTS, line.fool_with_trumps, strict=True)
    ]
    return [
        Comparison("mean bouts", line.bouts, tally.mean_bouts(), judged=False, is_share=False, ratio=ratio),
        Comparison("draws", line.draws, tally.draws(), judged=False, ratio=ratio),
        *trumps,
        Comparison("fool when leading first", line.fool_leading, tally.fool_leading(), judged=False, ratio=ratio),
    ]


def share(count: int, cases: int) -> Figure:
    """Return a share with its binomial standard error, sqrt(p (1 - p) / n). Without cases both are not a number."""
    if not cases:
        return Figure(math.nan, math.nan, 0)
    p = count / cases
    return Figure(p, math.sqrt(p * (1 - p) / cases), cases)


def easy_move(
    legal: Sequence[Move],
    take_chance: Callable[[], float],
    pass_chance: Callable[[], float],
    habits: Habits = Habits(),
) -> Move:
    """Return the easy bot's choice among ``legal`` moves, ordered from cheapest to dearest.

    Each ``chance`` gives a number from 0 to 1 and is asked only if that decision comes up.
    """
    last = legal[-1]
    if last.kind is MoveKind.TAKE and take_chance() < habits.takes:
        return last
    if last.kind is MoveKind.PASS and pass_chance() < habits.declines:
        return last
    return legal[0]


def play_game(game: Game, rng: random.Random, habits: Habits = Habits()) -> None:
    """Play ``game`` to its end, every seat an easy bot with the dice of ``rng``."""
    occasion: tuple[int, int, int] | None = None
    take = 0.0

    def take_chance() -> float:
        nonlocal occasion, take
        now = (game.bout, len(game.table), game.defender)
        if habits.each_card or now != occasion:
            occasion, take = now, rng.random()
        return take

    while game.actor is not None:
        legal = game.legal_moves()
        game.play(legal[0] if len(legal) == 1 else easy_move(legal, take_chance, rng.random, habits))


def play_study(
    seed: int = 1,
    scale: float = 1.0,
    habits: Habits = Habits(),
    on_progress: Callable[[int, int], None] | None = None,
) -> list[Tally]:
    """Play as many games as the study did, times ``scale``, and return one tally for each number of players.

    The same seed gives the same games. ``on_progress`` is told the games played and to be played.
    """
    total = sum(max(1, round(line.games * scale)) for line in PUBLISHED)
    done = 0
    tallies = []
    for line in PUBLISHED:
        rng = random.Random(f"study {seed} {line.players}")  # noqa: S311 - a study must come out the same again
        tally = Tally(line.players)
        for _ in range(max(1, round(line.games * scale))):
            deck = rng.sample(_SORTED, len(_SORTED))
            game = Game(PRESETS["podkidnoy"], line.players, deck)
            trumps = [sum(card.suit == game.trump for card in game.hand(seat)) for seat in range(line.players)]
            leader = game.attacker
            play_game(game, rng, habits)
            tally.add(game, trumps, leader)
            done += 1
            if on_progress and (done % 50 == 0 or done == total):
                on_progress(done, total)
        tallies.append(tally)
    return tallies


_SORTED: Final = [rank + suit for suit in "cdhs" for rank in "6789TJQKA"]
