from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from bots.models.bot import Bot
from bots.models.file import BotFile


class BotVersion(models.Model):
    """One upload of a bot. It never changes: what is uploaded next is a version of its own.

    While it is `checking`, the lease says whether a worker has it: none, or one that ran out, means that it waits.
    """

    class State(models.TextChoices):
        CHECKING = "checking", _("being checked")
        READY = "ready", _("ready")
        REJECTED = "rejected", _("rejected")
        # Not the bot's fault: the check itself could not be run, and staff has to look.
        PARKED = "parked", _("not checked")

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="versions", verbose_name=_("bot"))
    number = models.PositiveIntegerField(_("number"))
    file = models.ForeignKey(BotFile, models.PROTECT, related_name="versions", verbose_name=_("file"))
    filename = models.CharField(_("file name"), max_length=200)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.CHECKING)
    report = models.JSONField(_("report"), null=True, blank=True)
    progress = models.JSONField(_("progress"), null=True, blank=True)
    fault = models.TextField(_("our fault"), blank=True, help_text=_("Why the last attempt to check it failed."))
    # It only ever rises: whoever held an earlier attempt must not be taken for who holds this one.
    attempt = models.PositiveIntegerField(_("attempts"), default=0)
    forgiven = models.PositiveIntegerField(
        _("attempts forgiven"),
        default=0,
        # In the database too, for a web process of the version before, which takes uploads while the site is upgraded.
        db_default=0,
        help_text=_("Those before it was given all its attempts again."),
    )
    lease_until = models.DateTimeField(_("leased until"), null=True, blank=True)
    retry_at = models.DateTimeField(_("not before"), null=True, blank=True)
    sent_at = models.DateTimeField(_("announced"), null=True, blank=True)
    worker = models.CharField(_("worker"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("uploaded"), auto_now_add=True)
    checked_at = models.DateTimeField(_("checked"), null=True, blank=True)

    class Meta:
        verbose_name = _("version")
        verbose_name_plural = _("versions")
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_once_a_bot"),
            models.CheckConstraint(
                name="version_state_is_known", condition=Q(state__in=["checking", "ready", "rejected", "parked"])
            ),
            models.CheckConstraint(name="version_number_from_one", condition=Q(number__gte=1)),
            models.CheckConstraint(
                name="version_leased_only_while_checking", condition=Q(lease_until=None) | Q(state="checking")
            ),
        ]
        indexes = [
            models.Index(fields=["bot", "state", "-number"], name="version_newest_ready"),
            models.Index(fields=["id"], name="version_waiting", condition=Q(state="checking")),
        ]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"

    def get_absolute_url(self) -> str:
        return reverse("bots:version", args=[self.bot.slug, self.number])
