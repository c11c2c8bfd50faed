"""The forms of tournaments: entering a bot, and what an organiser does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from arena.durak import PRESETS, Ruleset, RulesetError
from arena.limits import Limits
from bots.models import Bot, BotVersion
from bots.names import validate_name
from tournaments import organising
from tournaments.cost import Cost, cost
from tournaments.models import Entry, Tournament
from tournaments.organising import Entrance
from tournaments.values import limits_of, ruleset_of
from tournaments.words import RULESETS
from upkeep.keys import MOST_DIGITS, key

if TYPE_CHECKING:
    BotsFieldBase = forms.ModelMultipleChoiceField[Bot]
else:
    BotsFieldBase = forms.ModelMultipleChoiceField

MOST_DEALS = 200
MOST_BOTS_A_USER = 50
MOST_PREVIEWED = 1000
MOST_OFFERED = 50
"""Bots to choose from at once; others are found by their name."""


class EntryForm(forms.Form):
    """Which of one's own bots is to enter. Only those that could are offered."""

    bot = forms.ModelChoiceField(
        queryset=Bot.objects.none(),
        label=_("Bot"),
        empty_label=None,
        help_text=_("It enters with its current version, and keeps it to the end of a round robin."),
        error_messages={"required": _("Choose a bot.")},
    )
    code = forms.CharField(
        label=_("Entry code"),
        max_length=40,
        help_text=_("The organiser gives it to those who may enter."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
        error_messages={"required": _("Type the entry code.")},
    )

    use_required_attribute = False

    def __init__(self, *args: Any, tournament: Tournament, owner: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["bot"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - tells the type checker what stands above
        inside = Entry.objects.filter(tournament=tournament, state__in=["active", "disqualified"]).values("bot")
        ready = BotVersion.objects.filter(state=BotVersion.State.READY).values("bot")
        field.queryset = Bot.objects.filter(owner=owner, pk__in=ready).exclude(pk__in=inside)
        if tournament.entry_rule != Tournament.EntryRule.CODE:
            del self.fields["code"]


class MomentField(forms.DateTimeField):
    """A moment by the site's clock, which is UTC: the browser's own control for it, or any of the usual notations."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def to_python(self, value: Any) -> datetime | None:
        """The moment by UTC: one typed with another offset may lie outside of what a calendar has."""
        moment = super().to_python(value)
        try:
            return None if moment is None else moment.astimezone(UTC)
        except OverflowError:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from None


def _ruleset_choices() -> list[tuple[str, str]]:
    return [(name, str(RULESETS.get(name, name))) for name in PRESETS]


class TournamentForm(forms.Form):
    """A round robin: all of it, with defaults that make a sensible one. Fields that can no longer change are shown.

    After `is_valid`, `create` makes the tournament and `change` changes the one that was given.
    """

    name = forms.CharField(
        label=pgettext_lazy("of a tournament", "Name"),
        max_length=100,
        help_text=_("As the list shows it. The address of the tournament is made from it and stays."),
        error_messages={"required": _("Give the tournament a name.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        validators=[validate_name],
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=2000,
        help_text=_("For whom it is, and what it is about. Everyone can read this."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    preset = forms.ChoiceField(label=_("Ruleset"), choices=lazy(_ruleset_choices, list)(), initial="podkidnoy")
    players = forms.TypedChoiceField(
        label=_("Seats at a table"),
        choices=[(count, str(count)) for count in range(2, 7)],
        coerce=int,
        initial=2,
        help_text=_("Two make the clearest contest. Pairs need four."),
    )
    deals = forms.IntegerField(
        label=_("Deals a match"),
        min_value=1,
        max_value=MOST_DEALS,
        initial=10,
        help_text=_("Each deal is played once in every rotation over the seats. More deals, less luck, more time."),
    )
    bank = forms.FloatField(
        label=_("Seconds for a game"),
        min_value=0.1,
        max_value=600,
        initial=Limits().bank,
        help_text=_("What a bot may think in all in one game."),
    )
    move_limit = forms.FloatField(
        label=_("Seconds for a decision"),
        min_value=0.05,
        max_value=60,
        initial=Limits().move_limit,
    )
    memory_mb = forms.IntegerField(
        label=_("Memory of a bot, in MB"), min_value=64, max_value=1024, initial=Limits().memory_mb
    )
    entry_rule = forms.ChoiceField(
        label=_("Who may enter a bot"), choices=Tournament.EntryRule.choices, initial=Tournament.EntryRule.ANYONE
    )
    entry_code = forms.CharField(
        label=_("Entry code"),
        required=False,
        max_length=40,
        help_text=_("Only where a code is asked for. Left empty, one is made up for you."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
    )
    bots_a_user = forms.IntegerField(
        label=_("Bots of one user"),
        min_value=1,
        max_value=MOST_BOTS_A_USER,
        initial=1,
        help_text=_("How many bots each user may enter at most."),
    )
    opens_at = MomentField(
        label=_("Entries from"), required=False, help_text=_("In UTC. Left empty: as soon as you open it.")
    )
    closes_at = MomentField(
        label=_("Entries until"), required=False, help_text=_("In UTC. Left empty: until you start it.")
    )
    starts_at = MomentField(
        label=_("Start"), required=False, help_text=_("In UTC. Then it starts by itself. Left empty: you start it.")
    )
    expected = forms.IntegerField(
        label=_("Bots that you expect"),
        min_value=2,
        max_value=MOST_PREVIEWED,
        initial=10,
        required=False,
        help_text=_("Only for the preview below; it binds nobody."),
    )

    use_required_attribute = False

    PLAY = ("preset", "players", "deals", "bank", "move_limit", "memory_mb")
    ENTRANCE = ("entry_rule", "entry_code", "bots_a_user", "opens_at", "closes_at", "starts_at")

    def __init__(self, *args: Any, tournament: Tournament | None = None, **kwargs: Any) -> None:
        self.tournament = tournament
        if tournament is not None:
            kwargs["initial"] = self._stored(tournament) | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        if tournament is not None:
            fixed: tuple[str, ...] = ()
            if tournament.state != Tournament.State.DRAFT:
                fixed += self.PLAY
            if tournament.state not in {Tournament.State.DRAFT, Tournament.State.OPEN}:
                fixed += self.ENTRANCE
            for name in fixed:
                self.fields[name].disabled = True
            if tournament.ruleset_name not in PRESETS:
                preset = self.fields["preset"]
                assert isinstance(preset, forms.ChoiceField)  # noqa: S101 - as above
                own = pgettext_lazy("ruleset", "as it is (%(name)s)") % {"name": tournament.ruleset_name}
                preset.choices = [("", own), *_ruleset_choices()]
                preset.required = False

    @staticmethod
    def _stored(tournament: Tournament) -> dict[str, Any]:
        limits = limits_of(tournament)
        names = ("name", "description", "players", "deals", *TournamentForm.ENTRANCE)
        return {
            **{name: getattr(tournament, name) for name in names},
            **{name: getattr(limits, name) for name in ("bank", "move_limit", "memory_mb")},
            "preset": tournament.ruleset_name if tournament.ruleset_name in PRESETS else "",
            "expected": max(2, tournament.entries.filter(state=Entry.State.ACTIVE).count()) or 10,
        }

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if "preset" in values and "players" in values:
            try:
                self.ruleset.check_players(values["players"])
            except RulesetError:
                self.add_error("players", gettext("Pairs are played by four. Choose four seats, or other rules."))
        if {"bank", "move_limit"} <= values.keys() and values["move_limit"] > values["bank"]:
            self.add_error("move_limit", gettext("A decision cannot take longer than the whole game may."))
        opens, closes = values.get("opens_at"), values.get("closes_at")
        if opens and closes and opens >= closes:
            self.add_error("closes_at", gettext("Entries must close after they open."))
        self._check_start(opens, closes, values.get("starts_at"))
        return values

    def _check_start(self, opens: datetime | None, closes: datetime | None, starts: datetime | None) -> None:
        if starts is None or "starts_at" in self.errors:
            return
        stands = self.tournament.starts_at if self.tournament is not None else None
        if starts <= timezone.now() and starts != stands:
            self.add_error("starts_at", gettext("This moment has passed. Choose a later one, or none."))
        elif (opens and starts <= opens) or (closes and starts < closes):
            self.add_error("starts_at", gettext("It cannot start before entries have opened and closed."))

    @property
    def ruleset(self) -> Ruleset:
        """The rules that were chosen."""
        preset = self.cleaned_data["preset"]
        if preset or self.tournament is None:
            return PRESETS[preset or "podkidnoy"]
        return ruleset_of(self.tournament)

    @property
    def limits(self) -> Limits:
        """The limits: those of the form, and for the rest those that stand or the defaults."""
        base = limits_of(self.tournament) if self.tournament is not None else Limits()
        chosen = {name: self.cleaned_data[name] for name in ("bank", "move_limit", "memory_mb")}
        return replace(base, **chosen)

    @property
    def entrance(self) -> Entrance:
        """Who may enter, and when."""
        values = self.cleaned_data
        return Entrance(
            values["entry_rule"],
            values["entry_code"],
            values["bots_a_user"],
            values["opens_at"],
            values["closes_at"],
            values["starts_at"],
        )

    def create(self, organiser: Any) -> Tournament:
        """Make the tournament, a draft."""
        values = self.cleaned_data
        return organising.create(
            organiser,
            values["name"],
            description=values["description"],
            ruleset=self.ruleset,
            players=values["players"],
            deals=values["deals"],
            limits=self.limits,
            entrance=self.entrance,
        )

    def change(self) -> Tournament:
        """Change the tournament that was given, as far as it may still be changed.

        Raises:
            LifecycleError: it has moved on while the form was open.
        """
        assert self.tournament is not None  # noqa: S101 - as above
        values = self.cleaned_data
        play = None
        if self.tournament.state == Tournament.State.DRAFT:
            play = {
                "ruleset": self.ruleset,
                "players": values["players"],
                "deals": values["deals"],
                "limits": self.limits,
            }
        return organising.change(
            self.tournament,
            name=values["name"],
            description=values["description"],
            entrance=self.entrance,
            play=play,
        )

    def preview(self) -> Cost | None:
        """What it would cost: by what was typed, or, before anything was, by the defaults. None while that is wrong."""
        if self.is_bound:
            needed = ("preset", "players", "deals", "expected")
            if not self.is_valid() and any(name in self.errors for name in needed):
                return None
            values = self.cleaned_data
            rules = self.ruleset
        else:
            values = {name: self.get_initial_for_field(field, name) for name, field in self.fields.items()}
            rules = ruleset_of(self.tournament) if self.tournament else PRESETS[values["preset"]]
        return cost(
            values.get("expected") or 10,
            players=values["players"],
            deals=values["deals"],
            ruleset_name=rules.name,
            pairs=rules.teams == "pairs",
        )


@dataclass(frozen=True)
class Offered:
    """What an organiser chooses from."""

    bots: Sequence[tuple[Bot, bool]]
    """Each with whether it has been chosen; those first, whatever was searched for."""
    more: bool
    """Whether there are others beyond these."""
    there: bool
    """Whether there is any bot to enter."""

    @property
    def found(self) -> int:
        """How many of them are there because of their names alone."""
        return sum(not chosen for _bot, chosen in self.bots)


class BotsField(BotsFieldBase):
    """Bots by their numbers. One that is greater than a database can look up is no bot's."""

    def clean(self, value: Any) -> QuerySet[Bot]:
        """The bots."""
        for number in value or ():
            if len(str(number)) > MOST_DIGITS:
                params = {"value": str(number)[:MOST_DIGITS]}
                raise forms.ValidationError(self.error_messages["invalid_choice"], code="invalid_choice", params=params)
        return super().clean(value)


class InviteForm(forms.Form):
    """Bots that the organiser enters."""

    bots = BotsField(
        queryset=Bot.objects.none(),
        label=_("Bots"),
        help_text=_("Only bots that have passed their check are listed."),
        error_messages={"required": _("Choose at least one bot.")},
    )

    use_required_attribute = False

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["bots"]
        assert isinstance(field, forms.ModelMultipleChoiceField)  # noqa: S101 - as above
        field.queryset = organising.candidates(tournament)

    def offered(self, tournament: Tournament, query: str) -> Offered:
        """The bots to show: those that have been chosen, and those that are named like `query`, as far as one reads."""
        typed = self.data.getlist("bots") if isinstance(self.data, QueryDict) else []
        numbers = [number for text in typed if (number := key(text)) is not None]
        chosen = list(organising.candidates(tournament).filter(pk__in=numbers)) if numbers else []
        found = list(organising.candidates(tournament, query).exclude(pk__in=numbers)[: MOST_OFFERED + 1])
        shown = [(bot, True) for bot in chosen] + [(bot, False) for bot in found[:MOST_OFFERED]]
        there = bool(shown) or (bool(query) and organising.candidates(tournament).exists())
        return Offered(shown, len(found) > MOST_OFFERED, there)


class ReasonForm(forms.Form):
    """Why a bot is disqualified."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        help_text=_("One sentence. Everyone reads it beside the bot's name in the table."),
        error_messages={"required": _("Say why: the reason is shown in the table.")},
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    use_required_attribute = False
