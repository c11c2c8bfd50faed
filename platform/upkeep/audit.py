"""The audit log: what staff did, to what, and why. Written in the transaction of what was done."""

from __future__ import annotations

import structlog
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Model

from upkeep.models import AuditEntry

NAMELESS = frozenset(
    {
        settings.AUTH_USER_MODEL.lower(),
        *("account.emailaddress", "account.emailconfirmation", "mfa.authenticator", "usersessions.usersession"),
        *("notices.choice", "notices.notice"),
    }
)
"""Kinds of rows whose names tell who somebody is, how to write to him, or from where he came. A closed account leaves
none of that behind, and this log is never changed: their keys say which they were."""

logger = structlog.get_logger(__name__)


def record(actor: AbstractBaseUser | AnonymousUser, action: str, target: Model | None = None, detail: str = "") -> None:
    """Write down that `actor` did `action`.

    Args:
        action: a few words for staff, in English like the rest of the log: `suspend bot`.
        target: the row that it was done to.
        detail: the reason, or what changed.
    """
    write(
        actor,
        action,
        kind="" if target is None else target._meta.label_lower,
        target="" if target is None else str(target.pk),
        target_name="" if target is None else str(target),
        detail=detail,
    )


def write(
    actor: AbstractBaseUser | AnonymousUser,
    action: str,
    *,
    kind: str = "",
    target: str = "",
    target_name: str = "",
    detail: str = "",
) -> None:
    """As `record`, for what is no row (any more)."""
    target_name = kept_name(kind, target, target_name)
    request_id = str(structlog.contextvars.get_contextvars().get("request_id", ""))
    AuditEntry.objects.create(
        actor_id=actor.pk,
        actor_name=actor.get_username()[:150],
        action=action[:60],
        kind=kind[:60],
        target=target[:100],
        target_name=target_name[:200],
        detail=detail,
        request_id=request_id[:64],
    )
    logger.info("staff_acted", actor=actor.pk, action=action, kind=kind, target=target)


def kept_name(kind: str, target: str, name: str) -> str:
    """What a row is called in a log that outlives it: its name, or its key where the name is one's (`NAMELESS`)."""
    return f"{kind.rpartition('.')[2]} {target}" if kind in NAMELESS else name
