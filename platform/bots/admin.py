from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from bots import checks
from bots.models import Bot, BotFile, BotVersion
from bots.selectors import files_of_many
from upkeep.admin_site import WritesWhatWasChanged

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

    BotAdminBase = admin.ModelAdmin[Bot]
    VersionAdminBase = admin.ModelAdmin[BotVersion]
    FileAdminBase = admin.ModelAdmin[BotFile]
else:
    BotAdminBase = VersionAdminBase = FileAdminBase = admin.ModelAdmin


@admin.register(Bot)
class BotAdmin(WritesWhatWasChanged, BotAdminBase):
    list_display = ("name", "owner", "slug", "created_at")
    search_fields = ("name", "slug", "owner__username")
    list_select_related = ("owner",)
    date_hierarchy = "created_at"
    autocomplete_fields = ("owner",)
    raw_id_fields = ("picked_version",)


@admin.register(BotVersion)
class BotVersionAdmin(WritesWhatWasChanged, VersionAdminBase):
    list_display = ("__str__", "state", "attempt", "filename", "created_at", "checked_at", "fault")
    list_filter = ("state", "created_at")
    search_fields = ("bot__name", "bot__slug", "file__digest")
    list_select_related = ("bot",)
    actions = ("check_again",)

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - the signature is Django's
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:  # noqa: ARG002 - as above
        # A version never changes. A form would write the state in which it was opened over that of a check that ended.
        return [field.name for field in BotVersion._meta.fields]

    @admin.action(description=_("Check again what could not be checked"))
    def check_again(self, request: HttpRequest, queryset: QuerySet[BotVersion]) -> None:
        count = checks.retry(queryset)
        text = ngettext("%(count)d version waits for its check.", "%(count)d versions wait for their check.", count)
        self.message_user(request, text % {"count": count}, messages.SUCCESS)


class SharedFilter(admin.SimpleListFilter):
    """Uploads that several accounts have handed in: somebody may have copied somebody else's bot."""

    title = _("handed in by")
    parameter_name = "owners"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, StrOrPromise]]:  # noqa: ARG002
        return [("many", _("several accounts"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[BotFile]) -> QuerySet[BotFile]:  # noqa: ARG002
        return queryset.filter(pk__in=files_of_many().values("pk")) if self.value() == "many" else queryset


@admin.register(BotFile)
class BotFileAdmin(WritesWhatWasChanged, FileAdminBase):
    list_display = ("digest", "size", "owners", "created_at")
    list_filter = (SharedFilter,)
    search_fields = ("digest",)
    readonly_fields = ("digest", "size", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[BotFile]:
        owners = Count("versions__bot__owner", distinct=True)
        return super().get_queryset(request).defer("content").annotate(owner_count=owners)

    @admin.display(description=_("accounts"), ordering="owner_count")
    def owners(self, file: BotFile) -> int:
        return int(getattr(file, "owner_count", 0))
