"""The user: Django's own fields, and what staff may decide about an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.suspendable import Suspendable, suspended_for_a_reason

if TYPE_CHECKING:
    from django.contrib.auth.models import UserManager


class User(Suspendable, AbstractUser):
    """Somebody who can sign in: a bot author, an organiser, a member of staff.

    Somebody who is suspended still signs in, reads, takes his data along and closes his account; nothing else.
    """

    # The name that staff has hidden: `username` is another one meanwhile, wherever it is shown or exported.
    hidden_name = models.CharField(_("hidden name"), max_length=150, blank=True, editable=False)

    if TYPE_CHECKING:
        objects: ClassVar[UserManager[User]]

    class Meta(AbstractUser.Meta):
        constraints = [suspended_for_a_reason("user_suspended_for_a_reason")]
