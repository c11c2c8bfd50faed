"""The check of an upload: a short match in the sandbox against sample bots, in every seat.

Site and command line use this very function, so a bot that passes at home passes there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import sandbox
from arena import referee
from arena.archive import BotFiles
from arena.deal import derive_deck
from arena.durak import PRESETS, GameRecord, Ruleset
from arena.failure import Failure, Reason
from arena.limits import Limits
from arena.match import MatchResult, PlayedGame
from arena.referee import Entrant
from arena.reproduction import Reproduction
from arena.samples import SAMPLES

OPPONENTS = ("thrifty", "lowest", "random", "easy", "hoarder")
"""The sample bots at the table, in this order, as many as it has seats for."""

_SECRET = b"The decks of the check: the same"
_BOT = 0


@dataclass(frozen=True)
class Trial:
    """One match of the check."""

    ruleset: Ruleset
    players: int
    deals: int = 1

    @property
    def games(self) -> int:
        """How many games it has."""
        return self.deals * self.players


def default_trials() -> tuple[Trial, ...]:
    """Podkidnoy for two and for three players."""
    return Trial(PRESETS["podkidnoy"], 2, deals=2), Trial(PRESETS["podkidnoy"], 3)


@dataclass(frozen=True)
class CheckReport:
    """What the check found. The values are plain: :meth:`to_json` can be stored, :meth:`from_json` reads it back."""

    ok: bool
    stage: str
    """How far the bot came: ``load`` (it did not start), ``play`` (it failed in a game) or ``done``."""
    message: str
    """One sentence for the author."""
    games: int
    """How many games were played to their end, or until it failed."""
    reason: str | None = None
    """The reason of the failure, one of :class:`~arena.failure.Reason`."""
    file: str | None = None
    line: int | None = None
    traceback: str | None = None
    view: Mapping[str, Any] | None = None
    """The exact question it failed on."""
    record: Mapping[str, Any] | None = None
    """The record of the game it failed in, which reproduces the failure."""
    seat: int | None = None
    """Its seat in that game."""
    log: str = ""
    """What it printed in the game it failed in, or in the last one."""
    decisions: int = 0
    mean_ms: float | None = None
    """Mean time of a decision, in milliseconds."""
    slowest_ms: float | None = None
    start_ms: float | None = None
    """The longest time it took to load."""
    peak_memory_mb: float | None = None
    limits: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The report as a JSON object."""
        return asdict(self)

    def reproduction(self, bot: str = "your bot", version: int = 1) -> Reproduction | None:
        """The file that brings the failed game to the author's machine; None for a bot that passed."""
        if self.record is None or self.seat is None or self.reason is None:
            return None
        record = GameRecord.from_json(self.record)
        detail = {"file": self.file, "line": self.line, "traceback": self.traceback}
        return Reproduction(
            bot=bot,
            version=version,
            seat=self.seat,
            reason=Reason(self.reason),
            at=len(record.moves),
            message=self.message,
            record=record,
            detail=detail if self.traceback else None,
            view=self.view,
        )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> CheckReport:
        """Reads back what :meth:`to_json` gave; fields of other versions of the report are left out."""
        return cls(**{name: value for name, value in values.items() if name in cls.__dataclass_fields__})


def check(
    files: BotFiles,
    pool: sandbox.Pool,
    trials: Sequence[Trial] | None = None,
    limits: Limits | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> CheckReport:
    """Plays the bot against sample bots and reports. ``on_progress`` is as in :func:`arena.match.play_match`.

    Raises :class:`sandbox.SandboxError` for a fault of ours, such as a sample bot that fails.
    """
    trials = default_trials() if trials is None else trials
    limits = limits or Limits()
    total = sum(trial.games for trial in trials)
    played: list[PlayedGame] = []
    for number, trial in enumerate(trials):
        result = _play(files, pool, trial, number, limits, _offset(on_progress, len(played), total))
        for game in result.games:
            failure = game.failure_of(_BOT)
            if failure is not None:
                return _failed(failure, game, [*played, game], limits)
            for other in game.failures:
                name = game.record.seats[other.seat]["bot"]
                raise sandbox.SandboxError(f"The sample bot {name} failed in a check: {other.message}")
            played.append(game)
    return CheckReport(
        ok=True,
        stage="done",
        message=f"The bot played {len(played)} games in every seat without a failure.",
        **_figures(played, limits),
    )


def _play(
    files: BotFiles,
    pool: sandbox.Pool,
    trial: Trial,
    number: int,
    limits: Limits,
    on_progress: Callable[[int, int], None],
) -> MatchResult:
    opponents = [SAMPLES[OPPONENTS[index]] for index in range(trial.players - 1)]
    entrants = [Entrant("your bot", 1, files), *(Entrant(sample.name, 1, sample.files) for sample in opponents)]
    decks = [derive_deck(_SECRET, number, deal) for deal in range(trial.deals)]
    # The first failure decides, so nothing is started after it.
    return referee.play(entrants, trial.ruleset, decks, replace(limits, forfeit_after=1), pool, on_progress)


def _offset(on_progress: Callable[[int, int], None] | None, before: int, total: int) -> Callable[[int, int], None]:
    def report(done: int, _: int) -> None:
        if on_progress is not None:
            on_progress(before + done, total)

    return report


def _failed(failure: Failure, game: PlayedGame, games: Sequence[PlayedGame], limits: Limits) -> CheckReport:
    detail = failure.detail or {}
    loading = failure.at == 0 and failure.view is None and failure.reason is not Reason.PONDERING
    return CheckReport(
        ok=False,
        stage="load" if loading else "play",
        reason=str(failure.reason),
        message=failure.message,
        file=detail.get("file"),
        line=detail.get("line"),
        traceback=detail.get("traceback"),
        view=failure.view,
        record=game.record.to_json(),
        seat=failure.seat,
        **_figures(games, limits),
    )


def _figures(games: Sequence[PlayedGame], limits: Limits) -> dict[str, Any]:
    """What every report tells: how much was played, how long it took, what was printed."""
    uses = [game.uses[_BOT] for game in games]
    decisions = sum(use.decisions for use in uses)
    reports = [use.report for use in uses if use.report is not None]
    peaks = [report.peak_memory_bytes for report in reports if report.peak_memory_bytes is not None]
    return {
        "games": len(games),
        "log": reports[-1].log if reports else "",
        "decisions": decisions,
        "mean_ms": round(1000 * sum(use.seconds for use in uses) / decisions, 3) if decisions else None,
        "slowest_ms": round(1000 * max(use.slowest for use in uses), 3) if decisions else None,
        "start_ms": round(1000 * max(use.start_seconds for use in uses), 3) if uses else None,
        "peak_memory_mb": round(max(peaks) / 2**20, 1) if peaks else None,
        "limits": limits.to_json(),
    }
