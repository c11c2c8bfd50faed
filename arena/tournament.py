"""A round robin on this machine: who meets whom, the matches side by side on its processors, the table of it.

The plan, the decks, the matches and the table are made by the same code as on the site. Each worker is a process with
sandboxes of its own, as there.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from multiprocessing.util import Finalize
from typing import Any

import sandbox
from arena import likelihood, referee
from arena.archive import BotFiles
from arena.deal import derive_deck
from arena.durak import Ruleset
from arena.limits import Limits
from arena.match import MatchResult, PlayedGame
from arena.plan import WARM_POOL, tables
from arena.rating import opponents, pair_points
from arena.referee import Entrant
from arena.told_apart import Span, spans

OnGames = Callable[[int], None]
"""Called with the number of games finished so far, of all matches together."""


class Stopped(Exception):  # noqa: N818 - what happened, not an error
    """The tournament was told to end before its last match."""


@dataclass(frozen=True)
class Terms:
    """What is played, the same in every match."""

    ruleset: Ruleset
    players: int
    """Seats at a table."""
    deals: int
    """Decks a match; each is played once in every seating."""
    limits: Limits
    secret: bytes
    """32 bytes from which the decks follow, as `arena.deal` says."""

    def decks(self, number: int) -> list[Sequence[str]]:
        """The decks of the match with this number, from 1."""
        return [derive_deck(self.secret, number, deal) for deal in range(self.deals)]


@dataclass(frozen=True)
class PlayedMatch:
    """A match that has been played."""

    number: int
    """Its number in the plan, from 1."""
    table: tuple[int, ...]
    """The entrants that sat at it, by their place in the match."""
    result: MatchResult


@dataclass(frozen=True)
class Line:
    """One bot's line of the table."""

    entrant: int
    rating: float
    low: float
    high: float
    """Where the rating lies with 95 % certainty."""
    span: Span
    score: float | None
    """The mean over its games, 0 to 1; None where it has played none, since the tournament was interrupted."""
    games: int
    deals: int
    lost_by: dict[str, int]
    """Games in which it failed, by reason."""
    mean_ms: float | None
    """The mean time of a decision, in milliseconds; None when it made none."""
    slowest_ms: float


@dataclass(frozen=True)
class Results:
    """The table, best first, and the score of each against each."""

    lines: Sequence[Line]
    crosstable: dict[tuple[int, int], float]
    """The mean score, 0 to 1, of the first entrant against the second, where they met as opponents."""


def plan(entrants: int, terms: Terms, max_matches: int, seed: int = 0) -> list[tuple[int, ...]]:
    """Who sits at which table, in the order of play. Raises ValueError where it cannot be done."""
    return tables(entrants, terms.players, max_matches, seed, pairs=terms.ruleset.teams == "pairs")


def play(
    entrants: Sequence[Entrant],
    matches: Sequence[tuple[int, ...]],
    terms: Terms,
    backend: str,
    workers: int,
    on_games: OnGames,
) -> Generator[PlayedMatch, None, None]:
    """Plays the matches, `workers` at a time, and gives each as it ends.

    Closing the iterator ends the matches that are being played, and their sandboxes.

    Raises:
        sandbox.SandboxError: bots cannot be run here.
    """
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    done = context.Value("i", 0)
    executor = ProcessPoolExecutor(
        min(workers, len(matches)),
        mp_context=context,
        initializer=_begin,
        initargs=(backend, max(terms.players, WARM_POOL), stop, done),
    )
    # The files of a bot are a view of a dict, which cannot go from process to process.
    sent = [(one.name, one.version, dict(one.files.files), one.files.digest) for one in entrants]
    try:
        futures = {
            executor.submit(_play_one, [sent[index] for index in table], terms, number): (number, table)
            for number, table in enumerate(matches, 1)
        }
        waiting = set(futures)
        while waiting:
            try:
                for future in as_completed(waiting, timeout=0.25):
                    waiting.discard(future)
                    number, table = futures[future]
                    on_games(done.value)
                    yield PlayedMatch(number, table, future.result())
            except TimeoutError:
                on_games(done.value)
            except BrokenProcessPool as error:
                raise sandbox.SandboxError(
                    "A process that played matches was ended from outside; this machine may be short of memory."
                ) from error
    finally:
        stop.set()
        executor.shutdown(cancel_futures=True)


