"""Plays a match by asking players: seats, clocks, failures, duplicate deals; the result is a value.

What a player *is* does not matter here: a bot in a sandbox (:mod:`arena.referee`), an object in this process
(:mod:`arena.local`), or a script in a test. An exception that is not :class:`PlayerFailed` is a fault of ours; it ends
the match without a result, and nobody is charged.

**Rotations.** A match of n entrants plays every deck n times: in rotation r, seat s is taken by entrant
``(s - r) % n``, so entrant e sits at seat ``(e + r) % n``. All games of rotation 0 come first, then all of
rotation 1, and so on: a deal comes again as late as it can.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.durak import Card, Ruleset
from arena.failure import Failure, PlayerFailed, Reason
from arena.limits import Limits, LimitsError
from arena.player import Player, PlayerReport
from arena.table import PlayedGame, SeatUse, Table
from arena.wire import Question

__all__ = [
    "Failure",
    "Limits",
    "LimitsError",
    "MatchOverrun",
    "MatchResult",
    "OnProgress",
    "PlayedGame",
    "Player",
    "PlayerFailed",
    "PlayerReport",
    "Question",
    "Reason",
    "SeatUse",
    "play_match",
]

PROGRESS_SECONDS = 1.0
"""How often ``on_progress`` is called within a game, at most."""


class MatchOverrun(RuntimeError):  # noqa: N818 - what happened, as its caller says it
    """The match took longer than all its clocks allow: the fault is ours, not any bot's."""


@dataclass(frozen=True)
class MatchResult:
    """All games of a match, in the order in which they were played. Everything is keyed by entrant, the index into
    the list of players that the match was given."""

    games: tuple[PlayedGame, ...]
    entrants: int


OnProgress = Callable[[int, int], None]
"""Called with the number of games finished and of games in all: after each game, and about once a second within a
long one. An exception from it ends the match."""


def play_match(
    players: Sequence[Player],
    ruleset: Ruleset,
    decks: Sequence[Sequence[Card | str]],
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
) -> MatchResult:
    """Plays every deck in every rotation and returns all games.

    Raises :class:`MatchOverrun`, or whatever a player raises for a fault of ours.
    """
    ruleset.check_players(len(players))
    return _Match(players, ruleset, decks, limits or Limits(), on_progress).play()


class _Match:
    def __init__(
        self,
        players: Sequence[Player],
        ruleset: Ruleset,
        decks: Sequence[Sequence[Card | str]],
        limits: Limits,
        on_progress: OnProgress | None,
    ) -> None:
        self.players = players
        self.ruleset = ruleset
        self.decks = decks
        self.limits = limits
        self.failed: list[list[Failure]] = [[] for _ in players]
        self._on_progress = on_progress
        self._done = 0
        self._total = len(decks) * len(players)
        self._deadline = time.monotonic() + limits.match_seconds(len(players), len(decks))
        self._next_report = 0.0

    def play(self) -> MatchResult:
        count = len(self.players)
        games = []
        for rotation in range(count):
            seating = tuple((seat - rotation) % count for seat in range(count))
            for deal, deck in enumerate(self.decks):
                table = Table([self.players[entrant] for entrant in seating], seating, self.ruleset, deck, self.limits)
                game = table.play(deal, rotation, self._forfeits(seating), self._tick)
                for failure in game.failures:
                    self.failed[seating[failure.seat]].append(failure)
                games.append(game)
                self._done += 1
                self._report()
        return MatchResult(tuple(games), count)

    def _forfeits(self, seating: Sequence[int]) -> list[Failure]:
        """The seats whose version failed too often in this match: the game is theirs to lose unplayed."""
        failures = []
        for seat, entrant in enumerate(seating):
            before = self.failed[entrant]
            if len(before) >= self.limits.forfeit_after:
                message = f"Not started: the bot had failed {self.limits.forfeit_after} games of this match before."
                failures.append(Failure(seat, before[-1].reason, 0, message, forfeited=True))
        return failures

    def _tick(self) -> None:
        """Called between moves: progress now and then, and the wall limit of the match."""
        now = time.monotonic()
        if now > self._deadline:
            raise MatchOverrun("The match takes longer than all its clocks allow; something on this host hangs.")
        if now >= self._next_report:
            self._report()

    def _report(self) -> None:
        self._next_report = time.monotonic() + PROGRESS_SECONDS
        if self._on_progress is not None:
            self._on_progress(self._done, self._total)
