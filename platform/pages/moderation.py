"""What the pages of moderation read and do: decisions about bots and accounts, files of several accounts, the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

import bots.moderation
from accounts import moderation as accounts_moderation
from accounts.models import User
from bots.models import Bot, BotFile
from bots.moderation import Shared
from tournaments import suspending
from upkeep.models import AuditEntry

MOST = 50
"""Lines of each list."""

Decision = Callable[[str, User], None]


@dataclass(frozen=True)
class Overview:
    """The first page of moderation."""

    suspended_users: Sequence[User]
    suspended_bots: Sequence[Bot]
    hidden_users: Sequence[User]
    hidden_bots: Sequence[Bot]
    shared: Sequence[Shared]
    found_users: Sequence[User]
    found_bots: Sequence[Bot]


def overview(query: str) -> Overview:
    """What is suspended, hidden or flagged, and which bots and accounts are named like `query`."""
    users = User.objects.filter(is_active=True).order_by("username")
    every = Bot.objects.select_related("owner").order_by("name", "id")
    named = Q(username__icontains=query) | Q(hidden_name__icontains=query) | Q(email__iexact=query)
    bots_named = Q(name__icontains=query) | Q(hidden_name__icontains=query) | Q(slug=query)
    return Overview(
        suspended_users=list(users.exclude(suspended_at=None)[:MOST]),
        suspended_bots=list(every.exclude(suspended_at=None)[:MOST]),
        hidden_users=list(users.exclude(hidden_name="")[:MOST]),
        hidden_bots=list(every.exclude(hidden_name="")[:MOST]),
        shared=bots.moderation.shared_files(MOST),
        found_users=list(users.filter(named)[:MOST]) if query else [],
        found_bots=list(every.filter(bots_named | Q(owner__username__iexact=query))[:MOST]) if query else [],
    )


def decisions_about(subject: User | Bot) -> Mapping[str, Decision]:
    """What can be decided about an account or a bot as it is now, by the word in the form.

    Each takes a reason and the member of staff, and raises ModerationError with a sentence where it cannot be done. A
    suspension takes effect in tournaments before the call returns.
    """
    if isinstance(subject, User):
        user: User = subject
        suspend, lift = accounts_moderation.suspend, accounts_moderation.lift
        hide, show = accounts_moderation.hide_name, accounts_moderation.show_name
        return {
            "suspend": lambda reason, by: _settled(lambda: suspend(user, reason, by)),
            "lift": lambda _reason, by: _settled(lambda: lift(user, by)),
            "hide": lambda reason, by: hide(user, reason, by),
            "show": lambda _reason, by: show(user, by),
        }
    bot: Bot = subject
    return {
        "suspend": lambda reason, by: _settled(lambda: bots.moderation.suspend(bot, reason, by)),
        "lift": lambda _reason, by: _settled(lambda: bots.moderation.lift(bot, by)),
        "hide": lambda reason, by: bots.moderation.hide_name(bot, reason, by),
        "show": lambda _reason, by: bots.moderation.show_name(bot, by),
    }


def _settled(decide: Callable[[], None]) -> None:
    decide()
    suspending.settle()


def accept_shared(digest: str, note: str, by: User) -> None:
    """Take a file of several accounts off the list.

    Raises:
        BotFile.DoesNotExist: there is none with this digest.
    """
    bots.moderation.accept_shared(BotFile.objects.defer("content").get(pk=digest), note, by)


def log(query: str = "") -> QuerySet[AuditEntry]:
    """The audit log, newest first; only what names `query`."""
    found = AuditEntry.objects.order_by("-id")
    if query:
        named = Q(actor_name__icontains=query) | Q(action__icontains=query) | Q(target_name__icontains=query)
        found = found.filter(named | Q(detail__icontains=query) | Q(target=query))
    return found


def log_of(subject: User | Bot) -> Sequence[AuditEntry]:
    """What staff did about an account or a bot, newest first."""
    return list(
        AuditEntry.objects.filter(kind=subject._meta.label_lower, target=str(subject.pk)).order_by("-id")[:MOST]
    )
