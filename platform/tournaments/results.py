"""Writing down a played match: games, seats, ratings and the state `finished`, in one transaction and once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog
from django.db import transaction
from django.utils import timezone

from arena.durak import Ruleset
from arena.failure import Failure
from arena.match import MatchResult, PlayedGame
from arena.rating import opponents, pair_points
from arena.reproduction import use_of
from bots.uploads import storable
from tournaments import ratings
from tournaments.locks import lock
from tournaments.models import Entry, Game, GameLog, Match, RatingPoint, Seat
from tournaments.values import ruleset_of

logger = structlog.get_logger(__name__)


@dataclass
class Tally:
    """What one entrant got in a match."""

    against: list[int | None]
    points: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0


def tally(result: MatchResult, ruleset: Ruleset) -> list[Tally]:
    """Add up the games of a match, by entrant.

    Every game is keyed by who sat where, never by an order of names. A game in which an entrant fails counts as lost
    for it; else a game is won by who gets more than half of the points that could be had, and lost by who gets less.
    """
    half = opponents(ruleset, result.entrants)
    partner = result.entrants // 2 if ruleset.teams == "pairs" else 0
    tallies = [
        Tally(
            [
                None if other == index or (partner and (other - index) % result.entrants == partner) else 0
                for other in range(result.entrants)
            ]
        )
        for index in range(result.entrants)
    ]
    for game in result.games:
        got = [0] * result.entrants
        for (seat, other), points in pair_points(game.outcome, ruleset).items():
            entrant, opponent = game.seating[seat], game.seating[other]
            got[entrant] += points
            tallies[entrant].against[opponent] = (tallies[entrant].against[opponent] or 0) + points
        for index, one in enumerate(tallies):
            failure = game.failure_of(index)
            use = game.uses[index]
            one.points += got[index]
            one.won += failure is None and got[index] > half
            one.drawn += failure is None and got[index] == half
            one.lost += failure is not None or got[index] < half
            if failure is not None:
                one.failures[str(failure.reason)] += 1
            one.decisions += use.decisions
            one.seconds += use.seconds
            one.slowest = max(one.slowest, use.slowest)
    return tallies


def record(match_id: int, attempt: int, result: MatchResult) -> bool:
    """Store the result of one attempt at a match, and rate it. False, and nothing changed, when the match is not being
    played in that attempt any more: it was recorded already, begun anew, parked or cancelled.

    Raises:
        ValueError: the result is not that of such a match.
    """
    match = Match.objects.select_related("tournament").get(pk=match_id)
    tournament = match.tournament
    if (result.entrants, len(result.games)) != (tournament.players, tournament.games_a_match):
        raise ValueError(
            f"Match {match} has {tournament.players} seats and {tournament.games_a_match} games, "
            f"not {result.entrants} and {len(result.games)}."
        )
    ruleset = ruleset_of(tournament)
    # Whatever can be computed is computed before the lock is taken: results of a tournament wait for each other there.
    tallies = tally(result, ruleset)
    games = [_game(match, game) for game in result.games]
    with transaction.atomic():
        locked = lock(tournament.pk)
        order = locked.rated + 1
        changed = Match.objects.filter(pk=match_id, state=Match.State.RUNNING, attempt=attempt).update(
            state=Match.State.FINISHED,
            finished_at=timezone.now(),
            lease_until=None,
            rated_order=order,
            progress=len(games),
            error="",
        )
        if changed != 1:
            logger.warning("result_dropped", match=match_id, attempt=attempt)
            return False
        locked.rated = order
        locked.save(update_fields=["rated"])
        seats = list(Seat.objects.filter(match=match).order_by("index"))
        _fill(seats, tallies, len(games), opponents(ruleset, result.entrants))
        entries = {entry.pk: entry for entry in Entry.objects.filter(pk__in=[seat.entry_id for seat in seats])}
        points = ratings.rate(ruleset, seats, entries, order)
        # A few plain statements cost less than one that holds every row and field as a case of its own.
        for seat in seats:
            seat.save(update_fields=_SEAT_FIELDS)
        for entry in entries.values():
            entry.save(update_fields=["elo", *ratings.SUMS])
        RatingPoint.objects.bulk_create(points)
        Game.objects.bulk_create(games)
        GameLog.objects.bulk_create(_logs(games, result.games, seats))
    seconds = round(sum(game.seconds for game in games), 3)
    logger.info("match_recorded", match=match_id, attempt=attempt, games=len(games), seconds=seconds)
    return True


_SEAT_FIELDS = ["score", "points", "against", "won", "drawn", "lost", "failures", "decisions", "seconds", "slowest"]


def _fill(seats: Sequence[Seat], tallies: Sequence[Tally], games: int, others: int) -> None:
    for seat, one in zip(seats, tallies, strict=True):
        seat.score = one.points / (2 * others * games)
        seat.points = one.points
        seat.against = one.against
        seat.won, seat.drawn, seat.lost = one.won, one.drawn, one.lost
        seat.failures = dict(one.failures)
        seat.decisions, seat.seconds, seat.slowest = one.decisions, one.seconds, one.slowest


def _game(match: Match, played: PlayedGame) -> Game:
    return Game(
        match=match,
        deal=played.deal,
        rotation=played.rotation,
        seating=list(played.seating),
        ending=str(played.outcome.ending),
        places=list(played.outcome.places),
        failures=[_public(failure) for failure in played.failures],
        record=played.record.compact(),
        moves=len(played.record.moves),
        seconds=played.seconds,
    )


def _public(failure: Failure) -> dict[str, object]:
    """What everybody may know about a failure: traceback, view and message are for the owner alone."""
    return {
        "seat": failure.seat,
        "reason": str(failure.reason),
        "at": failure.at,
        "forfeited": failure.forfeited,
    }


def _logs(games: Sequence[Game], played: Sequence[PlayedGame], seats: Sequence[Seat]) -> list[GameLog]:
    logs = []
    for game, value in zip(games, played, strict=True):
        for index, seat in enumerate(seats):
            report, failure = value.uses[index].report, value.failure_of(index)
            text = report.log if report is not None else ""
            if text or failure is not None:
                detail = None if failure is None else storable(failure.to_json() | {"use": use_of(value.uses[index])})
                logs.append(GameLog(game=game, seat=seat, log=storable(text), failure=detail))
    return logs
