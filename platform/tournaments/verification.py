"""The verification of a whole tournament that has ended, on the site: everything that a proof's reader would check.

Somebody asks for it with a button; the sweep does a piece of it at a time and writes down how far it is, so no request
and no sweep takes long, and a worker that dies costs one piece. The result is kept with the tournament, for all to see.
"""

from __future__ import annotations

import time
from datetime import timedelta

import structlog
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.audit import Audit, Finding, check_ratings
from tournaments import lifecycle, proofs, ratings
from tournaments.lifecycle import LifecycleError
from tournaments.models import Match, Tournament, Verification

logger = structlog.get_logger(__name__)

PIECE_SECONDS = 1.0
"""So much time of a sweep goes into a verification: about a thousand games."""
AGAIN_AFTER = timedelta(hours=1)
"""A verification that has ended is not begun again before."""
KEPT = 100
"""So many findings are kept; the rest is counted."""


def may_ask(tournament: Tournament, verification: Verification | None) -> bool:
    """Whether a verification may be begun now."""
    if not lifecycle.allows(tournament, "verify"):
        return False
    if verification is None:
        return True
    return verification.finished_at is not None and timezone.now() >= verification.finished_at + AGAIN_AFTER


def of(tournament: Tournament) -> Verification | None:
    """The last verification of a tournament; None where there was none."""
    return Verification.objects.filter(tournament=tournament).first()


def ask(tournament: Tournament) -> Verification:
    """Have a tournament verified. What is under way or has just ended is as good as a new one.

    Raises:
        LifecycleError: it has not ended.
    """
    if not lifecycle.allows(tournament, "verify"):
        raise LifecycleError(
            _("“%(name)s” has not ended, so its secret is not public yet.") % {"name": tournament.name}
        )
    now = timezone.now()
    found, made = Verification.objects.get_or_create(tournament=tournament, defaults={"asked_at": now})
    if not made and may_ask(tournament, found):
        again = Verification.objects.filter(pk=found.pk, finished_at=found.finished_at)
        again.update(asked_at=now, finished_at=None, counted={}, matches=0, games=0, dropped=0, found=0, findings=[])
        found.refresh_from_db()
    return found


def advance(seconds: float = PIECE_SECONDS) -> Verification | None:
    """Do a piece of the verification that has waited longest. None where none is asked for.

    Args:
        seconds: how long the piece takes, more or less; a few matches are looked at in any case.
    """
    waiting = Verification.objects.filter(finished_at=None).select_related("tournament").order_by("asked_at", "pk")
    found = waiting.first()
    if found is None:
        return None
    tournament = found.tournament
    audit = Audit.from_json(proofs.terms_of(tournament), found.counted)
    before, findings = audit.matches, []
    deadline = time.monotonic() + seconds
    while batch := proofs.matches_after(tournament, audit.last_order):
        for match in batch:
            findings += audit.add(match)
        if time.monotonic() >= deadline:
            break
    over = not batch
    if over:
        findings += _check_whole(tournament, audit)
    # Two sweeps at once do the same piece, and only the first of them may write it down.
    mine = Verification.objects.filter(pk=found.pk, asked_at=found.asked_at, matches=before, finished_at=None)
    mine.update(
        counted={} if over else audit.to_json(),
        matches=audit.matches,
        games=audit.games,
        dropped=audit.dropped,
        found=found.found + len(findings),
        findings=[*found.findings, *(finding.to_json() for finding in findings)][:KEPT],
        finished_at=timezone.now() if over else None,
    )
    if over:
        logger.info("tournament_verified", tournament=tournament.slug, found=found.found + len(findings))
    found.refresh_from_db()
    return found


def _check_whole(tournament: Tournament, audit: Audit) -> list[Finding]:
    """What is known once all matches have been seen: nothing is missing, and the table is what they give."""
    ratings.complete_table(tournament)
    table = proofs.claims_of(tournament)
    found = audit.check_table(table, complete=not tournament.is_ladder)
    found += check_ratings(table, ratings.games_up_to(tournament, tournament.rated))
    finished = Match.objects.filter(tournament=tournament, state=Match.State.FINISHED).count()
    if not audit.matches == finished == tournament.rated:
        found.append(Finding(f"{finished} matches are finished, and {tournament.rated} were rated."))
    return found
