"""Results made up by hand, for tests in which it matters who won and not how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from types import MappingProxyType
from typing import TypeVar

from django.db import connections
from django.utils import timezone

from arena import Bot
from arena.durak import PRESETS, Ending, GameRecord, Outcome
from arena.failure import Failure, Reason
from arena.local import LocalPlayer
from arena.match import MatchResult, PlayedGame, play_match
from arena.table import SeatUse
from tests.web import factories
from tournaments import lifecycle
from tournaments.models import Entry, Match, Tournament

T = TypeVar("T")
A = TypeVar("A")


class Lowest(Bot):
    """Plays its cheapest legal move."""

    def act(self, view):
        return view.legal[0]


@cache
def some_record(players: int) -> GameRecord:
    """The record of some game: what is tested here does not look into it."""
    from arena.deal import sorted_deck

    deck = list(sorted_deck())
    deck = deck[::5] + deck[1::5] + deck[2::5] + deck[3::5] + deck[4::5]
    seats = [LocalPlayer(Lowest, f"bot {index}") for index in range(players)]
    return play_match(seats, PRESETS["podkidnoy"], [deck]).games[0].record


STATES = tuple(Tournament.State.values)


def tournament_in(state: str) -> Tournament:
    """A tournament of three bots, brought into a state by the steps that lead there."""
    tournament = lifecycle.create_round_robin("Cup", deals=1)
    if state != "draft":
        lifecycle.open_entries(tournament)
    for _ in range(3):
        bot = factories.bot()
        if state == "draft":
            # Nobody can enter a draft by what the site offers; it must not matter if somebody has.
            Entry.objects.create(tournament=tournament, bot=bot, version=bot.versions.get())
        else:
            lifecycle.enter(tournament, bot)
    if state in {"running", "finished"}:
        lifecycle.start(tournament)
    if state == "finished":
        factories.play(tournament)
        lifecycle.finish(tournament)
    elif state == "cancelled":
        lifecycle.cancel(tournament)
    tournament.refresh_from_db()
    assert tournament.state == state
    return tournament


def result(
    players: int,
    deals: int,
    order: Sequence[int],
    failing: Mapping[int, Sequence[int]] = MappingProxyType({}),
) -> MatchResult:
    """A match's result.

    Args:
        order: the entrants from best to worst, in every game; the last is the fool.
        failing: by deal, the entrants that fail in it, in every rotation; the last places are theirs.
    """
    games = []
    for rotation in range(players):
        seating = tuple((seat - rotation) % players for seat in range(players))
        for deal in range(deals):
            failed = failing.get(deal, ())
            if failed:
                places = tuple(players - len(failed) + 1 if entrant in failed else 1 for entrant in seating)
                outcome = Outcome(Ending.FORFEIT, places, None)
            else:
                places = tuple(1 + order.index(entrant) for entrant in seating)
                outcome = Outcome(Ending.FOOL, places, seating.index(order[-1]))
            failures = [Failure(seating.index(entrant), Reason.CRASH, 3, "It raised.") for entrant in failed]
            uses = tuple(SeatUse(seating.index(entrant), 10, 0.25, 0.125) for entrant in range(players))
            record = some_record(players)
            games.append(PlayedGame(deal, rotation, seating, outcome, tuple(failures), record, 0.5, uses))
    return MatchResult(tuple(games), players)


def won_by(entrant: int, match: Match) -> MatchResult:
    """The result of a match in which one entrant wins every game, and the one before it is the fool."""
    players = match.tournament.players
    order = [(entrant + index) % players for index in range(players)]
    return result(players, match.tournament.deals, order)


def begin(match: Match, attempt: int = 1, seconds: float = 60.0) -> Match:
    """Have a worker play a match."""
    Match.objects.filter(pk=match.pk).update(
        state=Match.State.RUNNING,
        attempt=attempt,
        lease_until=timezone.now() + timedelta(seconds=seconds),
        worker="host/1",
        started_at=timezone.now(),
    )
    match.refresh_from_db()
    return match


def in_threads(work: Callable[[A], T], arguments: Iterable[A], threads: int = 8) -> list[T]:
    """Do the work for each argument, in threads with database connections of their own."""

    def one(argument: A) -> T:
        try:
            return work(argument)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, arguments))