class _Worker:
    """What a worker process keeps between matches."""

    def __init__(self, backend: str, size: int, stop: Event, done: Synchronized[int]) -> None:
        self._backend = backend
        self._size = size
        self._stop = stop
        self._done = done
        self._counted = 0
        self._pool: sandbox.Pool | None = None

    def play(self, entrants: Sequence[Entrant], terms: Terms, number: int) -> MatchResult:
        self._counted = 0
        decks = terms.decks(number)
        return referee.play(entrants, terms.ruleset, decks, terms.limits, self._open_pool(), self._progress)

    def _open_pool(self) -> sandbox.Pool:
        # Not before the first match: what is wrong with the machine then comes back as the outcome of that match.
        if self._pool is None:
            self._pool = sandbox.Pool(sandbox.open_backend(self._backend), self._size)
            Finalize(None, self._pool.close, exitpriority=10)
        return self._pool

    def _progress(self, finished: int, _total: int) -> None:
        with self._done.get_lock():
            self._done.value += finished - self._counted
        self._counted = finished
        if self._stop.is_set():
            raise Stopped


_worker: _Worker | None = None


def _begin(backend: str, size: int, stop: Event, done: Synchronized[int]) -> None:
    """Runs first in each worker process."""
    global _worker
    # The terminal tells all processes of an interrupt; the first one decides, and tells the others by `stop`.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker = _Worker(backend, size, stop, done)


def _end_with_parent() -> None:
    """Ends this worker when whoever wants its matches was killed: nothing else would tell it. Its sandboxes end when
    nobody holds their other end."""
    parent = multiprocessing.parent_process()
    assert parent is not None  # noqa: S101 - a worker has one
    parent.join()
    os._exit(1)


def _play_one(sent: Sequence[tuple[str, int, dict[str, bytes], str]], terms: Terms, number: int) -> MatchResult:
    assert _worker is not None  # noqa: S101 - `_begin` has run
    entrants = [Entrant(name, version, BotFiles(files, digest)) for name, version, files, digest in sent]
    return _worker.play(entrants, terms, number)


def summarise(entrants: int, played: Sequence[PlayedMatch], terms: Terms) -> Results:
    """The table and the crosstable of the matches played."""
    games: likelihood.Games[int] = likelihood.Games(terms.ruleset, terms.players)
    points: dict[tuple[int, int], list[int]] = {}
    for match in played:
        for game in match.result.games:
            seated = [match.table[index] for index in game.seating]
            games.add((match.number, game.deal), seated, game.outcome)
            for (seat, other), got in pair_points(game.outcome, terms.ruleset).items():
                points.setdefault((seated[seat], seated[other]), []).append(got)
    crosstable = {pair: sum(got) / (2 * len(got)) for pair, got in points.items()}
    rows = likelihood.fit(games, range(entrants)).rows
    found = spans([(row.low, row.high) for row in rows])
    lines = [
        Line(row.bot, row.rating, row.low, row.high, span, deals=row.deals, **_figures(row.bot, played, terms))
        for row, span in zip(rows, found, strict=True)
    ]
    return Results(lines, crosstable)


def _figures(entrant: int, played: Sequence[PlayedMatch], terms: Terms) -> dict[str, Any]:
    mine: list[tuple[int, PlayedGame]] = [
        (match.table.index(entrant), game) for match in played if entrant in match.table for game in match.result.games
    ]
    uses = [game.uses[index] for index, game in mine]
    decisions = sum(use.decisions for use in uses)
    got = 0
    lost_by: dict[str, int] = {}
    for index, game in mine:
        seat = game.seat_of(index)
        got += sum(points for (one, _), points in pair_points(game.outcome, terms.ruleset).items() if one == seat)
        if (failure := game.failure_of(index)) is not None:
            lost_by[str(failure.reason)] = lost_by.get(str(failure.reason), 0) + 1
    most = 2 * opponents(terms.ruleset, terms.players) * len(mine)
    return {
        "score": got / most if most else None,
        "games": len(mine),
        "lost_by": lost_by,
        "mean_ms": 1000 * sum(use.seconds for use in uses) / decisions if decisions else None,
        "slowest_ms": 1000 * max((use.slowest for use in uses), default=0.0),
    }
