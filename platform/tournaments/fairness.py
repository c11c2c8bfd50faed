"""Decks that nobody can have chosen: secrets, their commitments, and when they become public (see `arena.deal`).

A round robin has one secret, made with it and revealed when it has ended. A ladder has one a day, by UTC, revealed when
the day is over and its last match has been played: a deck is never public before it is played.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from arena.deal import commitment, derive_deck, new_secret
from tournaments.locks import lock
from tournaments.models import DealSecret, Match, Tournament


def ensure_secret(tournament: Tournament, now: datetime | None = None) -> DealSecret:
    """The secret of matches that are planned now; made, with its commitment, where there is none yet.

    Of a ladder that is today's: or the next day's that is still secret, should a worker's clock go before this one's.
    """
    day: date | None = (now or timezone.now()).date() if tournament.is_ladder else None
    found = _ensure_secret_of(tournament, day)
    while day is not None and found.revealed_at is not None:
        day += timedelta(days=1)
        found = _ensure_secret_of(tournament, day)
    return found


def _ensure_secret_of(tournament: Tournament, day: date | None) -> DealSecret:
    secret = new_secret()
    return DealSecret.objects.get_or_create(
        tournament=tournament, day=day, defaults={"secret": secret, "commitment": commitment(secret)}
    )[0]


def decks_of(match: Match) -> list[tuple[str, ...]]:
    """The decks of a match, in the order of its deals. Read it with its secret and its tournament."""
    return [derive_deck(bytes(match.secret.secret), match.number, deal) for deal in range(match.tournament.deals)]


def reveal(tournament: Tournament) -> None:
    """Publish every secret of a tournament that has ended."""
    DealSecret.objects.filter(tournament=tournament, revealed_at=None).update(revealed_at=timezone.now())


def reveal_past_days(now: datetime | None = None) -> int:
    """Publish the secrets of ladders whose day is over and whose matches are all played or given up. Returns how many.

    A match that was set aside does not hold its day back: when it is tried again it gets a new secret (see `renew`).
    """
    now = now or timezone.now()
    open_matches = Match.objects.filter(secret=OuterRef("pk"), state__in=[Match.State.QUEUED, Match.State.RUNNING])
    due = DealSecret.objects.filter(~Exists(open_matches), revealed_at=None, day__lt=now.date())
    revealed = 0
    for tournament in sorted(set(due.values_list("tournament_id", flat=True))):
        with transaction.atomic():
            # Who plans a match with a secret, or has one tried again, holds this lock until the match is there to see.
            lock(tournament)
            revealed += due.filter(tournament=tournament).update(revealed_at=now)
    return revealed


def renew(match: Match) -> DealSecret:
    """The secret for another try of a match: its own while that is secret, else the one of today. Under the lock."""
    return match.secret if match.secret.revealed_at is None else ensure_secret(match.tournament)
