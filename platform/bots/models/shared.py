from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from bots.models.file import BotFile


class SharedFile(models.Model):
    """Staff has looked at a file that several accounts uploaded, and knows why: nobody need look again.

    That several have it is found in the versions; this row only takes it off the list, for as many accounts as it had.
    """

    file = models.OneToOneField(BotFile, models.CASCADE, primary_key=True, verbose_name=_("file"), related_name="+")
    owners = models.PositiveIntegerField(_("accounts"), help_text=_("With one more, it is on the list again."))
    note = models.CharField(_("note"), max_length=200, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("who")
    )
    at = models.DateTimeField(_("when"), auto_now=True)

    class Meta:
        verbose_name = _("file of several accounts, looked at")
        verbose_name_plural = _("files of several accounts, looked at")

    def __str__(self) -> str:
        return self.file_id[:12]
