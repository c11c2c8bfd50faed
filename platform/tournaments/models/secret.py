from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class DealSecret(models.Model):
    """What the decks are derived from: one a tournament, or one a day for a ladder (see `arena.deal`).

    The commitment is public from the start, the secret once `revealed_at` is set.
    """

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="secrets", verbose_name=_("tournament"), db_index=False
    )
    day = models.DateField(_("day"), null=True, blank=True, help_text=_("Of a ladder, by UTC."))
    secret = models.BinaryField(_("secret"), max_length=32)
    commitment = models.CharField(_("commitment"), max_length=64)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    revealed_at = models.DateTimeField(_("revealed"), null=True, blank=True)

    class Meta:
        verbose_name = _("secret of the deals")
        verbose_name_plural = _("secrets of the deals")
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(fields=["tournament", "day"], name="secret_once_a_day"),
            # A null day is equal to no other for the constraint above.
            models.UniqueConstraint(fields=["tournament"], name="secret_once_without_day", condition=Q(day=None)),
        ]

    def __str__(self) -> str:
        return self.commitment[:12]
