"""What has happened that somebody wanted to be told, and is not written down as a notice yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from accounts.models import User
from bots.models import BotVersion
from notices.models import Choice, Kind, Notice
from tournaments.models import Entry, GameLog, Tournament

MOST = 20
"""Notices of one kind for one person that are found at once: the next time finds the next."""


def find() -> int:
    """Write down, once, all that is to be told. Returns how many notices are new."""
    count = 0
    for choice in Choice.objects.filter(user__is_active=True).select_related("user"):
        for kind, look in LOOKS.items():
            if getattr(choice, kind):
                count += _note(choice.user, kind, look(choice.user, choice.since))
    return count


def _note(user: User, kind: Kind, subjects: Iterable[int]) -> int:
    found = set(subjects)
    known = set(Notice.objects.filter(user=user, kind=kind, subject__in=found).values_list("subject", flat=True))
    new = [Notice(user=user, kind=kind, subject=subject) for subject in sorted(found - known)[:MOST]]
    # Another task may be at it in this moment; the constraint lets each thing in once.
    Notice.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


def _checks(user: User, since: datetime) -> Iterable[int]:
    ended = [BotVersion.State.READY, BotVersion.State.REJECTED]
    found = BotVersion.objects.filter(bot__owner=user, state__in=ended, checked_at__gt=since)
    return found.values_list("pk", flat=True)


def _failing(user: User, since: datetime) -> Iterable[int]:
    """Versions that have failed in a game since; which of them are new, the notices tell."""
    found = GameLog.objects.filter(
        seat__entry__bot__owner=user, failure__isnull=False, failure__forfeited=False, game__created_at__gt=since
    ).exclude(game__match__tournament__state=Tournament.State.DRAFT)
    return found.order_by().values_list("seat__version_id", flat=True).distinct()


def _tournaments(user: User, since: datetime) -> Iterable[int]:
    entered = Entry.objects.filter(bot__owner=user).values("tournament")
    over = Tournament.objects.filter(pk__in=entered, state=Tournament.State.FINISHED, finished_at__gt=since)
    return over.values_list("pk", flat=True)


LOOKS: Mapping[Kind, Callable[[User, datetime], Iterable[int]]] = {
    Kind.CHECK_ENDED: _checks,
    Kind.VERSION_FAILS: _failing,
    Kind.TOURNAMENT_FINISHED: _tournaments,
}
"""Where each kind is found: the versions or tournaments to tell of, told already or not."""
