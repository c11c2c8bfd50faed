from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """What a notice tells of. The values are the fields of `Choice`."""

    CHECK_ENDED = "check_ended", _("check ended")
    VERSION_FAILS = "version_fails", _("version fails")
    TOURNAMENT_FINISHED = "tournament_finished", _("tournament finished")


class Notice(models.Model):
    """One thing told to one person, or about to be: the row is what keeps it from being told twice."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices", verbose_name=_("user"))
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    subject = models.BigIntegerField(_("what of"), help_text=_("The number of the version, or of the tournament."))
    created_at = models.DateTimeField(_("found"), auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    sent_at = models.DateTimeField(_("went out"), null=True, blank=True)
    error = models.TextField(_("error"), blank=True, help_text=_("Why the last attempt to send it failed."))

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "subject"], name="notice_once"),
            models.CheckConstraint(
                name="notice_kind_is_known",
                condition=Q(kind__in=["check_ended", "version_fails", "tournament_finished"]),
            ),
        ]
        indexes = [models.Index(fields=["id"], name="notice_unsent", condition=Q(sent_at=None))]

    def __str__(self) -> str:
        return f"{self.user} / {self.kind} / {self.subject}"
