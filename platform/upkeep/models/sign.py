from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class WorkerSign(models.Model):
    """The last sign of life of one worker, whether it has something to do or not, and what its host is like."""

    name = models.CharField(_("worker"), max_length=200, primary_key=True)
    queues = models.CharField(_("queues"), max_length=200, blank=True)
    slots = models.PositiveIntegerField(_("slots"), default=0, help_text=_("What it does at the same time."))
    started_at = models.DateTimeField(_("started"))
    seen_at = models.DateTimeField(_("last sign of life"))
    stopped_at = models.DateTimeField(_("stopped"), null=True, blank=True, help_text=_("Set when it was told to."))
    host = models.JSONField(
        _("host"), default=dict, blank=True, help_text=_("Free and whole disk, engine, and the image of the bots.")
    )

    class Meta:
        verbose_name = _("sign of a worker")
        verbose_name_plural = _("signs of workers")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name
