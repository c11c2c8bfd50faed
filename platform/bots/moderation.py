"""What staff may decide about a bot, and about files that several accounts uploaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.moderation import ModerationError, begin_suspension, end_suspension, lock, need_reason
from arena.samples import SAMPLES
from bots.models import Bot, BotFile, BotVersion, SharedFile
from bots.names import free_slug
from bots.selectors import files_of_many
from upkeep import audit


def suspend(bot: Bot, reason: str, by: User) -> None:
    """Suspend a bot: it plays nowhere, no list names it, and its owner reads `reason` and how to appeal.

    Raises:
        ModerationError: without a reason, or when it is suspended already.
    """
    begin_suspension(bot, reason, by, _("This bot is suspended already."))


def lift(bot: Bot, by: User) -> None:
    """End a suspension.

    Raises:
        ModerationError: there is none.
    """
    end_suspension(bot, by, _("This bot is not suspended."))


@transaction.atomic
def hide_name(bot: Bot, reason: str, by: User) -> None:
    """Give a bot a number for a name and an address, everywhere. Its old address leads nowhere.

    Raises:
        ModerationError: without a reason, or when it is hidden already.
    """
    reason = need_reason(reason)
    locked = lock(bot)
    if locked.hidden_name:
        raise ModerationError(_("This name is hidden already."))
    locked.hidden_name, locked.hidden_slug = locked.name, locked.slug
    locked.name = f"Bot {locked.pk}"
    while Bot.objects.filter(owner=locked.owner_id, name__iexact=locked.name).exclude(pk=locked.pk).exists():
        locked.name += "*"
    locked.slug = free_slug(Bot.objects.all(), locked.name, fallback="bot")
    locked.save(update_fields=["hidden_name", "hidden_slug", "name", "slug"])
    audit.record(by, "hide name of bot", locked, f"{locked.hidden_name}: {reason}")


@transaction.atomic
def show_name(bot: Bot, by: User) -> None:
    """Show the name again, under its old address where that is still free.

    Raises:
        ModerationError: it is not hidden, or its owner has given it to another bot by now.
    """
    locked = lock(bot)
    if not locked.hidden_name:
        raise ModerationError(_("This name is not hidden."))
    others = Bot.objects.exclude(pk=locked.pk)
    if others.filter(owner=locked.owner_id, name__iexact=locked.hidden_name).exists():
        raise ModerationError(_("Its owner has another bot of this name by now."))
    taken = others.filter(slug=locked.hidden_slug).exists()
    locked.name = locked.hidden_name
    locked.slug = free_slug(others, locked.name, fallback="bot") if taken else locked.hidden_slug
    locked.hidden_name = locked.hidden_slug = ""
    locked.save(update_fields=["hidden_name", "hidden_slug", "name", "slug"])
    audit.record(by, "show name of bot", locked)


@dataclass(frozen=True)
class Shared:
    """A file that several accounts uploaded, as staff sees it. It says nothing of who had it from whom."""

    file: BotFile
    owners: int
    versions: Sequence[BotVersion]
    """With bots and owners, the first upload first."""


_SAMPLES = frozenset(sample.files.digest for sample in SAMPLES.values())
"""What everybody may upload."""


def shared_files(limit: int) -> Sequence[Shared]:
    """The files of several accounts that nobody has looked at, newest first. Samples are not among them."""
    versions = BotVersion.objects.select_related("bot__owner").defer("report", "progress").order_by("id")
    files = (
        _unseen().exclude(pk__in=_SAMPLES).defer("content").prefetch_related(Prefetch("versions", versions))
    ).order_by("-created_at")[:limit]
    return [Shared(file, int(getattr(file, "owners", 0)), list(file.versions.all())) for file in files]


def _unseen() -> QuerySet[BotFile]:
    seen = SharedFile.objects.filter(file=OuterRef("pk")).values("owners")
    return files_of_many().annotate(seen=Coalesce(Subquery(seen), 0)).filter(owners__gt=F("seen"))


@transaction.atomic
def accept_shared(file: BotFile, note: str, by: User) -> None:
    """Take a file off the list, until one more account uploads it."""
    owners = BotVersion.objects.filter(file=file).values("bot__owner").distinct().count()
    SharedFile.objects.update_or_create(file=file, defaults={"owners": owners, "note": note.strip()[:200], "by": by})
    audit.record(by, "accept file of several accounts", file, note.strip())
