"""All that the site keeps about an account: as one file for its owner, and erasing it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction

from accounts import deletion, tokens
from accounts.models import User
from bots.erasure import erase_bots
from bots.models import Bot, BotFile, BotVersion
from notices import stopping
from notices.models import Choice, Notice
from tournaments.leaving import leave_everything
from tournaments.models import Entry, GameLog, Tournament

FORMAT = "durak-account/1"


def export(user: User) -> Iterator[bytes]:
    """Everything about an account as one JSON object, in pieces: the account, bots, versions, entries, files, logs.

    Files come by digest, in base64; logs as they were kept. Secrets are not in it: neither the password's hash nor
    tokens nor keys of the second factor.
    """
    yield _dump(_account(user))[:-1].encode()
    yield b',"files":{'
    digests = BotVersion.objects.filter(bot__owner=user).values("file")
    for number, file in enumerate(BotFile.objects.filter(digest__in=digests).iterator(chunk_size=10)):
        content = base64.b64encode(bytes(file.content)).decode()
        yield f"{',' if number else ''}{_dump(file.digest)}:{_dump(content)}".encode()
    yield b'},"logs":['
    first, last = True, 0
    logs = GameLog.objects.filter(seat__entry__bot__owner=user).order_by("pk")
    fields = ("pk", "game_id", "seat__version_id", "log", "failure")
    while batch := list(logs.filter(pk__gt=last).values_list(*fields)[:100]):
        for last, game, version, log, failure in batch:  # noqa: B007 - where the next hundred begin
            line = {"game": game, "version": version, "log": log, "failure": failure}
            yield f"{'' if first else ','}{_dump(line)}".encode()
            first = False
    yield b"]}\n"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _account(user: User) -> dict[str, Any]:
    entries = Entry.objects.filter(bot__owner=user).order_by("id")
    about_bots = ("name", "slug", "description", "created_at", "suspended_at", "suspension_reason", "hidden_name")
    numbers = ("matches", "games", "won", "drawn", "lost", "elo", "rating")
    return {
        "format": FORMAT,
        "account": {
            "name": user.username,
            "first_name": user.first_name,
            "last_name": user.last_name,
            "email": user.email,
            "joined_at": user.date_joined,
            "last_login_at": user.last_login,
            "is_staff": user.is_staff,
            "suspended_at": user.suspended_at,
            "suspension_reason": user.suspension_reason,
            "hidden_name": user.hidden_name,
        },
        "email_addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "second_factors": list(Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")),
        "api_tokens": list(
            tokens.live(user).values("name", "hint", "scope", "created_at", "expires_at", "last_used_at")
        ),
        "notices": {
            "choice": list(
                Choice.objects.filter(user=user).values(
                    "check_ended", "version_fails", "tournament_finished", "language", "site", "since"
                )
            ),
            "sent": list(Notice.objects.filter(user=user).order_by("id").values("kind", "subject", "sent_at")),
        },
        "bots": list(Bot.objects.filter(owner=user).order_by("id").values(*about_bots)),
        "versions": list(
            BotVersion.objects.filter(bot__owner=user)
            .order_by("id")
            .values("id", "bot__slug", "number", "state", "filename", "file_id", "created_at", "checked_at", "report")
        ),
        "entries": list(
            entries.values("tournament__slug", "bot__slug", "version_id", "state", "reason", "joined_at", *numbers)
        ),
        "tournaments": list(Tournament.objects.filter(created_by=user).order_by("id").values("name", "slug", "state")),
    }


@transaction.atomic
def delete(user: User) -> None:
    """Close an account: its bots leave every tournament, code and logs are erased, and its name is taken off the rest.

    What has been played stays, under "deleted user" and the names of the bots, since the results of others rest on it.

    Raises:
        ValueError: it is a member of staff's: another one takes his rights away first.
    """
    # First of all, so that nothing is uploaded or entered meanwhile: who is at it waits, and finds the account closed.
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if user.is_staff or user.is_superuser:
        raise ValueError("An account of staff is not closed by itself.")
    leave_everything(user)
    # Drafts are seen by nobody else, and nothing rests on them.
    Tournament.objects.filter(created_by=user, state=Tournament.State.DRAFT, entries=None).delete()
    erase_bots(user, set(Entry.objects.filter(bot__owner=user).values_list("version_id", flat=True)))
    stopping.forget(user)
    deletion.close(user)
