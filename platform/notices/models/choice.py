from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Choice(models.Model):
    """Which notices somebody wants. Nobody gets any before he has asked for it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_choice", verbose_name=_("user")
    )
    check_ended = models.BooleanField(_("a check of a version of mine has ended"), default=False)
    version_fails = models.BooleanField(_("a version of mine starts to fail in games"), default=False)
    tournament_finished = models.BooleanField(_("a tournament in which I play is over"), default=False)
    language = models.CharField(_("language"), max_length=10)
    site = models.URLField(_("address of the site"), help_text=_("As it was when the choice was made, for the links."))
    since = models.DateTimeField(_("since"), help_text=_("What happened before is not told."))

    class Meta:
        verbose_name = _("choice of notices")
        verbose_name_plural = _("choices of notices")
        ordering = ("user",)

    def __str__(self) -> str:
        return str(self.user)

    @property
    def wants_any(self) -> bool:
        """Whether he wants any of them."""
        return self.check_ended or self.version_fails or self.tournament_finished
