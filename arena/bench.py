"""How long a bot thinks, decision by decision, taken from the records of its games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.durak import Game, replay
from arena.failure import Failure
from arena.match import MatchResult, PlayedGame


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision of the bot, and the position it was made in. Cards and moves are in their notation."""

    ms: float
    """The time charged, in milliseconds."""
    deal: int
    rotation: int
    moves: int
    """How many moves had been played."""
    phase: str
    hand: tuple[str, ...]
    table: tuple[str, ...]
    """Attack cards, each with a slash and the card that beats it, if one does."""
    legal: tuple[str, ...]
    played: str

    def to_json(self) -> dict[str, Any]:
        """The decision as a JSON object."""
        same = ("ms", "deal", "rotation", "moves", "phase", "played")
        return {name: getattr(self, name) for name in same} | {
            name: list(getattr(self, name)) for name in ("hand", "table", "legal")
        }


@dataclass(frozen=True, slots=True)
class Times:
    """The times of some decisions, in milliseconds."""

    decisions: int
    mean: float
    median: float
    p95: float
    """The time that 95 % of the decisions keep within."""
    slowest: float

    @classmethod
    def of(cls, times: Iterable[float]) -> Times:
        """The figures of some times in milliseconds, of which there is at least one."""
        times = sorted(times)
        return cls(
            decisions=len(times),
            mean=sum(times) / len(times),
            median=quantile(times, 0.5),
            p95=quantile(times, 0.95),
            slowest=times[-1],
        )

    def to_json(self) -> dict[str, Any]:
        """The figures by name."""
        return {name: getattr(self, name) for name in ("decisions", "mean", "median", "p95", "slowest")}


@dataclass(frozen=True)
class Bench:
    """What was measured."""

    decided: Sequence[Decided]
    games: int
    start_ms: float
    """The longest time it took to load."""
    game_ms: float
    """The longest that it thought in one game."""
    peak_memory_mb: float | None
    failures: Sequence[Failure]

    @property
    def whole(self) -> Times | None:
        """All decisions; None when it made none."""
        return Times.of(one.ms for one in self.decided) if self.decided else None

    @property
    def phases(self) -> dict[str, Times]:
        """The decisions by phase of the game, in its order; phases in which it decided nothing are left out."""
        groups: dict[str, list[Decided]] = {phase: [] for phase in PHASES}
        for one in self.decided:
            groups[one.phase].append(one)
        return {phase: Times.of(one.ms for one in group) for phase, group in groups.items() if group}

    @property
    def decisions_a_second(self) -> float:
        """How many it makes in a second of thinking."""
        seconds = sum(one.ms for one in self.decided) / 1000
        return len(self.decided) / seconds if seconds else 0.0

    def slowest(self, count: int) -> list[Decided]:
        """The slowest decisions, the slowest first."""
        return sorted(self.decided, key=lambda one: -one.ms)[:count]


OPENING, MIDDLE, ENDING = "talon above half", "talon below half", "talon empty"
PHASES = (OPENING, MIDDLE, ENDING)
"""A game by what is left of the talon it began with: then the unknown shrinks, and in the end nothing is unknown."""


def measure(result: MatchResult, entrant: int) -> Bench:
    """The times of one entrant over all games of a match."""
    uses = [game.uses[entrant] for game in result.games]
    peaks = [peak for use in uses if use.report and (peak := use.report.peak_memory_bytes) is not None]
    found = [game.failure_of(entrant) for game in result.games]
    return Bench(
        decided=[one for game in result.games for one in decisions(game, entrant)],
        games=len(result.games),
        start_ms=1000 * max(use.start_seconds for use in uses),
        game_ms=1000 * max(use.seconds for use in uses),
        peak_memory_mb=max(peaks) / 2**20 if peaks else None,
        failures=[failure for failure in found if failure is not None],
    )


def decisions(played: PlayedGame, entrant: int) -> list[Decided]:
    """The decisions of an entrant in one game that were answered, in their order."""
    record, seat = played.record, played.seat_of(entrant)
    found = []
    states = replay(record)
    for number, ((who, move), ms) in enumerate(zip(record.moves, record.times_ms, strict=True)):
        game = next(states)
        if number == 0:
            talon = game.talon_count
        if who != seat or ms is None:
            continue
        found.append(
            Decided(
                ms=ms,
                deal=played.deal,
                rotation=played.rotation,
                moves=number,
                phase=_phase(game, talon),
                hand=tuple(str(card) for card in game.hand(seat)),
                table=tuple(f"{attack}/{beat}" if beat else str(attack) for attack, beat in game.table),
                legal=tuple(str(option) for option in game.legal_moves()),
                played=str(move),
            )
        )
    return found


def _phase(game: Game, talon: int) -> str:
    if not game.talon_count:
        return ENDING
    return OPENING if 2 * game.talon_count > talon else MIDDLE


def quantile(times: Sequence[float], share: float) -> float:
    """The value that a share, 0 to 1, of the sorted values keeps within; between two values, in proportion."""
    place = share * (len(times) - 1)
    below = int(place)
    above = min(below + 1, len(times) - 1)
    return times[below] + (times[above] - times[below]) * (place - below)
