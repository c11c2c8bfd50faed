"""Playing one match of the queue: claim, sandboxes, result."""

from __future__ import annotations

from enum import StrEnum

import structlog
from django.db import InterfaceError, OperationalError, connection
from structlog.contextvars import bound_contextvars

from arena import referee
from arena.referee import Entrant
from bots import sandboxes, uploads
from sandbox import SandboxError
from tournaments import fairness, patience, queue, results
from tournaments.models import Match, Tournament
from tournaments.queue import Claim
from tournaments.values import lease_seconds, limits_of, ruleset_of

logger = structlog.get_logger(__name__)


OUTAGE_SECONDS = 10.0
"""How long a worker waits for its engine, or for the database, before it gives a match back that it has not begun."""


class Ending(StrEnum):
    """How a call of `play_match` ended."""

    RECORDED = "recorded"
    NOT_TO_BE_HAD = "not to be had"
    """Played, taken, cancelled, or waiting for its next attempt."""
    GIVEN_AWAY = "given away"
    """The lease was lost while playing; whoever has the match now finishes it."""
    RELEASED = "released"
    """Our sandboxes failed; nobody is charged, and it waits for its next attempt."""
    NO_SANDBOXES = "no sandboxes"
    """Nothing was begun: the engine is down."""


class LeaseLostError(Exception):
    """The match has been given to somebody else, or was cancelled."""


def play_match(match_id: int, worker: str) -> Ending:
    """Play a match, if it is to be had, and record its result.

    Raises:
        Exception: whatever goes wrong on our side beside the sandbox; the match waits for its next attempt.
    """
    # Whatever is logged from here on, by whatever module, names the match.
    with bound_contextvars(match=match_id, worker=worker):
        return _play(match_id, worker)


def _play(match_id: int, worker: str) -> Ending:
    if not patience.until(sandboxes.are_usable, OUTAGE_SECONDS):
        # Another host may have an engine that answers: the next sweep announces the match anew.
        queue.forget_announcement([match_id])
        return Ending.NO_SANDBOXES
    claim = patience.over_an_outage(lambda: _claim(match_id, worker), OUTAGE_SECONDS)
    if claim is None:
        return Ending.NOT_TO_BE_HAD
    # Read when nobody else can have it: a match that is given its attempts again may have got other decks.
    rows = Match.objects.select_related("tournament", "secret")
    match = patience.over_an_outage(lambda: rows.get(pk=match_id), OUTAGE_SECONDS)
    with bound_contextvars(attempt=claim.attempt):
        logger.info("match_claimed", tournament=match.tournament.slug, number=match.number)
        return _play_claimed(match, claim)


def _claim(match_id: int, worker: str) -> Claim | None:
    tournament = Tournament.objects.filter(matches=match_id).first()
    return None if tournament is None else queue.claim(match_id, worker, lease_seconds(tournament))


def _play_claimed(match: Match, claim: Claim) -> Ending:
    try:
        result = referee.play(
            _entrants(match),
            ruleset_of(match.tournament),
            fairness.decks_of(match),
            limits_of(match.tournament),
            sandboxes.pool(),
            lambda done, _total: _renew(claim, done),
        )
        # Recorded twice is recorded once, so nothing that has been played is lost to a database that restarts.
        recorded = patience.over_an_outage(lambda: results.record(match.pk, claim.attempt, result), claim.lease_seconds)
    except LeaseLostError:
        logger.warning("match_given_away")
        return Ending.GIVEN_AWAY
    except SandboxError as error:
        sandboxes.alarm(error)
        queue.release(claim, str(error))
        return Ending.RELEASED
    except Exception as error:
        queue.release(claim, f"{type(error).__name__}: {error}")
        raise
    return Ending.RECORDED if recorded else Ending.GIVEN_AWAY


def _entrants(match: Match) -> list[Entrant]:
    seats = match.seats.select_related("version__bot").order_by("index")
    return [Entrant(seat.version.bot.name, seat.version.number, uploads.load(seat.version)) for seat in seats]


def _renew(claim: Claim, done: int) -> None:
    try:
        held = queue.renew(claim, done)
    except (OperationalError, InterfaceError) as error:
        # A database that restarts is no reason to throw the games away: the lease outlives it, and the next renewal or
        # the result goes over a new connection.
        logger.warning("lease_not_renewed", reason=str(error))
        connection.close()
        return
    if not held:
        raise LeaseLostError
