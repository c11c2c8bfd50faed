from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

REASON_LENGTH = 1000
"""Longest reason of a decision of staff, in characters."""


class Suspendable(models.Model):
    """What staff may suspend, for a reason that its owner reads (see `accounts.moderation`)."""

    suspended_at = models.DateTimeField(_("suspended"), null=True, blank=True, editable=False)
    suspension_reason = models.TextField(
        _("reason of the suspension"), max_length=REASON_LENGTH, blank=True, editable=False
    )

    class Meta:
        abstract = True

    @property
    def is_suspended(self) -> bool:
        """Whether staff has suspended it."""
        return self.suspended_at is not None


def suspended_for_a_reason(name: str) -> models.CheckConstraint:
    """The constraint that a suspension has a reason, with the name that it has in its table."""
    return models.CheckConstraint(name=name, condition=Q(suspended_at=None) | ~Q(suspension_reason=""))
