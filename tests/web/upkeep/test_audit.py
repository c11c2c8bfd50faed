"""The audit log: it grows and never changes, and whatever is done in the admin is in it."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.admin import ModelAdmin
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from notices.models import Notice
from tests.web import factories
from tournaments import lifecycle
from tournaments.models import Tournament
from upkeep import audit
from upkeep.models import AuditEntry
from upkeep.models.audit import AppendOnlyError

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(client):
    client.force_login(User.objects.create_superuser("chief", password=factories.PASSWORD))
    return client


def written() -> list[tuple[str, str, str]]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", "kind", "target_name"))


def test_an_entry_is_never_changed_or_deleted():
    user = factories.user("staff")
    audit.record(user, "look", user, "at this")
    entry = AuditEntry.objects.get()
    entry.detail = "at that"
    for change in (
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(detail="x"),
        lambda: AuditEntry.objects.bulk_update([entry], ["detail"]),
    ):
        with pytest.raises(AppendOnlyError):
            change()
    assert AuditEntry.objects.get().detail == "at this"


def test_it_says_who_it_was_when_the_account_has_gone():
    user = factories.user("staff")
    audit.record(user, "look")
    user.delete()
    assert str(AuditEntry.objects.get()) == "staff: look "


def test_a_change_in_the_admin_is_written_down(admin):
    bot = factories.bot(name="Shark")
    form = {"owner": bot.owner_id, "name": "Shark", "slug": "shark", "description": "New", "picked_version": ""}
    assert admin.post(reverse("admin:bots_bot_change", args=[bot.pk]), form).status_code == 302
    ((action, kind, name),) = written()
    assert (action, kind, name) == ("admin: Change", "bots.bot", "Shark")
    assert "Description" in AuditEntry.objects.get().detail
    LogEntry.objects.all().delete()
    assert len(written()) == 1


def test_an_action_and_a_deletion_in_the_admin_are_written_down(admin):
    draft = lifecycle.create_round_robin("Cup")
    url = reverse("admin:tournaments_tournament_changelist")
    admin.post(url, {"action": "open_entries", "_selected_action": [draft.pk]})
    draft.refresh_from_db()
    assert draft.state == Tournament.State.OPEN
    empty = factories.bot(name="Empty", ready=False)
    other = factories.bot(name="Other", ready=False)
    form = {"action": "delete_selected", "_selected_action": [empty.pk, other.pk], "post": "yes"}
    admin.post(reverse("admin:bots_bot_changelist"), form)
    assert written()[0] == ("admin: open_entries", "tournaments_tournament_changelist", "1 rows")
    assert sorted(written()[1:]) == [
        ("admin: Deletion", "bots.bot", "Empty"),
        ("admin: Deletion", "bots.bot", "Other"),
    ]


def test_addresses_of_people_are_not_in_the_log_which_outlives_accounts(admin):
    """Staff deletes what hangs on an account, and then the account; the logs have their keys alone."""
    user = factories.user("author", email="author@example.org")
    address = EmailAddress.objects.create(user=user, email="author@example.org", primary=True)
    visit = UserSession.objects.create(user=user, session_key="k", ip="192.0.2.7", user_agent="Browser")
    told = []
    for row in (address, visit, user):
        meta, key = row._meta, row.pk
        admin.post(reverse(f"admin:{meta.app_label}_{meta.model_name}_delete", args=[key]), {"post": "yes"})
        told.append(("admin: Deletion", meta.label_lower, f"{meta.model_name} {key}"))
    assert written() == told
    assert list(LogEntry.objects.order_by("pk").values_list("object_repr", flat=True)) == [name for _, _, name in told]


def test_reading_and_what_is_refused_leave_nothing(admin, client):
    bot = factories.bot(name="Shark")
    admin.get(reverse("admin:bots_bot_changelist"))
    admin.post(reverse("admin:bots_bot_change", args=[bot.pk]), {"name": ""})
    client.force_login(factories.user(is_staff=True))
    client.post(reverse("admin:bots_bot_changelist"), {"action": "delete_selected", "_selected_action": [bot.pk]})
    assert written() == []


def test_nobody_changes_the_log_in_the_admin(admin):
    audit.record(factories.user("staff"), "look")
    entry = AuditEntry.objects.get()
    assert admin.get(reverse("admin:upkeep_auditentry_changelist")).status_code == 200
    assert admin.post(reverse("admin:upkeep_auditentry_change", args=[entry.pk]), {"detail": "x"}).status_code == 403
    assert admin.post(reverse("admin:upkeep_auditentry_delete", args=[entry.pk])).status_code == 403


def test_the_request_that_did_it_can_be_found_in_the_log_of_the_site(client, caplog):
    client.force_login(factories.user("staff", is_staff=True))
    with caplog.at_level("INFO"):
        client.post(reverse("retry-all"))
    finished = next(record.msg for record in caplog.records if "request_finished" in str(record.msg))
    assert finished["request_id"] == AuditEntry.objects.get().request_id


def test_a_form_of_the_admin_writes_what_was_changed_in_it_and_nothing_else(admin, monkeypatch):
    """The rest of the row is the site's, which goes on writing while the form is looked through."""
    cup = factories.round_robin([factories.bot(), factories.bot()])
    bot = factories.bot()
    token = tokens.make(bot.owner, "laptop", "read", 7)[0]
    notice = Notice.objects.create(user=bot.owner, kind="check_ended", subject=1)
    now = timezone.now()
    meanwhile: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
        (cup, {"name": "New", "slug": cup.slug, "description": ""}, {"rated": 7}),
        (cup.entries.first(), {}, {"elo": 1600.0}),
        (cup.matches.get(), {}, {"error": "no engine"}),
        (bot, {"name": "New", "slug": bot.slug, "description": "", "owner": bot.owner_id}, {"hidden_name": "Rude"}),
        (bot.versions.get(), {"state": "checking", "attempt": 0}, {"attempt": 2}),
        (notice, {}, {"sent_at": now}),
        (token, {}, {"revoked_at": now}),
    ]
    save_form = ModelAdmin.save_form
    for row, form, written in meanwhile:
        rows, model = type(row).objects.filter(pk=row.pk), type(row)._meta

        def save_late(*arguments, rows=rows, written=written, **named):
            rows.update(**written)
            return save_form(*arguments, **named)

        monkeypatch.setattr(ModelAdmin, "save_form", save_late)
        address = reverse(f"admin:{model.app_label}_{model.model_name}_change", args=[row.pk])
        answer = admin.post(address, form | {"seats-TOTAL_FORMS": 0, "seats-INITIAL_FORMS": 0})
        assert answer.status_code == 302, model.model_name
        found = rows.values().get()
        assert found.items() >= written.items(), model.model_name
        assert found.get("state") != "checking"
        assert found.get("name") == form.get("name", found.get("name"))
