from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models.secret import DealSecret
from tournaments.models.tournament import Tournament


class Match(models.Model):
    """One table of entries that plays all its deals in all rotations. A row is there before it is played: the plan.

    Which state may follow which stands in `tournaments.queue`.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("being played")
        FINISHED = "finished", _("finished")
        # Begun `MAX_ATTEMPTS` times and never finished, by a fault of ours.
        PARKED = "parked", _("set aside")
        CANCELLED = "cancelled", _("not played")

    PLAYED = (State.RUNNING, State.PARKED, State.FINISHED)

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="matches", verbose_name=_("tournament"), db_index=False
    )
    number = models.PositiveIntegerField(_("number"), help_text=_("Within the tournament; the decks depend on it."))
    round = models.PositiveIntegerField(_("round"))
    # The entries at the table, sorted, so that the database can tell that a table was planned twice.
    table_key = models.CharField(_("table"), max_length=80)
    secret = models.ForeignKey(DealSecret, models.PROTECT, related_name="matches", verbose_name=_("secret"))

    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.QUEUED)
    priority = models.SmallIntegerField(_("priority"), default=0, help_text=_("A higher one is played earlier."))
    # It only ever rises: whoever held an earlier attempt must not be taken for who holds this one.
    attempt = models.PositiveIntegerField(_("attempts"), default=0)
    forgiven = models.PositiveIntegerField(
        _("attempts forgiven"),
        default=0,
        # In the database too, for a worker of the version before, which plans matches while the site is upgraded.
        db_default=0,
        help_text=_("Those before it was given all its attempts again."),
    )
    worker = models.CharField(_("worker"), max_length=200, blank=True)
    lease_until = models.DateTimeField(_("leased until"), null=True, blank=True)
    retry_at = models.DateTimeField(_("not before"), null=True, blank=True)
    sent_at = models.DateTimeField(_("announced"), null=True, blank=True)
    error = models.TextField(_("our fault"), blank=True, help_text=_("Why the last attempt failed."))
    progress = models.PositiveIntegerField(_("games played"), default=0)
    rated_order = models.PositiveIntegerField(_("place in the order of rating"), null=True, blank=True)

    queued_at = models.DateTimeField(_("planned"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="match_number_once"),
            models.UniqueConstraint(fields=["tournament", "round", "table_key"], name="match_table_once_a_round"),
            models.UniqueConstraint(fields=["tournament", "rated_order"], name="match_rated_order_once"),
            models.CheckConstraint(
                name="match_state_is_known",
                condition=Q(state__in=["queued", "running", "finished", "parked", "cancelled"]),
            ),
            models.CheckConstraint(
                name="match_leased_while_running",
                condition=Q(state="running", lease_until__isnull=False)
                | (~Q(state="running") & Q(lease_until__isnull=True)),
            ),
            models.CheckConstraint(
                name="match_rated_when_finished",
                condition=Q(state="finished", rated_order__isnull=False, finished_at__isnull=False)
                | (~Q(state="finished") & Q(rated_order__isnull=True)),
            ),
        ]
        indexes = [
            models.Index(fields=["-priority", "id"], name="match_queue", condition=Q(state="queued")),
            models.Index(fields=["sent_at"], name="match_announced", condition=Q(state="queued")),
            models.Index(fields=["lease_until"], name="match_leases", condition=Q(state="running")),
            models.Index(fields=["tournament", "state", "id"], name="match_by_state"),
            models.Index(fields=["finished_at"], name="match_finished_at", condition=Q(state="finished")),
            # The list of what has been played, over all tournaments, however much waits.
            models.Index(
                fields=["state", "id"], name="match_played", condition=Q(state__in=["running", "parked", "finished"])
            ),
            models.Index(fields=["id"], name="match_parked", condition=Q(state="parked")),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} #{self.number}"

    def get_absolute_url(self) -> str:
        return reverse("tournaments:match", args=[self.pk])
