from typing import TYPE_CHECKING

from django.contrib import admin
from django.http import HttpRequest

from notices.models import Choice, Notice
from upkeep.admin_site import WritesWhatWasChanged

if TYPE_CHECKING:
    ChoiceBase = admin.ModelAdmin[Choice]
    NoticeBase = admin.ModelAdmin[Notice]
else:
    ChoiceBase = NoticeBase = admin.ModelAdmin


@admin.register(Choice)
class ChoiceAdmin(WritesWhatWasChanged, ChoiceBase):
    list_display = ("user", "check_ended", "version_fails", "tournament_finished", "language", "since")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    raw_id_fields = ("user",)


@admin.register(Notice)
class NoticeAdmin(WritesWhatWasChanged, NoticeBase):
    """What was sent, and what could not be."""

    list_display = ("user", "kind", "subject", "created_at", "attempts", "sent_at", "error")
    list_filter = ("kind", "sent_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    readonly_fields = ("user", "kind", "subject", "created_at", "attempts", "sent_at", "error")

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - the signature is Django's
        return False
