"""What staff may decide about an account. What follows for its bots in tournaments, `tournaments.suspending` finds."""

from __future__ import annotations

import re
from typing import TypeVar

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.models.suspendable import Suspendable
from upkeep import audit
from upkeep.models import AuditEntry

logger = structlog.get_logger(__name__)

Row = TypeVar("Row", bound=Suspendable)

NEUTRAL = re.compile(r"user-[0-9]+")
"""Names that hidden ones are replaced by, which nobody may sign up with."""


class ModerationError(Exception):
    """It cannot be done; the text is one sentence for the member of staff who wanted it."""


def suspend(user: User, reason: str, by: User) -> None:
    """Suspend an account: its owner reads `reason` and how to appeal on every page, and can change nothing.

    Raises:
        ModerationError: without a reason, for an account of staff, or for one that is suspended already.
    """
    if user.is_staff or user.is_superuser:
        raise ModerationError(_("An account of staff cannot be suspended. Take its rights away first."))
    begin_suspension(user, reason, by, _("This account is suspended already."))


def lift(user: User, by: User) -> None:
    """End a suspension.

    Raises:
        ModerationError: there is none.
    """
    end_suspension(user, by, _("This account is not suspended."))


@transaction.atomic
def begin_suspension(row: Suspendable, reason: str, by: User, already: str) -> None:
    """Suspend whatever can be suspended, and write that down.

    Raises:
        ModerationError: without a reason, or with the sentence `already` where it is suspended.
    """
    reason = need_reason(reason)
    locked = lock(row)
    if locked.is_suspended:
        raise ModerationError(already)
    locked.suspended_at, locked.suspension_reason = timezone.now(), reason
    locked.save(update_fields=["suspended_at", "suspension_reason"])
    audit.record(by, f"suspend {locked._meta.model_name}", locked, reason)


@transaction.atomic
def end_suspension(row: Suspendable, by: User, none: str) -> None:
    """The opposite.

    Raises:
        ModerationError: with the sentence `none` where it is not suspended.
    """
    locked = lock(row)
    if not locked.is_suspended:
        raise ModerationError(none)
    locked.suspended_at, locked.suspension_reason = None, ""
    locked.save(update_fields=["suspended_at", "suspension_reason"])
    audit.record(by, f"lift suspension of {locked._meta.model_name}", locked)


@transaction.atomic
def hide_name(user: User, reason: str, by: User) -> None:
    """Show a number instead of the name, everywhere. Its owner still signs in with the name that he chose.

    Raises:
        ModerationError: without a reason, or when it is hidden already.
    """
    reason = need_reason(reason)
    locked = lock(user)
    if locked.hidden_name:
        raise ModerationError(_("This name is hidden already."))
    locked.hidden_name, locked.username = locked.username, f"user-{locked.pk}"
    locked.save(update_fields=["hidden_name", "username"])
    audit.record(by, "hide name of user", locked, reason)


@transaction.atomic
def show_name(user: User, by: User) -> None:
    """Show the name again.

    Raises:
        ModerationError: it is not hidden, or somebody else has it by now.
    """
    locked = lock(user)
    if not locked.hidden_name:
        raise ModerationError(_("This name is not hidden."))
    if User.objects.filter(username__iexact=locked.hidden_name).exclude(pk=locked.pk).exists():
        raise ModerationError(_("Somebody else has this name by now."))
    locked.username, locked.hidden_name = locked.hidden_name, ""
    locked.save(update_fields=["hidden_name", "username"])
    audit.record(by, "show name of user", locked)


def why_hidden(row: Suspendable, hidden_name: str) -> str:
    """Why staff has hidden a name, for its owner; empty where it is not hidden. The log alone has it."""
    if not hidden_name:
        return ""
    meta = row._meta
    hidings = AuditEntry.objects.filter(
        kind=meta.label_lower, target=str(row.pk), action=f"hide name of {meta.model_name}"
    )
    detail = hidings.order_by("-pk").values_list("detail", flat=True).first() or ""
    return detail.removeprefix(f"{hidden_name}: ")


def is_reserved(username: str) -> bool:
    """Whether nobody may sign up with a name: staff has hidden it, or it looks like what stands for hidden ones."""
    hidden = User.objects.filter(hidden_name__iexact=username).exists()
    return hidden or NEUTRAL.fullmatch(username.casefold()) is not None


def lock(row: Row) -> Row:
    """The row as it is now, which nobody else decides about until the transaction ends."""
    found: Row = type(row)._base_manager.select_for_update(no_key=True).get(pk=row.pk)
    return found


def need_reason(reason: str) -> str:
    """The reason, without spaces around it.

    Raises:
        ModerationError: there is none.
    """
    reason = reason.strip()
    if not reason:
        raise ModerationError(_("Say why: the owner reads the reason, and so do your colleagues."))
    return reason
