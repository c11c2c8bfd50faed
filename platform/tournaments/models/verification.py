from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class Verification(models.Model):
    """The last verification of a whole tournament that somebody asked for: how far it is, and what it found.

    The sweep does a piece at a time and writes down where it is (see `tournaments.verification`).
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="verification")
    asked_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    # What `arena.audit.Audit` has counted of the matches so far; empty at the beginning and again at the end.
    counted = models.JSONField(default=dict, blank=True)
    matches = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    # Games among them whose moves are not kept any more: their results were counted as they stand.
    dropped = models.PositiveIntegerField(default=0)
    found = models.PositiveIntegerField(default=0)
    findings = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = _("verification")
        verbose_name_plural = _("verifications")
        ordering = ("-asked_at",)
        indexes = [
            models.Index(fields=["asked_at"], name="verification_waits", condition=Q(finished_at=None)),
        ]

    def __str__(self) -> str:
        return str(self.tournament)

    @property
    def holds(self) -> bool:
        """Whether it has ended, and everything was as it should be."""
        return self.finished_at is not None and not self.found
