from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from bots.models import BotVersion
from tournaments.models.entry import Entry
from tournaments.models.match import Match


class Seat(models.Model):
    """An entry in a match. `index` is its seat in rotation 0; in the other rotations it sits elsewhere."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats", verbose_name=_("match"), db_index=False)
    entry = models.ForeignKey(
        Entry,
        models.PROTECT,
        related_name="seats",
        verbose_name=pgettext_lazy("of a tournament", "entry"),
        db_index=False,
    )
    version = models.ForeignKey(BotVersion, models.PROTECT, related_name="+", verbose_name=_("version"), db_index=False)
    index = models.PositiveSmallIntegerField(_("seat"))

    # Set when the match is finished.
    score = models.FloatField(_("score"), null=True, blank=True, help_text=_("Mean over the games, from 0 to 1."))
    points = models.PositiveIntegerField(
        _("points"), default=0, help_text=_("Of the two that each pair of opponents shares in each game.")
    )
    against = models.JSONField(
        _("points against each seat"),
        default=list,
        blank=True,
        help_text=_("By seat; none against itself or a partner."),
    )
    won = models.PositiveIntegerField(_("games won"), default=0)
    drawn = models.PositiveIntegerField(_("games drawn"), default=0)
    lost = models.PositiveIntegerField(_("games lost"), default=0)
    failures = models.JSONField(_("failed games by reason"), default=dict, blank=True)
    decisions = models.PositiveIntegerField(_("decisions"), default=0)
    seconds = models.FloatField(_("thinking time"), default=0.0, help_text=_("In seconds, over all games."))
    slowest = models.FloatField(_("slowest decision"), default=0.0, help_text=_("In seconds."))

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ("match", "index")
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_once"),
            models.UniqueConstraint(fields=["entry", "match"], name="seat_of_an_entry_once"),
            models.CheckConstraint(name="seat_index_0_to_5", condition=models.Q(index__lte=5)),
        ]

    def __str__(self) -> str:
        return f"{self.match} / {self.index}"
