from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.entry import Entry
from tournaments.models.match import Match


class RatingPoint(models.Model):
    """The Elo of an entry before and after a match, at the match's place in the order of rating."""

    entry = models.ForeignKey(
        Entry,
        models.CASCADE,
        related_name="rating_points",
        verbose_name=pgettext_lazy("of a tournament", "entry"),
        db_index=False,
    )
    match = models.ForeignKey(Match, models.CASCADE, related_name="points", verbose_name=_("match"))
    order = models.PositiveIntegerField(_("place in the order of rating"))
    before = models.FloatField(_("Elo before"))
    after = models.FloatField(_("Elo after"))

    class Meta:
        verbose_name = _("rating point")
        verbose_name_plural = _("rating points")
        ordering = ("entry", "order")
        constraints = [
            models.UniqueConstraint(fields=["entry", "order"], name="point_once_an_order"),
            models.UniqueConstraint(fields=["entry", "match"], name="point_once_a_match"),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.after:.0f}"
