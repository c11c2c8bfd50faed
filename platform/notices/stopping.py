"""Ending all notices by the link in a mail, without signing in; and forgetting somebody."""

from __future__ import annotations

from django.core import signing

from accounts.models import User
from notices.models import Choice, Kind, Notice

_SALT = "notices.stop"


class BadLinkError(Exception):
    """The link is none that this site has made."""


def token(user: User) -> str:
    """What the link of somebody holds. It does not expire: it can do no more than end his notices."""
    return signing.dumps(user.pk, salt=_SALT)


def owner(text: str) -> User:
    """Whose link it is.

    Raises:
        BadLinkError: it is nobody's.
    """
    try:
        return User.objects.get(pk=signing.loads(text, salt=_SALT))
    except (signing.BadSignature, User.DoesNotExist):
        raise BadLinkError from None


def stop(user: User) -> None:
    """Send nothing more to somebody. Twice is as good as once."""
    Choice.objects.filter(user=user).update(**dict.fromkeys(Kind.values, False))


def forget(user: User) -> None:
    """Erase what was chosen and told."""
    Choice.objects.filter(user=user).delete()
    Notice.objects.filter(user=user).delete()
