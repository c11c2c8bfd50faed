from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

LADDER_NAME = "Ladder"
"""What the ladder is called until somebody gives it another name."""


class Tournament(models.Model):
    """Bots that meet under one ruleset, with the same deals and limits for everyone.

    Which state may follow which stands in `tournaments.lifecycle`.
    """

    class Kind(models.TextChoices):
        ROUND_ROBIN = "round_robin", _("round robin")
        LADDER = "ladder", _("ladder")

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open for entries")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class EntryRule(models.TextChoices):
        ANYONE = "anyone", _("everyone with an account")
        CODE = "code", _("whoever has the entry code")
        ORGANISER = "organiser", _("nobody: the organiser enters the bots")

    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(_("address"), max_length=100, unique=True)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    ruleset_name = models.CharField(_("ruleset"), max_length=50)
    ruleset = models.JSONField(_("options of the ruleset"))
    players = models.PositiveSmallIntegerField(_("seats at a table"), default=2)
    deals = models.PositiveSmallIntegerField(
        _("deals a match"),
        default=10,
        help_text=_("Each deal is played once in every rotation of the bots over the seats."),
    )
    limits = models.JSONField(_("limits"))
    # What holds for who enters a bot of his own (see `tournaments.entering`).
    entry_rule = models.CharField(
        _("who may enter"), max_length=10, choices=EntryRule.choices, default=EntryRule.ANYONE
    )
    entry_code = models.CharField(_("entry code"), max_length=40, blank=True)
    bots_a_user = models.PositiveSmallIntegerField(_("bots of one user"), default=1)
    opens_at = models.DateTimeField(_("entries from"), null=True, blank=True)
    closes_at = models.DateTimeField(_("entries until"), null=True, blank=True)
    # When the sweep starts it, and when it could not do so for want of bots (see `tournaments.dates`).
    starts_at = models.DateTimeField(_("starts by itself"), null=True, blank=True)
    start_missed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # From the start until the whole plan is written down, and no match of it is begun (see `tournaments.planning`).
    planning = models.BooleanField(default=False, editable=False)
    plan_total = models.PositiveIntegerField(default=0, editable=False)
    # Set while it is running and no match of it is begun (see `tournaments.pausing`).
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("made by"), related_name="+"
    )
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("ended"), null=True, blank=True)
    # How many matches were rated, which is also the number that the last of them got; the row is the lock of all that
    # changes a tournament's ratings or plan (see `tournaments.locks`).
    rated = models.PositiveIntegerField(_("matches rated"), default=0, editable=False)
    # How many of them the likelihood table knows, and when and in what time it was made.
    fitted = models.PositiveIntegerField(_("matches in the table"), default=0, editable=False)
    fitted_at = models.DateTimeField(_("table made"), null=True, blank=True, editable=False)
    fit_seconds = models.FloatField(_("time the table took"), default=0.0, editable=False)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(name="tournament_kind_is_known", condition=Q(kind__in=["round_robin", "ladder"])),
            models.CheckConstraint(
                name="tournament_state_is_known",
                condition=Q(state__in=["draft", "open", "running", "finished", "cancelled"]),
            ),
            models.CheckConstraint(name="tournament_players_2_to_6", condition=Q(players__gte=2, players__lte=6)),
            models.CheckConstraint(name="tournament_deals_from_one", condition=Q(deals__gte=1)),
            models.CheckConstraint(
                name="tournament_entry_rule_is_known", condition=Q(entry_rule__in=["anyone", "code", "organiser"])
            ),
            models.CheckConstraint(name="tournament_bots_a_user_from_one", condition=Q(bots_a_user__gte=1)),
            models.CheckConstraint(
                name="tournament_opens_before_it_closes",
                condition=Q(opens_at=None) | Q(closes_at=None) | Q(opens_at__lt=F("closes_at")),
            ),
            models.CheckConstraint(
                name="tournament_closes_before_it_starts",
                condition=Q(closes_at=None) | Q(starts_at=None) | Q(closes_at__lte=F("starts_at")),
            ),
            models.CheckConstraint(
                name="tournament_opens_before_it_starts",
                condition=Q(opens_at=None) | Q(starts_at=None) | Q(opens_at__lt=F("starts_at")),
            ),
        ]
        indexes = [models.Index(fields=["state", "-id"], name="tournament_by_state")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:detail", args=[self.slug])

    @property
    def title(self) -> str:
        """What pages call it: its name, which somebody chose. The ladder's is ours, and in the reader's language."""
        return gettext("Ladder") if self.is_ladder and self.name == LADDER_NAME else self.name

    @property
    def is_ladder(self) -> bool:
        """Whether it always runs, and a new version plays everyone who is in."""
        return self.kind == self.Kind.LADDER

    @property
    def games_a_match(self) -> int:
        """Games of one match: every deal in every rotation."""
        return self.deals * self.players
