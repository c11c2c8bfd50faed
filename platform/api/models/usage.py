from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Usage(models.Model):
    """How often one account, or one address, has made use of an allowance in the span that is running for it."""

    key = models.CharField(_("whose, and of what"), max_length=120, primary_key=True)
    count = models.PositiveIntegerField(_("requests"), default=1)
    ends_at = models.DateTimeField(_("counted until"), db_index=True)

    class Meta:
        verbose_name = _("use of the API")
        verbose_name_plural = _("use of the API")

    def __str__(self) -> str:
        return f"{self.key}: {self.count}"
