from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from arena.durak import PRESETS, RulesetError
from bots.models import Bot
from bots.selectors import may_play, with_current
from tournaments import lifecycle, queue
from tournaments.models import DealSecret, Entry, Game, GameLog, Match, RatingPoint, Seat, Tournament
from upkeep.admin_site import WritesWhatWasChanged

if TYPE_CHECKING:
    TournamentBase = admin.ModelAdmin[Tournament]
    EntryBase = admin.ModelAdmin[Entry]
    MatchBase = admin.ModelAdmin[Match]
    GameBase = admin.ModelAdmin[Game]
    LogBase = admin.ModelAdmin[GameLog]
    PointBase = admin.ModelAdmin[RatingPoint]
    SecretBase = admin.ModelAdmin[DealSecret]
    SeatInlineBase = admin.TabularInline[Seat, Match]
    TournamentFormBase = forms.ModelForm[Tournament]
else:
    TournamentBase = EntryBase = MatchBase = GameBase = LogBase = PointBase = SecretBase = admin.ModelAdmin
    SeatInlineBase = admin.TabularInline
    TournamentFormBase = forms.ModelForm


class TournamentForm(TournamentFormBase):
    """A new round robin, or the words of one that exists: its rules are fixed once it is there."""

    preset = forms.ChoiceField(label=_("ruleset"), choices=[(name, name) for name in PRESETS], required=False)

    class Meta:
        model = Tournament
        fields = ("name", "slug", "description", "players", "deals")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        preset, players = values.get("preset"), values.get("players")
        if preset and players:
            try:
                PRESETS[preset].check_players(players)
            except RulesetError as error:
                self.add_error("players", str(error))
        return values


