from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class BotFile(models.Model):
    """An upload, kept once however often it was uploaded. Its key is the SHA-256 of its bytes, in hex."""

    digest = models.CharField(_("SHA-256"), max_length=64, primary_key=True)
    content = models.BinaryField(_("content"))
    size = models.PositiveIntegerField(_("size"), help_text=_("In bytes."))
    created_at = models.DateTimeField(_("first uploaded"), auto_now_add=True)

    class Meta:
        verbose_name = _("uploaded file")
        verbose_name_plural = _("uploaded files")

    def __str__(self) -> str:
        return self.digest[:12]
