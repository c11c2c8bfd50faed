"""One game at a table: seats, clocks, forced moves, failures, and the record of it all."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.bot.info import GameInfo
from arena.durak import Card, Game, GameRecord, IllegalMove, Move, Outcome, Ruleset
from arena.failure import Failure, PlayerFailed, Reason, clean
from arena.limits import Limits
from arena.player import Player, PlayerReport
from arena.wire import Question


@dataclass(frozen=True, slots=True)
class SeatUse:
    """What one entrant did in one game."""

    seat: int
    decisions: int = 0
    """How many questions it answered or failed to answer."""
    seconds: float = 0.0
    """Time charged, in seconds."""
    slowest: float = 0.0
    """Its longest decision, in seconds."""
    start_seconds: float = 0.0
    report: PlayerReport | None = None
    """None when it was not started."""


@dataclass(frozen=True)
class PlayedGame:
    """One finished game of a match. ``outcome``, ``failures`` and the record speak of seats; see ``seat_of``."""

    deal: int
    """Which deck, from 0."""
    rotation: int
    seating: tuple[int, ...]
    """The entrant at each seat."""
    outcome: Outcome
    failures: tuple[Failure, ...]
    record: GameRecord
    seconds: float
    """Wall time of the whole game, our own work included."""
    uses: tuple[SeatUse, ...]
    """By entrant."""

    def seat_of(self, entrant: int) -> int:
        """Where the entrant sat."""
        return self.seating.index(entrant)

    def place_of(self, entrant: int) -> int:
        """The entrant's place, 1 is best."""
        return self.outcome.places[self.seat_of(entrant)]

    def failure_of(self, entrant: int) -> Failure | None:
        """How the entrant failed in this game, if it did."""
        seat = self.seat_of(entrant)
        return next((failure for failure in self.failures if failure.seat == seat), None)


def info_for(game: Game, seat: int, limits: Limits) -> GameInfo:
    """What a seat is told of a game that is about to begin."""
    return GameInfo(
        ruleset=game.ruleset,
        players=game.players,
        seat=seat,
        partner=game.partner(seat),
        trump=game.trump,
        turn_up=game.turn_up,
        first_attacker=game.attacker,
        bank=limits.bank,
        move_limit=limits.move_limit,
    )


class _Seat:
    """A player at a place of the table, for one game."""

    def __init__(self, index: int, player: Player, info: GameInfo) -> None:
        self.index = index
        self.player = player
        self.info = info
        self.started = False
        self.start_seconds = 0.0
        self.questions = 0
        self.clock = info.bank
        self.charged = 0.0
        self.slowest = 0.0
        self.events_told = 0
        self.report: PlayerReport | None = None

    def use(self) -> SeatUse:
        return SeatUse(self.index, self.questions, self.charged, self.slowest, self.start_seconds, self.report)


