from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models.suspendable import Suspendable, suspended_for_a_reason
from bots.names import validate_name

NAME_LENGTH = 60
"""Longest name of a bot, in characters: it stands in tables."""


class Bot(Suspendable):
    """A player that somebody wrote. What plays is one of its versions."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bots", verbose_name=_("owner"))
    name = models.CharField(_("name"), max_length=NAME_LENGTH, validators=[validate_name])
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    picked_version = models.ForeignKey(
        "bots.BotVersion",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("picked version"),
        help_text=_("Plays instead of the newest version that is ready."),
    )
    # The name and address that staff has hidden: `name` and `slug` are others meanwhile, wherever they are shown.
    hidden_name = models.CharField(_("hidden name"), max_length=NAME_LENGTH, blank=True, editable=False)
    hidden_slug = models.SlugField(_("hidden address"), max_length=80, blank=True, editable=False, db_index=False)

    class Meta:
        verbose_name = _("bot")
        verbose_name_plural = _("bots")
        ordering = ("name", "id")
        constraints = [
            models.UniqueConstraint(
                "owner",
                Lower("name"),
                name="bot_name_once_an_owner",
                violation_error_message=_("You have a bot of this name already."),
            ),
            suspended_for_a_reason("bot_suspended_for_a_reason"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("bots:detail", args=[self.slug])
