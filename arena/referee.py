"""Players that are bots in sandboxes: files, limits and decks in, a :class:`~arena.match.MatchResult` out.

Faults of ours (no engine, a container gone, a host that hangs) are raised as :class:`sandbox.SandboxError`; then there
is no result and nobody is charged.
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import sandbox
from arena.archive import BotFiles
from arena.bot.info import GameInfo
from arena.durak import Card, Ruleset
from arena.failure import PlayerFailed, Reason, clean
from arena.limits import Limits
from arena.match import MatchOverrun, MatchResult, OnProgress, PlayerReport, Question, play_match
from arena.wire import decode_answer, decode_ready, encode_question, encode_start

BOT_SIDE = "arena.bot.host"
"""The module that speaks for a bot inside its sandbox."""

PRELOAD = (BOT_SIDE, "numpy")
"""What the keeper has imported before any bot starts, so that no bot waits for it."""


PATIENCE = 0.02
"""Seconds after which a bot that is still thinking gets the processor to itself: the others are paused. Quick answers
are worth no pause."""


@dataclass(frozen=True)
class Entrant:
    """A version of a bot that takes part in a match."""

    name: str
    version: int
    files: BotFiles


def play(
    entrants: Sequence[Entrant],
    ruleset: Ruleset,
    decks: Sequence[Sequence[Card | str]],
    limits: Limits,
    pool: sandbox.Pool,
    on_progress: OnProgress | None = None,
) -> MatchResult:
    """Plays every deck in every rotation between bots in sandboxes of ``pool``.

    The same bot may take part more than once: each time it has a sandbox of its own.
    """
    players = [SandboxPlayer(entrant, pool, limits, instance) for entrant, instance in _with_instances(entrants)]
    for player in players:
        player.others = [other for other in players if other is not player]
    try:
        return play_match(players, ruleset, decks, limits, on_progress)
    except MatchOverrun as error:
        raise sandbox.SandboxError(str(error)) from error
    finally:
        for player in players:
            player.leave()


def _with_instances(entrants: Sequence[Entrant]) -> list[tuple[Entrant, int]]:
    """Each entrant with the number of entrants before it that have the same files."""
    digests = [entrant.files.digest for entrant in entrants]
    return [(entrant, digests[:index].count(digests[index])) for index, entrant in enumerate(entrants)]


class SandboxPlayer:
    """A bot in a sandbox: one warm container, a fresh process each game."""

    def __init__(self, entrant: Entrant, pool: sandbox.Pool, limits: Limits, instance: int = 0) -> None:
        self.name = entrant.name
        self.version = entrant.version
        self.elapsed = 0.0
        self.others: Sequence[SandboxPlayer] = ()
        """The others at the table, who are to rest while this one thinks."""
        self._files = entrant.files
        self._pool = pool
        self._limits = sandbox.Limits(memory_mb=limits.memory_mb, output_bytes=limits.output_bytes)
        self._key: Hashable = (entrant.files.digest, instance, self._limits)
        self._session: sandbox.Session | None = None

    def start(self, info: GameInfo, timeout: float) -> None:
        """Starts a process and has it load the bot; only the loading counts against ``timeout``."""
        self.elapsed = 0.0
        box = self._pool.get(self._key, files=self._files.files, module=BOT_SIDE, limits=self._limits, preload=PRELOAD)
        self._session = box.start(self._limits.start_seconds)
        try:
            decode_ready(self._exchange(encode_start(info.to_wire()), timeout))
        except PlayerFailed as failed:
            if failed.reason is Reason.TIME:
                raise PlayerFailed(Reason.LOAD, f"The bot was not ready within {timeout:g} s.") from None
            raise

    def ask(self, question: Question, timeout: float) -> str:
        """Puts the question to the bot's process."""
        return decode_answer(self._exchange(encode_question(question), timeout), question.number)

    def finish(self) -> PlayerReport:
        """Ends the bot's process, whatever it is doing."""
        session, self._session = self._session, None
        if session is None:
            return PlayerReport()
        report = session.close()
        log = clean(report.log.decode("utf-8", "replace"))
        return PlayerReport(
            cpu_seconds=report.cpu_seconds,
            cpu_error=report.cpu_error_seconds,
            stray_seconds=report.stray_seconds,
            peak_memory_bytes=report.peak_memory_bytes,
            log=log,
        )

    def leave(self) -> None:
        """Ends a game that a fault cut short, so that the sandbox, where it still stands, can be used again. The fault
        is being told already; that this seat's sandbox shares it adds nothing."""
        with contextlib.suppress(sandbox.SandboxError):
            self.finish()

    def _pause_others(self) -> None:
        for other in self.others:
            if other._session is not None:
                other._session.pause()

    def _exchange(self, line: bytes, timeout: float) -> bytes:
        if self._session is None:
            raise sandbox.SandboxError("A bot was asked before its game was started.")
        try:
            return self._session.ask(line, timeout, patience=PATIENCE, meanwhile=self._pause_others)
        except sandbox.SessionFailed as failed:
            raise PlayerFailed(Reason(failed.reason), failed.message) from None
        finally:
            self.elapsed = self._session.elapsed