class Table:
    """One game: asks the seat that is to move until the game ends or somebody fails."""

    def __init__(
        self,
        players: Sequence[Player],
        seating: tuple[int, ...],
        ruleset: Ruleset,
        deck: Sequence[Card | str],
        limits: Limits,
    ) -> None:
        """``players`` by seat; ``seating`` tells which entrant of the match each of them is."""
        self.limits = limits
        self.seating = seating
        self.deck = deck
        self.game = game = Game(ruleset, len(seating), deck)
        self.times: list[float | None] = []
        self.events: list[list[Any]] = []
        self.seats = [_Seat(seat, player, info_for(game, seat, limits)) for seat, player in enumerate(players)]

    def play(
        self, deal: int, rotation: int, forfeits: Sequence[Failure], between_moves: Callable[[], None]
    ) -> PlayedGame:
        """Plays the game, unless there are ``forfeits`` before it begins.

        ``between_moves`` is called before each question; an exception from it ends the game without a result.
        """
        began = time.perf_counter()
        failures = list(forfeits)
        if not failures:
            try:
                failures = self._start(between_moves) or self._play_moves(between_moves)
            finally:
                self._finish()
            failures = failures or self._pondering()
        if failures:
            self.game.forfeit([failure.seat for failure in failures])
        outcome = self.game.result
        assert outcome is not None  # noqa: S101 - the loop above ends no other way
        uses = sorted(zip(self.seating, self.seats, strict=True), key=lambda pair: pair[0])
        return PlayedGame(
            deal=deal,
            rotation=rotation,
            seating=self.seating,
            outcome=outcome,
            failures=tuple(failures),
            record=self._record(outcome, failures),
            seconds=time.perf_counter() - began,
            uses=tuple(seat.use() for _, seat in uses),
        )

    def _start(self, between_moves: Callable[[], None]) -> list[Failure]:
        """Starts every seat, also when one has failed: all that fail to start share the last place."""
        failures = []
        for seat in self.seats:
            between_moves()
            seat.started = True
            try:
                seat.player.start(seat.info, self.limits.start_limit)
            except PlayerFailed as failed:
                reason = Reason.LOAD if failed.reason in (Reason.CRASH, Reason.TIME) else failed.reason
                failures.append(Failure(seat.index, reason, 0, failed.message, failed.detail))
            seat.start_seconds = seat.player.elapsed
        return failures

    def _play_moves(self, between_moves: Callable[[], None]) -> list[Failure]:
        game = self.game
        while game.actor is not None:
            legal = game.legal_moves()
            if len(legal) == 1:
                game.play(legal[0])
                self.times.append(None)
                continue
            between_moves()
            seat = self.seats[game.actor]
            try:
                text = self._ask(seat, legal)
                try:
                    game.play(text)
                except IllegalMove as error:
                    raise _illegal(text, str(error), legal) from None
                self.times.append(round(seat.player.elapsed * 1000, 3))
            except PlayerFailed as failed:
                message = self._late(seat) if failed.reason is Reason.TIME else failed.message
                view = self._view(seat, legal)
                return [Failure(seat.index, failed.reason, len(self.times), message, failed.detail, view)]
        return []

    def _ask(self, seat: _Seat, legal: Sequence[Move]) -> str:
        """What the seat answers, its time charged. Raises :class:`PlayerFailed`."""
        game, limits = self.game, self.limits
        events = game.events
        while len(self.events) < len(events):
            self.events.append(events[len(self.events)].to_wire())
        seat.questions += 1
        seat.clock = limits.bank - seat.charged
        timeout = min(limits.move_limit, seat.clock)
        question = Question(
            number=seat.questions,
            hand=[str(card) for card in game.hand(seat.index)],
            legal=[str(move) for move in legal],
            events=self.events[seat.events_told :],
            clock=seat.clock,
        )
        try:
            text = seat.player.ask(question, timeout)
        finally:
            used = seat.player.elapsed
            seat.charged += used
            seat.slowest = max(seat.slowest, used)
        seat.events_told = len(self.events)
        if used > timeout:
            raise PlayerFailed(Reason.TIME, f"The answer came after {used:.3f} s.")
        return text

    def _late(self, seat: _Seat) -> str:
        limits = self.limits
        if seat.clock < limits.move_limit:
            return (
                f"The bank of {limits.bank:g} s for the game is used up: {seat.clock:.2f} s were left for "
                f"the {_ordinal(seat.questions)} decision."
            )
        return f"No answer within {limits.move_limit:g} s, the limit for one decision."

    def _finish(self) -> None:
        for seat in self.seats:
            if seat.started:
                seat.report = seat.player.finish()

    def _pondering(self) -> list[Failure]:
        """The seats that thought while it was not their turn."""
        failures = []
        for seat in self.seats:
            if seat.report is None or seat.report.cpu_seconds is None:
                continue
            charged = seat.charged + seat.start_seconds
            used = max(seat.report.cpu_seconds - seat.report.cpu_error, charged + seat.report.stray_seconds)
            if not self.limits.allows_cpu(used, charged):
                message = (
                    f"The bot used {used - charged:.2f} s of CPU beyond the {charged:.2f} s that its decisions took: "
                    "it thought out of turn."
                )
                failures.append(Failure(seat.index, Reason.PONDERING, len(self.times), message))
        return failures

    def _view(self, seat: _Seat, legal: Sequence[Move]) -> dict[str, Any]:
        """Everything that the seat knew when it was asked."""
        return {
            "game": seat.info.to_wire(),
            "hand": [str(card) for card in self.game.hand(seat.index)],
            "legal": [str(move) for move in legal],
            "events": [event.to_wire() for event in self.game.events],
            "clock": round(seat.clock, 3),
        }

    def _record(self, outcome: Outcome, failures: Sequence[Failure]) -> GameRecord:
        first = failures[0] if failures else None
        players = [seat.player for seat in self.seats]
        return GameRecord(
            ruleset=self.game.ruleset,
            seats=tuple({"bot": clean(player.name)[:200] or "bot", "version": player.version} for player in players),
            deck=tuple(Card(str(card)) for card in self.deck),
            moves=tuple(self.game.moves),
            result=outcome,
            failure=None if first is None else {"seat": first.seat, "reason": str(first.reason), "at": first.at},
            times_ms=tuple(self.times),
            limits=self.limits.to_json(),
        )


def _illegal(text: str, why: str, legal: Sequence[Move]) -> PlayerFailed:
    shown = clean(text[:40])
    options = " ".join(str(move) for move in legal[:20]) + (" ..." if len(legal) > 20 else "")
    return PlayerFailed(Reason.ILLEGAL, f'The bot answered "{shown}": {why}. The legal moves were {options}.')


def _ordinal(number: int) -> str:
    suffix = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
