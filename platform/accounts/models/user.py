"""The user: Django's own fields, and what staff may decide about an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.contrib.auth.models import UserManager

REASON_LENGTH = 1000
"""Longest reason of a decision of staff, in characters."""


class User(AbstractUser):
    """Somebody who can sign in: a bot author, an organiser, a member of staff.

    Somebody who is suspended still signs in, reads, takes his data along and closes his account; nothing else.
    """

    suspended_at = models.DateTimeField(_("suspended"), null=True, blank=True, editable=False)
    suspension_reason = models.TextField(
        _("reason of the suspension"), max_length=REASON_LENGTH, blank=True, editable=False
    )
    # The name that staff has hidden: `username` is another one meanwhile, wherever it is shown or exported.
    hidden_name = models.CharField(_("hidden name"), max_length=150, blank=True, editable=False)

    if TYPE_CHECKING:
        objects: ClassVar[UserManager[User]]

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                name="user_suspended_for_a_reason", condition=Q(suspended_at=None) | ~Q(suspension_reason="")
            ),
        ]

    @property
    def is_suspended(self) -> bool:
        """Whether staff has suspended the account."""
        return self.suspended_at is not None
