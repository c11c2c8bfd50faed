"""What becomes of the entries of somebody who closes his account: his bots leave everywhere; what they played stays."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from tournaments import lifecycle
from tournaments.models import Entry, GameLog, Match, Tournament

_GOING_ON = (Tournament.State.DRAFT, Tournament.State.OPEN, Tournament.State.RUNNING)
_UNFINISHED = (Match.State.QUEUED, Match.State.RUNNING, Match.State.PARKED)


@transaction.atomic
def leave_everything(user: User) -> int:
    """Withdraw a user's bots from every tournament that goes on, and erase what only he could read of their games.

    Matches that they are playing end without a result, unlike those of a bot that its owner withdraws: their code is
    about to be erased, and another attempt could not be made. Returns how many entries were withdrawn.
    """
    mine = Entry.objects.filter(bot__owner=user)
    active = mine.filter(state=Entry.State.ACTIVE, tournament__state__in=_GOING_ON)
    # In one order for everybody: each step locks its tournament until the end.
    entries = list(active.order_by("tournament_id", "id"))
    for entry in entries:
        lifecycle.withdraw(entry)
    unfinished = Match.objects.filter(state__in=_UNFINISHED, seats__entry__in=mine.values("pk"))
    ids = list(unfinished.values_list("pk", flat=True).distinct())
    Match.objects.filter(pk__in=ids, state__in=_UNFINISHED).update(
        state=Match.State.CANCELLED, lease_until=None, finished_at=timezone.now(), retry_at=None
    )
    GameLog.objects.filter(seat__entry__in=mine.values("pk")).delete()
    return len(entries)
