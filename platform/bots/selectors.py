"""Reading bots: which version plays, and what only owners may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from bots.models import Bot, BotFile, BotVersion

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class _Current(TypedDict):
        current_id: int | None

    class _Owners(TypedDict):
        owners: int

    BotWithCurrent = WithAnnotations[Bot, _Current]
    FileWithOwners = WithAnnotations[BotFile, _Owners]

State = BotVersion.State


def with_current(bots: QuerySet[Bot]) -> QuerySet[BotWithCurrent]:
    """The bots with `current_id`: the version that plays, picked by the owner or else the newest that is ready."""
    newest = BotVersion.objects.filter(bot=OuterRef("pk"), state=State.READY).order_by("-number").values("pk")[:1]
    return bots.annotate(current_id=Coalesce(F("picked_version_id"), Subquery(newest)))


def may_play() -> Q:
    """The bots that may play anywhere: neither they nor their owners are suspended, and no account was closed."""
    return Q(owner__is_active=True, owner__suspended_at=None, suspended_at=None)


def current_version(bot: Bot) -> BotVersion | None:
    """The version of a bot that plays; None while there is none."""
    if bot.picked_version_id is not None:
        return bot.picked_version
    return BotVersion.objects.filter(bot=bot, state=State.READY).order_by("-number").first()


def is_owner(user: User | AnonymousUser, bot: Bot) -> bool:
    """Whether a user may see the code, reports and logs of a bot: its owner, and staff."""
    return user.is_authenticated and (user.pk == bot.owner_id or user.is_staff)


def visible_report(user: User | AnonymousUser, version: BotVersion) -> dict[str, object] | None:
    """The report of a version's check, for who may see it; None for everybody else, and before it is checked."""
    return version.report if is_owner(user, version.bot) else None


def files_of_many() -> QuerySet[FileWithOwners]:
    """Uploads that more than one account has handed in, with `owners`, their number. For staff."""
    return BotFile.objects.annotate(owners=Count("versions__bot__owner", distinct=True)).filter(owners__gt=1)
