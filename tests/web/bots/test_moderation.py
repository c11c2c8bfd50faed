"""What staff decides about bots, what it sees of copied files, and how much one user may have."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from accounts import moderation as accounts_moderation
from accounts.moderation import ModerationError
from arena.samples import SAMPLES
from bots import checks, moderation, services
from bots.models import Bot, BotVersion
from bots.services import SuspendedError, TooManyUploadsError, create_bot, submit_version
from tests.web import factories
from tests.web.factories import CODE
from tests.web.tournaments.made import in_threads
from upkeep.models import AuditEntry

pytestmark = pytest.mark.django_db


def code(number: int) -> bytes:
    return CODE + b"# %d\n" % number


@pytest.fixture
def staff():
    return factories.user("staff", is_staff=True)


@pytest.fixture
def bot():
    return factories.bot(factories.user("author"), "Insult", description="Something rude")


def test_a_suspended_bot_is_in_no_list_and_its_page_says_why_to_its_owner_alone(client, bot, staff):
    moderation.suspend(bot, "It <spies>.", staff)
    page = reverse("bots:detail", args=[bot.slug])
    assert "Insult" not in client.get(reverse("bots:list")).content.decode()
    assert bot.slug not in client.get("/sitemap.xml").content.decode()
    assert client.get("/api/bots").json()["count"] == 0
    shown = client.get(page).content.decode()
    assert "This bot is suspended" in shown
    assert "spies" not in shown
    assert "Something rude" not in shown
    for reader in (bot.owner, staff):
        client.force_login(reader)
        assert "It &lt;spies&gt;." in client.get(page).content.decode()
    client.force_login(factories.user())
    assert "spies" not in client.get(page).content.decode()
    moderation.lift(bot, staff)
    assert "Insult" in client.get(reverse("bots:list")).content.decode()
    with pytest.raises(ModerationError, match="not suspended"):
        moderation.lift(bot, staff)


def test_nothing_is_uploaded_for_a_suspended_bot_and_what_was_typed_survives(client, bot, staff):
    moderation.suspend(bot, "x", staff)
    with pytest.raises(SuspendedError, match="suspended"):
        submit_version(bot, "bot.py", code(2))
    client.force_login(bot.owner)
    answer = client.post(reverse("bots:upload", args=[bot.slug]), {"code": code(2).decode()})
    assert answer.status_code == 422
    assert "nothing can be uploaded for it" in answer.content.decode()
    assert "# 2" in answer.content.decode()
    with pytest.raises(ModerationError, match="already"):
        moderation.suspend(bot, "x", staff)


@pytest.mark.parametrize("whom", ["bot", "owner"])
def test_an_upload_of_a_suspended_bot_waits_unchecked(bot, staff, whom, announced):
    version = factories.version(bot, "checking", code(2))
    if whom == "bot":
        moderation.suspend(bot, "x", staff)
    else:
        accounts_moderation.suspend(bot.owner, "x", staff)
    checks.sweep()
    assert announced(checks.TASK) == []
    assert checks.run(version.pk, "host/1") is False
    version.refresh_from_db()
    assert (version.state, version.attempt) == ("checking", 0)
    if whom == "bot":
        moderation.lift(bot, staff)
    else:
        accounts_moderation.lift(bot.owner, staff)
    checks.sweep()
    assert announced(checks.TASK) == [version.pk]


@pytest.mark.parametrize(("name", "status"), [("Insult", 422), ("Bot {pk}", 302)])
def test_what_staff_decides_while_the_owner_edits_holds(client, bot, staff, monkeypatch, name, status):
    def decided_meanwhile(*_names, **_but):
        moderation.hide_name(bot, "Rude.", staff)
        moderation.suspend(bot, "Spies.", staff)

    monkeypatch.setattr("bots.forms.refuse_taken_name", decided_meanwhile)
    client.force_login(bot.owner)
    fields = {"name": name.format(pk=bot.pk), "description": "Better"}
    answer = client.post(reverse("bots:edit", args=[bot.slug]), fields)
    assert answer.status_code == status
    bot.refresh_from_db()
    assert (bot.is_suspended, bot.suspension_reason) == (True, "Spies.")
    assert (bot.name, bot.hidden_name, bot.slug) == (f"Bot {bot.pk}", "Insult", f"bot-{bot.pk}")
    assert (bot.description == "Better") is (status == 302)


def test_a_hidden_name_is_nowhere_the_address_included(client, bot, staff):
    old = bot.slug
    moderation.hide_name(bot, "Rude.", staff)
    bot.refresh_from_db()
    assert (bot.name, bot.slug) == (f"Bot {bot.pk}", f"bot-{bot.pk}")
    assert "Insult" not in client.get(reverse("bots:list")).content.decode()
    assert client.get(reverse("bots:detail", args=[old])).status_code == 404
    assert "Insult" not in client.get(reverse("bots:detail", args=[bot.slug])).content.decode()
    client.force_login(bot.owner)
    shown = client.get(reverse("bots:detail", args=[bot.slug])).content.decode()
    assert "Insult" in shown
    assert '</strong> <span class="break">Rude.</span>' in shown, "its owner reads the reason, word for word"
    answer = client.post(reverse("bots:edit", args=[bot.slug]), {"name": "Insult again", "description": "d"})
    assert answer.status_code == 422
    assert "Staff has hidden the name" in answer.content.decode()
    assert "Insult again" in answer.content.decode()
    with pytest.raises(ValidationError, match="Staff has hidden"):
        services.edit_bot(bot, name="Insult again")
    answer = client.post(reverse("bots:edit", args=[bot.slug]), {"name": bot.name, "description": "Better"})
    assert answer.status_code == 302


def test_a_name_is_shown_again_under_its_address_if_that_is_free(bot, staff):
    moderation.hide_name(bot, "x", staff)
    with pytest.raises(ModerationError, match="hidden already"):
        moderation.hide_name(bot, "x", staff)
    other = factories.bot(name="Insult")
    assert other.slug == "insult"
    moderation.show_name(bot, staff)
    bot.refresh_from_db()
    assert (bot.name, bot.slug, bot.hidden_name) == ("Insult", "insult-2", "")
    moderation.hide_name(bot, "x", staff)
    mine = factories.bot(bot.owner, "Insult")
    with pytest.raises(ModerationError, match="another bot of this name"):
        moderation.show_name(bot, staff)
    mine.delete()
    moderation.show_name(bot, staff)
    with pytest.raises(ModerationError, match="not hidden"):
        moderation.show_name(bot, staff)


def test_the_number_that_stands_for_a_name_may_be_taken(bot, staff):
    factories.bot(bot.owner, f"Bot {bot.pk}")
    moderation.hide_name(bot, "x", staff)
    bot.refresh_from_db()
    assert (bot.name, bot.slug) == (f"Bot {bot.pk}*", f"bot-{bot.pk}-2")


def test_a_file_of_two_accounts_is_flagged_to_staff_and_the_author_reads_nothing(client, bot, staff):
    other = factories.bot(name="Copy")
    (shared,) = moderation.shared_files(10)
    assert (shared.owners, [version.bot for version in shared.versions]) == (2, [bot, other])
    client.force_login(other.owner)
    for page in ("bots:detail", "bots:upload"):
        shown = client.get(reverse(page, args=[other.slug])).content.decode()
        assert "several" not in shown
        assert bot.name not in shown
    moderation.accept_shared(shared.file, "Published in class.", staff)
    assert moderation.shared_files(10) == []
    factories.version(factories.bot(name="Third", ready=False))
    assert [shared.owners for shared in moderation.shared_files(10)] == [3]
    assert AuditEntry.objects.get().detail == "Published in class."


def test_two_versions_of_one_account_and_a_sample_are_no_flag(bot):
    factories.version(bot)
    sample = next(iter(SAMPLES.values())).source
    for _ in range(2):
        factories.version(factories.bot(ready=False), code=sample)
    assert moderation.shared_files(10) == []


def test_so_many_bots_and_no_more(client, settings):
    settings.QUOTA_BOTS = 2
    owner = factories.user()
    for name in ("One", "Two"):
        create_bot(owner, name)
    with pytest.raises(ValidationError, match="You have 2 bots, which is as many as one may have here"):
        create_bot(owner, "Three")
    client.force_login(owner)
    answer = client.post(reverse("bots:new"), {"name": "Three", "code": code(3).decode(), "description": "My idea"})
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert "You have 2 bots" in shown
    assert all(typed in shown for typed in ("Three", "# 3", "My idea"))
    assert owner.bots.count() == 2
    create_bot(factories.user(is_staff=True), "Staff's")


def test_so_many_uploads_a_day_and_when_the_next(client, bot, settings):
    settings.QUOTA_UPLOADS_A_DAY = 2
    now = timezone.now()
    for number, hours in ((2, 23), (3, 1)):
        version = factories.version(bot, "ready", code(number))
        BotVersion.objects.filter(pk=version.pk).update(created_at=now - timedelta(hours=hours))
    BotVersion.objects.filter(number=1).update(created_at=now - timedelta(hours=25))
    client.force_login(bot.owner)
    answer = client.post(reverse("bots:upload", args=[bot.slug]), {"code": code(4).decode()})
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert "You have uploaded 2 versions within a day, which is the most." in shown
    assert f"{now + timedelta(hours=1):%H:%M}" in shown
    assert "# 4" in shown
    BotVersion.objects.filter(number=2).update(created_at=now - timedelta(hours=24, minutes=1))
    assert submit_version(bot, "bot.py", code(4)).number == 4
    with pytest.raises(TooManyUploadsError):
        submit_version(bot, "bot.py", code(5))


def test_the_api_says_the_same(client, bot, settings):
    from accounts import tokens

    settings.QUOTA_BOTS = 1
    headers = {"authorization": f"Bearer {tokens.make(bot.owner, 't', 'upload', 7)[1]}"}
    answer = client.post("/api/bots", {"name": "Second"}, content_type="application/json", headers=headers)
    assert answer.status_code == 409
    assert "You have 1 bot, which is as many as one may have here" in answer.json()["message"]


def test_the_api_says_after_how_many_seconds_there_is_room_for_an_upload(client, bot, settings):
    from accounts import tokens

    settings.QUOTA_UPLOADS_A_DAY = 1
    BotVersion.objects.update(created_at=timezone.now() - timedelta(hours=23))
    headers = {"authorization": f"Bearer {tokens.make(bot.owner, 't', 'upload', 7)[1]}"}
    file = SimpleUploadedFile("bot.py", code(2))
    answer = client.post(f"/api/bots/{bot.slug}/versions", {"file": file}, headers=headers)
    assert answer.status_code == 429
    assert 3500 < int(answer["Retry-After"]) <= 3600


@pytest.mark.django_db(transaction=True)
def test_two_windows_at_once_do_not_get_past_a_quota(settings):
    settings.QUOTA_BOTS = 3
    owner = factories.user()

    def make(number: int) -> bool:
        try:
            services.create_bot(owner, f"Bot number {number}")
        except ValidationError:
            return False
        return True

    assert sorted(in_threads(make, range(6))) == [False] * 3 + [True] * 3
    assert Bot.objects.count() == 3
