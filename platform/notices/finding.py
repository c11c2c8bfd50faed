"""What has happened that somebody wanted to be told, and is not written down as a notice yet.

One query a kind, for all who asked together. It looks at what ended within `LOOK_BACK`, so that its cost is that of a
day's events and not of all that ever was; only a site whose mail stands still for longer loses notices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from bots.models import BotVersion
from notices.models import Kind, Notice
from tournaments.models import Entry, Match, Seat, Tournament

LOOK_BACK = timedelta(days=1)
MOST = 500
"""Notices of one kind that are found at once: the next time finds the next."""


def find() -> int:
    """Write down, once, all that is to be told. Returns how many notices are new."""
    count = 0
    for kind, look in LOOKS.items():
        new = [Notice(user_id=user, kind=kind, subject=subject) for user, subject in look()]
        # Another task may be at it in this moment; the constraint lets each thing in once.
        Notice.objects.bulk_create(new, ignore_conflicts=True)
        count += len(new)
    return count


def _untold(events: QuerySet[Any], kind: Kind, owner: str, subject: str, when: str) -> QuerySet[Any]:
    """Of events, owner and subject of those that are news to an owner who asked for them.

    Args:
        owner, subject, when: the fields of an event that lead to whom it concerns, what is told of, and its moment.
    """
    asked = {f"{owner}__is_active": True, f"{owner}__notice_choice__{kind}": True}
    lately = {f"{when}__gt": timezone.now() - LOOK_BACK}
    since = {f"{when}__gt": F(f"{owner}__notice_choice__since")}
    told = Notice.objects.filter(user=OuterRef(owner), kind=kind, subject=OuterRef(subject))
    found = events.filter(~Exists(told), **asked, **lately).filter(**since)
    return found.order_by().values_list(owner, subject).distinct()[:MOST]


def _checks() -> QuerySet[Any]:
    ended = BotVersion.objects.filter(state__in=[BotVersion.State.READY, BotVersion.State.REJECTED])
    return _untold(ended, Kind.CHECK_ENDED, "bot__owner", "pk", "checked_at")


def _failing() -> QuerySet[Any]:
    """Versions that have failed in a match since; which of them are new, the notices tell."""
    played = Seat.objects.filter(match__state=Match.State.FINISHED).exclude(failures={})
    shown = played.exclude(match__tournament__state=Tournament.State.DRAFT)
    return _untold(shown, Kind.VERSION_FAILS, "entry__bot__owner", "version", "match__finished_at")


def _tournaments() -> QuerySet[Any]:
    over = Entry.objects.filter(tournament__state=Tournament.State.FINISHED)
    return _untold(over, Kind.TOURNAMENT_FINISHED, "bot__owner", "tournament", "tournament__finished_at")


LOOKS: Mapping[Kind, Callable[[], QuerySet[Any]]] = {
    Kind.CHECK_ENDED: _checks,
    Kind.VERSION_FAILS: _failing,
    Kind.TOURNAMENT_FINISHED: _tournaments,
}
"""Where each kind is found: whom to tell, and of which version or tournament."""
