"""Closing an account: everything that tells who it was goes; the row stays, so that results keep their owner."""

from __future__ import annotations

import structlog
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction

from accounts.models import ApiToken, User

logger = structlog.get_logger(__name__)


def closed_name(user: User) -> str:
    """What stands in tables for a closed account. Nobody can sign up with it: it has spaces in it."""
    return f"deleted user {user.pk}"


@transaction.atomic
def close(user: User) -> None:
    """Make an account one that nobody can use and that tells of nobody, for good. Twice is as good as once."""
    ApiToken.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    EmailAddress.objects.filter(user=user).delete()
    UserSession.objects.filter(user=user).delete()
    user.groups.clear()
    user.user_permissions.clear()
    user.username = closed_name(user)
    user.first_name = user.last_name = user.email = ""
    user.hidden_name = user.suspension_reason = ""
    user.suspended_at = None
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    # With the password every session of the account ends, whatever store it is in.
    user.set_unusable_password()
    user.save()
    logger.info("account_closed", user=user.pk)
