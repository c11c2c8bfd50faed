from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.game import Game
from tournaments.models.seat import Seat


class GameLog(models.Model):
    """What one bot printed in one game, and all that is known about how it failed. For its owner only."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="logs", verbose_name=_("game"), db_index=False)
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="logs", verbose_name=_("seat"))
    log = models.TextField(_("log"), blank=True)
    failure = models.JSONField(_("failure"), null=True, blank=True, help_text=_("With traceback and view."))

    class Meta:
        verbose_name = _("log of a game")
        verbose_name_plural = _("logs of games")
        constraints = [models.UniqueConstraint(fields=["game", "seat"], name="log_once")]

    def __str__(self) -> str:
        return f"{self.game} / {self.seat.index}"
