"""Changing bots: making one, uploading a version, picking the version that plays."""

from __future__ import annotations

import math
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from arena.archive import ArchiveError, read_upload
from bots import checks, uploads
from bots.models import Bot, BotVersion
from bots.names import free_slug
from bots.selectors import current_version

__all__ = [
    "SuspendedError",
    "TooManyUploadsError",
    "create_bot",
    "current_version",
    "edit_bot",
    "pick_version",
    "submit_version",
]

State = BotVersion.State

WAITING_CHECKS = 5
"""Versions of one owner that may wait for their check at the same time."""
_CHECK_SECONDS = 10
"""About how long a check takes, after which there is room for another."""
_TRIES = 5


class TooManyUploadsError(ArchiveError):
    """The owner has uploaded faster than the site checks, or more than one may within a day."""

    def __init__(self, sentence: str, wait: int = _CHECK_SECONDS) -> None:
        super().__init__(sentence)
        self.wait = wait
        """After how many seconds it is worth to come again."""


class SuspendedError(ArchiveError):
    """Staff has suspended the bot or its owner, or the account has just been closed."""


def create_bot(owner: User, name: str, description: str = "") -> Bot:
    """A bot without a version yet; its address is made from its name.

    Raises:
        ValidationError: the name cannot stand in a table, or the owner has a bot of this name, has as many bots as
            one may have, is suspended, or has closed the account.
    """
    bot = Bot(owner=owner, name=name.strip(), description=description.strip())
    for attempt in range(_TRIES):
        bot.slug = free_slug(Bot.objects.all(), bot.name, fallback="bot")
        bot.full_clean()
        try:
            with transaction.atomic():
                _check_number_of_bots(_lock(owner.pk))
                bot.save(force_insert=True)
        except IntegrityError:
            # Somebody took the address, or the owner pressed twice: the next look at the table tells which.
            if attempt == _TRIES - 1:
                raise
        else:
            return bot
    raise AssertionError("unreachable")


@transaction.atomic
def submit_version(bot: Bot, filename: str, content: bytes) -> BotVersion:
    """A new version of a bot, whose check is on its way when this returns.

    Uploading the newest version's file again changes nothing and returns that version.

    Raises:
        ArchiveError: the upload is refused, with a sentence for its author; nothing has been stored.
    """
    files = read_upload(filename, content)
    owner = _lock(bot.owner_id)
    if not owner.is_active:
        raise SuspendedError(_("This account has been closed."))
    if owner.is_suspended or Bot.objects.filter(pk=bot.pk, suspended_at__isnull=False).exists():
        raise SuspendedError(_("This bot is suspended, so nothing can be uploaded for it. Its page says why."))
    # Two uploads of one bot at the same moment take their numbers one after the other.
    Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
    newest = BotVersion.objects.filter(bot=bot).order_by("-number").first()
    if newest is not None and newest.file_id == files.digest and newest.state in {State.CHECKING, State.READY}:
        return newest
    if BotVersion.objects.filter(bot__owner=bot.owner_id, state=State.CHECKING).count() >= WAITING_CHECKS:
        raise TooManyUploadsError(_("Your last uploads are still being checked. Please wait for them."))
    _check_number_of_uploads(owner)
    version = BotVersion.objects.create(
        bot=bot,
        number=1 if newest is None else newest.number + 1,
        file=uploads.store(files.digest, content),
        filename=filename[-200:],
    )
    transaction.on_commit(lambda: checks.announce([version.pk]))
    return version


def edit_bot(bot: Bot, name: str | None = None, description: str | None = None) -> Bot:
    """Change what a bot is called and what is said of it; None leaves it as it is. Its address stays.

    Raises:
        ValidationError: the name cannot stand in a table, the owner has another bot of this name, or staff has hidden
            the name.
    """
    try:
        with transaction.atomic():
            # As it is now, and nothing else is written: staff may have decided about the bot since it was read.
            bot = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
            if bot.hidden_name and name is not None and name.strip() != bot.name:
                raise ValidationError(
                    {"name": _("Staff has hidden the name of this bot, so it cannot be changed now.")}
                )
            bot.name = bot.name if name is None else name.strip()
            bot.description = bot.description if description is None else description.strip()
            bot.full_clean()
            bot.save(update_fields=["name", "description"])
    except IntegrityError:
        # The owner gave another bot this name in the same moment; now the table shows it.
        bot.full_clean()
        raise
    return bot


@transaction.atomic
def pick_version(bot: Bot, version: BotVersion | None) -> None:
    """Have one version play whatever is uploaded later, or, with None, always the newest that is ready.

    Raises:
        ValueError: the version is not ready, or another bot's.
    """
    if version is not None and (version.bot_id != bot.pk or version.state != State.READY):
        raise ValueError(_("Only a version of this bot that has passed its check can be picked."))
    bot.picked_version = version
    bot.save(update_fields=["picked_version"])


def _lock(owner_id: int) -> User:
    """The owner, so that what somebody does at the same moment with two windows is counted one after the other."""
    return User.objects.select_for_update(no_key=True).get(pk=owner_id)


def _check_number_of_bots(owner: User) -> None:
    if not owner.is_active:
        raise ValidationError({NON_FIELD_ERRORS: [_("This account has been closed.")]})
    if owner.is_suspended:
        raise ValidationError({NON_FIELD_ERRORS: [_("Your account is suspended, so you can make no bot.")]})
    if not owner.is_staff and Bot.objects.filter(owner=owner).count() >= settings.QUOTA_BOTS:
        sentence = ngettext(
            "You have %(count)d bot, which is as many as one may have here. Upload a version of that one instead.",
            "You have %(count)d bots, which is as many as one may have here. Upload a version of one of them instead.",
            settings.QUOTA_BOTS,
        ) % {"count": settings.QUOTA_BOTS}
        raise ValidationError({NON_FIELD_ERRORS: [sentence]})


def _check_number_of_uploads(owner: User) -> None:
    if owner.is_staff:
        return
    day = timedelta(days=1)
    latest = BotVersion.objects.filter(bot__owner=owner, created_at__gt=timezone.now() - day).order_by("-created_at")
    quota = settings.QUOTA_UPLOADS_A_DAY
    # The oldest of the last `quota` uploads: a day after it there is room for the next.
    in_the_way = latest.values_list("created_at", flat=True)[quota - 1 : quota].first()
    if in_the_way is not None:
        room_at = in_the_way + day
        when = date_format(timezone.localtime(room_at), "j E, H:i e")
        wait = max(1, math.ceil((room_at - timezone.now()).total_seconds()))
        sentence = ngettext(
            "You have uploaded %(count)d version within a day, which is the most. The next can be uploaded %(when)s.",
            "You have uploaded %(count)d versions within a day, which is the most. The next can be uploaded %(when)s.",
            quota,
        )
        raise TooManyUploadsError(sentence % {"count": quota, "when": when}, wait)
