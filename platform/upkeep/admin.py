from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from upkeep.models import AuditEntry, WorkerSign

if TYPE_CHECKING:
    EntryBase = admin.ModelAdmin[AuditEntry]
    SignBase = admin.ModelAdmin[WorkerSign]
else:
    EntryBase = SignBase = admin.ModelAdmin


class ReadOnly:
    """Looked at, and changed by nobody."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - the signature is Django's
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, EntryBase):
    list_display = ("at", "actor_name", "action", "kind", "target_name", "detail")
    list_filter = ("action", "kind")
    search_fields = ("actor_name", "target_name", "detail", "=target")
    date_hierarchy = "at"
    show_full_result_count = False


@admin.register(WorkerSign)
class WorkerSignAdmin(ReadOnly, SignBase):
    list_display = ("name", "queues", "slots", "started_at", "seen_at", "stopped_at")
