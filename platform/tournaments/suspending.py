"""What a suspension of a bot or of its owner does to tournaments. Found by the sweep, and at once by the page of staff.

A suspended bot's entries leave every tournament that goes on. Its matches end without a result, those that are being
played among them: their worker finds out with its next sign of progress, at the latest after one decision, and nobody
gains or loses anything by them. What it has played counts for ever.

When the suspension is lifted, it plays on where the tournament still goes on: its entry is active again, and what was
ended for its sake waits again. On a ladder it gets its place from `sweep.grow_ladder`, like everybody.
"""

from __future__ import annotations

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from bots.models import Bot
from bots.selectors import may_play
from tournaments import fairness
from tournaments.locks import lock
from tournaments.models import Entry, Match, Seat, Tournament

logger = structlog.get_logger(__name__)

_GOING_ON = (Tournament.State.DRAFT, Tournament.State.OPEN, Tournament.State.RUNNING)
_UNFINISHED = (Match.State.QUEUED, Match.State.RUNNING, Match.State.PARKED)


def settle() -> None:
    """Have the entries of suspended bots leave, and those of bots that are free again come back."""
    going_on = Entry.objects.filter(tournament__state__in=_GOING_ON)
    free = Exists(Bot.objects.filter(may_play(), pk=OuterRef("bot")))
    # A closed account's bots have been withdrawn; only suspended ones leave in this way.
    held = Q(bot__suspended_at__isnull=False) | Q(bot__owner__suspended_at__isnull=False)
    for entry in going_on.filter(held, state=Entry.State.ACTIVE).order_by("tournament_id", "id"):
        _leave(entry)
    back = going_on.filter(free, state=Entry.State.SUSPENDED).exclude(tournament__kind=Tournament.Kind.LADDER)
    for entry in back.order_by("tournament_id", "id"):
        _come_back(entry)


@transaction.atomic
def _leave(entry: Entry) -> None:
    if lock(entry.tournament_id).state not in _GOING_ON:
        return
    if not Entry.objects.filter(pk=entry.pk, state=Entry.State.ACTIVE).update(state=Entry.State.SUSPENDED):
        return
    unfinished = Match.objects.filter(seats__entry=entry, state__in=_UNFINISHED)
    ids = list(unfinished.values_list("pk", flat=True))
    ended = Match.objects.filter(pk__in=ids, state__in=_UNFINISHED).update(
        state=Match.State.CANCELLED, lease_until=None, finished_at=timezone.now(), retry_at=None
    )
    logger.info("entry_suspended", entry=entry.pk, bot=entry.bot_id, matches=ended)


@transaction.atomic
def _come_back(entry: Entry) -> None:
    # It may have ended since it was found, and then its decks are public.
    if lock(entry.tournament_id).state not in _GOING_ON:
        return
    if not Entry.objects.filter(pk=entry.pk, state=Entry.State.SUSPENDED).update(state=Entry.State.ACTIVE):
        return
    others_out = Seat.objects.filter(match=OuterRef("pk")).exclude(entry__state=Entry.State.ACTIVE)
    ended = Match.objects.filter(~Exists(others_out), seats__entry=entry, state=Match.State.CANCELLED)
    for match in ended.select_related("secret", "tournament"):
        Match.objects.filter(pk=match.pk, state=Match.State.CANCELLED).update(
            state=Match.State.QUEUED,
            secret=fairness.renew(match),
            forgiven=F("attempt"),
            progress=0,
            error="",
            sent_at=None,
            started_at=None,
            finished_at=None,
        )
        logger.info("match_waits_again", match=match.pk)
    logger.info("entry_came_back", entry=entry.pk, bot=entry.bot_id)
