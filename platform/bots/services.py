"""Changing bots: making one, uploading a version, picking the version that plays."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from arena.archive import ArchiveError, read_upload
from bots import checks, uploads
from bots.models import Bot, BotVersion
from bots.names import free_slug
from bots.selectors import current_version

__all__ = ["TooManyUploadsError", "create_bot", "current_version", "pick_version", "submit_version"]

State = BotVersion.State

WAITING_CHECKS = 5
"""Versions of one owner that may wait for their check at the same time."""
_TRIES = 5


class TooManyUploadsError(ArchiveError):
    """The owner has uploaded faster than the site checks."""


def create_bot(owner: User, name: str, description: str = "") -> Bot:
    """A bot without a version yet; its address is made from its name.

    Raises:
        ValidationError: the name cannot stand in a table, or the owner has a bot of this name.
    """
    bot = Bot(owner=owner, name=name.strip(), description=description.strip())
    for attempt in range(_TRIES):
        bot.slug = free_slug(Bot.objects.all(), bot.name, fallback="bot")
        bot.full_clean()
        try:
            with transaction.atomic():
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
    # Two uploads of one bot at the same moment take their numbers one after the other.
    Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
    newest = BotVersion.objects.filter(bot=bot).order_by("-number").first()
    if newest is not None and newest.file_id == files.digest and newest.state in {State.CHECKING, State.READY}:
        return newest
    if BotVersion.objects.filter(bot__owner=bot.owner_id, state=State.CHECKING).count() >= WAITING_CHECKS:
        raise TooManyUploadsError(_("Your last uploads are still being checked. Please wait for them."))
    version = BotVersion.objects.create(
        bot=bot,
        number=1 if newest is None else newest.number + 1,
        file=uploads.store(files.digest, content),
        filename=filename[-200:],
    )
    transaction.on_commit(lambda: checks.announce([version.pk]))
    return version


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
