from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models.match import Match


class Game(models.Model):
    """One deal played in one rotation. Everything else about it is computed from the record."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="games", verbose_name=_("match"), db_index=False)
    deal = models.PositiveSmallIntegerField(_("deal"))
    rotation = models.PositiveSmallIntegerField(_("rotation"))
    seating = models.JSONField(_("seating"), help_text=_("By seat: the index of the match's seat that sat there."))
    ending = models.CharField(_("ending"), max_length=12)
    places = models.JSONField(_("places"), help_text=_("By seat."))
    failures = models.JSONField(
        _("failures"), default=list, blank=True, help_text=_("Seat, reason and number of moves played, of each.")
    )
    record = models.BinaryField(_("record"), help_text=_("In the compact form of arena.durak."))
    moves = models.PositiveIntegerField(_("moves"))
    seconds = models.FloatField(_("time"), help_text=_("In seconds."))
    created_at = models.DateTimeField(_("played"), auto_now_add=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ("match", "rotation", "deal")
        constraints = [
            models.UniqueConstraint(fields=["match", "rotation", "deal"], name="game_once"),
            models.CheckConstraint(
                name="game_ending_is_known",
                condition=Q(ending__in=["fool", "draw", "win", "stalemate", "bout_limit", "forfeit"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} / {self.deal} / {self.rotation}"

    def get_absolute_url(self) -> str:
        return reverse("replays:game", args=[self.pk])
