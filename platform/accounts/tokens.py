"""Tokens of the API: making one, finding whose it is, revoking it."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import ApiToken, User

PREFIX = "durak_"
"""Begins every token, so that people and scanners for leaked secrets know what it is."""
SECRET_BYTES = 32
LIFETIMES = (7, 30, 90, 365)
"""How long a token may live, in days."""
MOST = 20
"""Tokens that one account may have at the same time; expired ones count until they are revoked."""
USE_SECONDS = 60
"""How exactly the last use is known: a token that is used all the time costs one UPDATE a minute."""


class TokenError(Exception):
    """The token cannot be made, or does not open anything; the text is one sentence for who asked."""


def make(user: User, name: str, scope: str, days: int) -> tuple[ApiToken, str]:
    """A new token: its row, and its text, which cannot be had a second time.

    Args:
        days: how long it is valid; one of `LIFETIMES`.

    Raises:
        TokenError: the account has a token of this name, or too many tokens.
        ValueError: there is no such scope or lifetime.
    """
    if scope not in ApiToken.Scope.values or days not in LIFETIMES:
        raise ValueError(f"No token has scope {scope!r} and lives for {days!r} days.")
    text = PREFIX + secrets.token_hex(SECRET_BYTES)
    if live(user).count() >= MOST:
        raise TokenError(_("You have %(count)d tokens. Revoke one that you no longer need.") % {"count": MOST})
    try:
        with transaction.atomic():
            token = ApiToken.objects.create(
                user=user,
                name=name.strip(),
                digest=digest(text),
                hint=text[-4:],
                scope=scope,
                expires_at=timezone.now() + timedelta(days=days),
            )
    except IntegrityError:
        raise TokenError(_("You have a token of this name. Choose another name, or revoke that one first.")) from None
    return token, text


def live(user: User) -> QuerySet[ApiToken]:
    """The tokens of an account that have not been revoked, newest first; expired ones among them."""
    return ApiToken.objects.filter(user=user, revoked_at=None).order_by("-id")


def find(text: str) -> ApiToken:
    """The token with this text, with its owner; its use is noted.

    Raises:
        TokenError: there is none, it has expired or been revoked, or its owner may no longer sign in.
    """
    token = ApiToken.objects.select_related("user").filter(digest=digest(text)).first()
    if token is None:
        raise TokenError(_("There is no such token. Make one on the page “API tokens” of your account."))
    if token.revoked_at is not None:
        raise TokenError(_("This token has been revoked. Make a new one on the page “API tokens” of your account."))
    if token.is_expired:
        day = date_format(token.expires_at, "j E Y")
        raise TokenError(
            _("This token expired on %(day)s. Make a new one on the page “API tokens” of your account.") % {"day": day}
        )
    if not token.user.is_active:
        raise TokenError(_("The account of this token has been closed."))
    _note_use(token)
    return token


def revoke(token: ApiToken) -> None:
    """Make a token useless, at once and for good. Doing it twice changes nothing."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def digest(text: str) -> str:
    """What is stored of a token: its SHA-256 in hex."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _note_use(token: ApiToken) -> None:
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - timedelta(seconds=USE_SECONDS))
    if token.last_used_at is None or token.last_used_at <= now - timedelta(seconds=USE_SECONDS):
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
        token.last_used_at = now
