from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

NAME_LENGTH = 60
"""Longest name of a token, in characters."""


class ApiToken(models.Model):
    """Lets a program act for its owner. The token itself is nowhere kept: only its SHA-256, which finds the row.

    A fast hash is enough: nobody can try 2^256 tokens, however fast the trying is.
    """

    class Scope(models.TextChoices):
        READ = "read", _("read what is yours")
        UPLOAD = "upload", _("read, make bots and upload versions")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens", verbose_name=_("owner")
    )
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    digest = models.CharField(_("SHA-256"), max_length=64, unique=True, editable=False)
    hint = models.CharField(_("ends with"), max_length=4, editable=False)
    scope = models.CharField(pgettext_lazy("what a token may do", "may"), max_length=10, choices=Scope.choices)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, help_text=_("To the minute."))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(name="token_scope_is_known", condition=Q(scope__in=["read", "upload"])),
            models.CheckConstraint(name="token_expires_after_it_was_made", condition=Q(expires_at__gt=F("created_at"))),
            # A form that is sent twice must not make a second token that nobody sees.
            models.UniqueConstraint(
                fields=["user", "name"], name="token_name_once_an_owner", condition=Q(revoked_at=None)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_expired(self) -> bool:
        """Whether its time is over."""
        return self.expires_at <= timezone.now()

    @property
    def may_upload(self) -> bool:
        """Whether it may change anything: make bots and upload versions."""
        return self.scope == self.Scope.UPLOAD