@admin.register(Tournament)
class TournamentAdmin(WritesWhatWasChanged, TournamentBase):
    form = TournamentForm
    list_display = (
        "name",
        "kind",
        "state",
        "ruleset_name",
        "players",
        "deals",
        "created_at",
        "started_at",
        "finished_at",
    )
    list_filter = ("state", "kind", "ruleset_name")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}  # noqa: RUF012
    actions = ("open_entries", "enter_all", "start_round_robin", "cancel")

    def get_fields(self, request: HttpRequest, obj: Tournament | None = None) -> list[Any]:  # noqa: ARG002
        rules = ["preset", "players", "deals"] if obj is None else []
        return ["name", "slug", "description", *rules]

    def get_readonly_fields(self, request: HttpRequest, obj: Tournament | None = None) -> list[str]:  # noqa: ARG002
        # People have its address once it is public, and its plan is computed from it.
        return ["slug"] if obj is not None and obj.state != Tournament.State.DRAFT else []

    def get_prepopulated_fields(self, request: HttpRequest, obj: Tournament | None = None) -> dict[str, Any]:  # noqa: ARG002
        return {"slug": ("name",)} if obj is None else {}

    def save_model(self, request: HttpRequest, obj: Tournament, form: Any, change: bool) -> None:
        if change:
            super().save_model(request, obj, form, change)
            return
        values = form.cleaned_data
        made = lifecycle.create_round_robin(
            values["name"],
            slug=values["slug"],
            description=values["description"],
            ruleset=values["preset"] or "podkidnoy",
            players=values["players"],
            deals=values["deals"],
            created_by=request.user if isinstance(request.user, User) else None,
        )
        obj.pk = made.pk
        obj.refresh_from_db()

    @admin.action(description=_("Open for entries"))
    def open_entries(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        self._each(request, queryset, lifecycle.open_entries)

    @admin.action(description=_("Enter every bot that is ready"))
    def enter_all(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        for tournament in queryset:
            for bot in with_current(Bot.objects.filter(may_play())).filter(current_id__isnull=False):
                try:
                    lifecycle.enter(tournament, bot)
                except lifecycle.LifecycleError as error:
                    self.message_user(request, str(error), messages.ERROR)
                    break

    @admin.action(description=_("Start the round robin"))
    def start_round_robin(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        self._each(request, queryset, lifecycle.start)

    @admin.action(description=pgettext_lazy("a tournament", "Cancel"))
    def cancel(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        self._each(request, queryset, lifecycle.cancel)

    def _each(
        self, request: HttpRequest, queryset: QuerySet[Tournament], step: Callable[[Tournament], Tournament]
    ) -> None:
        for tournament in queryset:
            try:
                moved = step(tournament)
            except lifecycle.LifecycleError as error:
                self.message_user(request, str(error), messages.ERROR)
            else:
                text = gettext("“%(name)s” is now %(state)s.")
                values = {"name": moved.name, "state": moved.get_state_display()}
                self.message_user(request, text % values, messages.SUCCESS)


@admin.register(Entry)
class EntryAdmin(WritesWhatWasChanged, EntryBase):
    list_display = ("bot", "version", "tournament", "state", "rating", "elo", "matches", "joined_at")
    list_filter = ("state", "tournament")
    search_fields = ("bot__name", "bot__slug")
    list_select_related = ("bot", "version__bot", "tournament")
    fields = ("tournament", "bot", "version", "state", "reason", "elo", "rating", "matches", "games", "joined_at")
    readonly_fields = fields
    actions = ("disqualify",)

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    @admin.action(description=_("Disqualify"))
    def disqualify(self, request: HttpRequest, queryset: QuerySet[Entry]) -> None:
        for entry in queryset:
            try:
                lifecycle.disqualify(entry, gettext("By decision of the staff."))
            except lifecycle.LifecycleError as error:
                self.message_user(request, str(error), messages.ERROR)


class SeatInline(SeatInlineBase):
    model = Seat
    extra = 0
    can_delete = False
    fields = ("index", "entry", "version", "score", "won", "drawn", "lost", "failures", "seconds")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False


@admin.register(Match)
class MatchAdmin(WritesWhatWasChanged, MatchBase):
    list_display = (
        "number",
        "tournament",
        "state",
        "attempt",
        "priority",
        "worker",
        "queued_at",
        "finished_at",
        "error",
    )
    list_filter = ("state", "tournament")
    search_fields = ("=number", "error", "worker")
    list_select_related = ("tournament",)
    inlines = (SeatInline,)
    exclude = ("table_key", "priority")
    actions = ("retry", "park")
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    @admin.action(description=_("Try again what was set aside"))
    def retry(self, request: HttpRequest, queryset: QuerySet[Match]) -> None:
        self._each(request, queryset, queue.retry)

    @admin.action(description=_("Set aside"))
    def park(self, request: HttpRequest, queryset: QuerySet[Match]) -> None:
        self._each(request, queryset, lambda match: queue.park(match, gettext("By decision of the staff.")))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:  # noqa: ARG002
        return [field.name for field in Match._meta.fields]

    def _each(self, request: HttpRequest, queryset: QuerySet[Match], step: Callable[[Match], None]) -> None:
        for match in queryset.select_related("tournament"):
            try:
                step(match)
            except queue.QueueError as error:
                self.message_user(request, str(error), messages.ERROR)


class ReadOnly:
    """What matches left behind is looked at, and changed by nobody."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False


@admin.register(Game)
class GameAdmin(ReadOnly, GameBase):
    list_display = ("__str__", "ending", "places", "failures", "moves", "seconds", "created_at")
    list_filter = ("ending",)
    list_select_related = ("match__tournament",)
    raw_id_fields = ("match",)
    exclude = ("record",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return super().get_queryset(request).defer("record")


@admin.register(GameLog)
class GameLogAdmin(ReadOnly, LogBase):
    list_display = ("game", "seat")
    list_select_related = ("game__match__tournament", "seat__match__tournament")


@admin.register(RatingPoint)
class RatingPointAdmin(ReadOnly, PointBase):
    list_display = ("entry", "match", "order", "before", "after")
    list_select_related = ("entry__version__bot", "match__tournament")


@admin.register(DealSecret)
class DealSecretAdmin(ReadOnly, SecretBase):
    list_display = ("tournament", "day", "commitment", "created_at", "revealed_at")
    list_select_related = ("tournament",)
    exclude = ("secret",)
