"""The admin, with everything that is changed through it in the audit log: forms, deletions and actions alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.models import LogEntry
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from upkeep import audit

MOST_NAMED = 50
"""Rows of one action that are named by their keys; of more, the number."""


class WritesWhatWasChanged:
    """For a model's admin: a form that is saved writes the fields that somebody changed in it, and no other.

    Django writes the whole row as it was when the form came in. What the site has written since, such as the number of
    rated matches or a state, would be undone, by the button of a page on which nothing can be changed too.
    """

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: ARG002
        if not change:
            obj.save()
            return
        columns = {field.name for field in obj._meta.concrete_fields}
        obj.save(update_fields=columns.intersection(form.changed_data))


class AuditedAdminSite(AdminSite):
    """Wraps every view of the admin, so that no model's admin has to think of the log."""

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """A view of the admin, audited.

        An action is written down before it runs, as what was asked for: some of its rows may refuse it. Django's own
        history of changed rows (`LogEntry`) can be deleted; what this request added to it is written down after it.
        """

        @wraps(view)
        def audited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method != "POST":
                return view(request, *args, **kwargs)  # type: ignore[no-any-return]
            known = LogEntry.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
            if request.POST.get("action") and request.POST.get("action") != "delete_selected":
                _note_action(request)
            response: HttpResponseBase = view(request, *args, **kwargs)
            for entry in LogEntry.objects.filter(pk__gt=known, user_id=str(request.user.pk)).order_by("pk"):
                _note_entry(request, entry)
            return response

        return super().admin_view(audited, cacheable)


def _note_action(request: HttpRequest) -> None:
    chosen = request.POST.getlist("_selected_action")
    everything = request.POST.get("select_across") == "1"
    match = request.resolver_match
    audit.write(
        request.user,
        f"admin: {request.POST['action']}",
        kind=(match.url_name if match else None) or "",
        target=", ".join(chosen[:MOST_NAMED]) if not everything else "",
        target_name="everything that the list shows" if everything else f"{len(chosen)} rows",
    )


def _note_entry(request: HttpRequest, entry: LogEntry) -> None:
    kind = "" if entry.content_type is None else f"{entry.content_type.app_label}.{entry.content_type.model}"
    target = str(entry.object_id or "")
    # Django's history is shown in the admin for as long as the site stands, too.
    LogEntry.objects.filter(pk=entry.pk).update(object_repr=audit.kept_name(kind, target, entry.object_repr))
    audit.write(
        request.user,
        f"admin: {entry.get_action_flag_display()}",
        kind=kind,
        target=target,
        target_name=entry.object_repr,
        detail=entry.get_change_message(),
    )
