from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Mark(models.Model):
    """How far a piece of upkeep has come, so that the next sweep goes on there instead of looking from the start."""

    name = models.CharField(_("name"), max_length=40, primary_key=True)
    done_to = models.BigIntegerField(_("done up to"), default=0)

    class Meta:
        verbose_name = _("mark of upkeep")
        verbose_name_plural = _("marks of upkeep")

    def __str__(self) -> str:
        return f"{self.name}: {self.done_to}"
