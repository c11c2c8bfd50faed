"""The pages of moderation and the audit log. Who may open them stands in permissions.txt."""

import pytest
from django.urls import reverse

from bots.models import SharedFile
from tests.web import factories
from tournaments.models import Match
from upkeep import audit
from upkeep.models import AuditEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    client.force_login(factories.user("staff", is_staff=True))
    return client


@pytest.fixture
def bot():
    return factories.bot(factories.user("author"), "Culprit")


def test_a_bot_is_found_suspended_and_freed(staff, bot):
    cup = factories.round_robin([bot, factories.bot()])
    shown = staff.get(reverse("moderation"), {"q": "culpr"}).content.decode()
    page = reverse("moderate-bot", args=[bot.slug])
    assert page in shown
    answer = staff.post(page, {"decision": "suspend", "reason": "It spies."}, follow=True)
    assert "Done, and written down" in answer.content.decode()
    assert Match.objects.get(tournament=cup).state == "cancelled", "it takes effect at once"
    assert page in staff.get(reverse("moderation")).content.decode()
    staff.post(page, {"decision": "lift"})
    assert Match.objects.get(tournament=cup).state == "queued"
    assert list(AuditEntry.objects.order_by("pk").values_list("actor_name", "action", "target_name", "detail")) == [
        ("staff", "suspend bot", "Culprit", "It spies."),
        ("staff", "lift suspension of bot", "Culprit", ""),
    ]
    assert "It spies." in staff.get(page).content.decode()


def test_an_account_is_found_suspended_and_freed(staff, bot):
    page = reverse("moderate-user", args=[bot.owner_id])
    assert page in staff.get(reverse("moderation"), {"q": "AUTH"}).content.decode()
    staff.post(page, {"decision": "suspend", "reason": "Floods."})
    bot.owner.refresh_from_db()
    assert bot.owner.is_suspended
    assert "Culprit" in staff.get(page).content.decode()
    staff.post(page, {"decision": "lift"})
    staff.post(page, {"decision": "hide", "reason": "Rude."})
    bot.owner.refresh_from_db()
    assert (bot.owner.is_suspended, bot.owner.username) == (False, f"user-{bot.owner_id}")
    assert "author" in staff.get(reverse("moderation")).content.decode()
    staff.post(page, {"decision": "show"})
    bot.owner.refresh_from_db()
    assert bot.owner.username == "author"


def test_what_cannot_be_done_is_said_beside_what_was_typed(staff, bot):
    page = reverse("moderate-bot", args=[bot.slug])
    answer = staff.post(page, {"decision": "suspend", "reason": " "})
    assert answer.status_code == 422
    assert "Say why" in answer.content.decode()
    answer = staff.post(page, {"decision": "lift", "reason": "A long thought"})
    assert answer.status_code == 422
    assert "not suspended" in answer.content.decode()
    assert "A long thought" in answer.content.decode()
    assert staff.post(page, {"decision": "behead", "reason": "x"}).status_code == 404
    assert not AuditEntry.objects.exists()


def test_after_hiding_a_name_the_page_is_at_its_new_address(staff, bot):
    page = reverse("moderate-bot", args=[bot.slug])
    answer = staff.post(page, {"decision": "hide", "reason": "Rude."}, follow=True)
    assert answer.status_code == 200
    assert "Culprit" in answer.content.decode(), "staff still sees what it was"
    staff.post(reverse("moderate-bot", args=[f"bot-{bot.pk}"]), {"decision": "show"})
    bot.refresh_from_db()
    assert bot.slug == "culprit"


def test_files_of_several_accounts_are_listed_until_somebody_has_looked(staff, bot):
    factories.bot(name="Copy")
    shown = staff.get(reverse("moderation")).content.decode()
    assert "2 accounts" in shown
    file = bot.versions.get().file
    staff.post(reverse("accept-file", args=[file.pk]), {"note": "Handed out in class."})
    assert SharedFile.objects.get().note == "Handed out in class."
    assert "There is nothing left to look at." in staff.get(reverse("moderation")).content.decode()
    assert staff.post(reverse("accept-file", args=["0" * 64])).status_code == 404


def test_the_log_is_read_page_by_page_and_searched(staff, bot):
    assert "Staff has made no decision yet" in staff.get(reverse("audit")).content.decode()
    for number in range(60):
        audit.record(bot.owner, "look at", bot, f"Reason {number}.")
    shown = staff.get(reverse("audit")).content.decode()
    assert "Reason 59." in shown
    assert "Reason 0." not in shown
    assert "Reason 0." in staff.get(reverse("audit"), {"page": 2}).content.decode()
    assert "Reason 3." in staff.get(reverse("audit"), {"q": "reason 3."}).content.decode()
    assert "Nothing in the log names that" in staff.get(reverse("audit"), {"q": "nothing like it"}).content.decode()
