"""Erasing the bots of somebody who closes his account, but for what the results of others rest on."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from django.db import transaction

from accounts.models import User
from bots.models import Bot, BotFile, BotVersion

_NOTHING = b""


@transaction.atomic
def erase_bots(user: User, kept_versions: Collection[int]) -> None:
    """Delete a user's bots, descriptions, reports and code. Bots with a kept version stay by name, without any of it.

    Args:
        kept_versions: versions that have played somewhere: their rows stay, since results name them.
    """
    versions = BotVersion.objects.filter(bot__owner=user)
    digests = set(versions.values_list("file_id", flat=True))
    versions.exclude(pk__in=kept_versions).delete()
    Bot.objects.filter(owner=user).exclude(versions__in=kept_versions).delete()
    Bot.objects.filter(owner=user).update(description="", picked_version=None)
    empty, _ = BotFile.objects.get_or_create(
        digest=hashlib.sha256(_NOTHING).hexdigest(), defaults={"content": _NOTHING, "size": 0}
    )
    versions.update(file=empty, filename="", report=None, progress=None, fault="")
    # A file that somebody else has uploaded as well is his.
    still_used = BotVersion.objects.values("file")
    BotFile.objects.filter(digest__in=digests).exclude(digest__in=still_used).delete()
