from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from bots.models import Bot, BotVersion
from tournaments.models.tournament import Tournament


class Entry(models.Model):
    """One version of a bot in one tournament, with everything that the table says about it.

    The sums (matches, games, points, failures) are those of its seats in finished matches. They stand here because the
    table is read far more often than a match ends; `check_integrity` adds them up again.
    """

    class State(models.TextChoices):
        ACTIVE = "active", _("playing")
        # On a ladder, when the bot's newer version has taken its place.
        REPLACED = "replaced", _("replaced by a newer version")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")
        # By staff, until it is lifted: its bot, or its bot's owner, is suspended (see `tournaments.suspending`).
        SUSPENDED = "suspended", _("suspended")

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="entries", verbose_name=_("tournament"), db_index=False
    )
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="entries", verbose_name=_("bot"))
    version = models.ForeignKey(BotVersion, models.PROTECT, related_name="entries", verbose_name=_("version"))
    state = models.CharField(_("state"), max_length=12, choices=State.choices, default=State.ACTIVE)
    reason = models.TextField(_("reason"), blank=True, help_text=_("Why it no longer plays; shown in the table."))
    joined_at = models.DateTimeField(_("entered"), auto_now_add=True)
    # Its number among those that were in at the start of a round robin, from 0: the plan is made of these numbers.
    plan_index = models.PositiveIntegerField(null=True, blank=True, editable=False)

    elo = models.FloatField(_("Elo"), default=1500.0)
    # Of the likelihood table; none before the first finished match.
    rating = models.FloatField(_("rating"), null=True, blank=True)
    rating_low = models.FloatField(_("rating, lower end"), null=True, blank=True)
    rating_high = models.FloatField(_("rating, upper end"), null=True, blank=True)

    matches = models.PositiveIntegerField(_("matches"), default=0)
    games = models.PositiveIntegerField(_("games"), default=0)
    won = models.PositiveIntegerField(_("games won"), default=0)
    drawn = models.PositiveIntegerField(_("games drawn"), default=0)
    lost = models.PositiveIntegerField(_("games lost"), default=0)
    points = models.PositiveBigIntegerField(
        _("points"), default=0, help_text=_("Of the two that each pair of opponents shares in each game.")
    )
    failures = models.JSONField(_("failed games by reason"), default=dict, blank=True)
    decisions = models.PositiveBigIntegerField(_("decisions"), default=0)
    seconds = models.FloatField(_("thinking time"), default=0.0, help_text=_("In seconds, over all games."))
    slowest = models.FloatField(_("slowest decision"), default=0.0, help_text=_("In seconds."))

    class Meta:
        verbose_name = pgettext_lazy("of a tournament", "entry")
        verbose_name_plural = _("entries")
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(fields=["tournament", "version"], name="entry_version_once"),
            models.UniqueConstraint(
                fields=["tournament", "bot"],
                name="entry_bot_plays_once",
                condition=Q(state__in=["active", "disqualified"]),
            ),
            models.CheckConstraint(
                name="entry_state_is_known",
                condition=Q(state__in=["active", "replaced", "withdrawn", "disqualified", "suspended"]),
            ),
            models.UniqueConstraint(fields=["tournament", "plan_index"], name="entry_plan_index_once"),
            models.CheckConstraint(name="entry_games_add_up", condition=Q(games=F("won") + F("drawn") + F("lost"))),
        ]
        indexes = [models.Index(fields=["tournament", "state"], name="entry_by_state")]

    def __str__(self) -> str:
        return str(self.version)
