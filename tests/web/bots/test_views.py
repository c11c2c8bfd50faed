"""What an author does on the site: make a bot, upload, watch the check, pick a version; and what others may not."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bots.models import Bot, BotVersion
from tests.web import factories

pytestmark = pytest.mark.django_db

CODE = factories.CODE.decode()
SLEEPY = b"import time\ntime.sleep(9)\n"


@pytest.fixture
def author():
    return factories.user("author")


@pytest.fixture
def signed(client, author):
    client.force_login(author)
    return client


def py(content=factories.CODE, name="bot.py"):
    return SimpleUploadedFile(name, content)


def zipped(*names):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, CODE)
    return stream.getvalue()


# Making a bot


def test_pasted_code_makes_a_bot_and_its_first_version(signed, author):
    response = signed.post(reverse("bots:new"), {"name": "First", "code": CODE, "description": "An idea"})
    bot = Bot.objects.get()
    assert (bot.owner, bot.name, bot.description) == (author, "First", "An idea")
    version = bot.versions.get()
    assert response.url == version.get_absolute_url()
    assert (version.state, version.filename, bytes(version.file.content)) == ("checking", "bot.py", factories.CODE)


def test_a_file_does_as_well(signed):
    signed.post(reverse("bots:new"), {"name": "First", "file": py(name="mine.py")})
    assert BotVersion.objects.get().filename == "mine.py"


def test_a_zip_does_as_well(signed):
    signed.post(reverse("bots:new"), {"name": "First", "file": py(zipped("bot.py"), "mine.zip")})
    assert BotVersion.objects.get().state == "checking"


def test_line_ends_of_a_browser_are_not_the_codes(signed):
    signed.post(reverse("bots:new"), {"name": "First", "code": CODE.replace("\n", "\r\n")})
    assert bytes(BotVersion.objects.get().file.content) == factories.CODE


def refused(response, field, sentence):
    assert response.status_code == 422
    assert any(sentence in error for error in response.context["form"].errors[field]), response.context["form"].errors
    shown = response.content.decode()
    assert f'id="id_{field}_error"' in shown
    assert 'aria-invalid="true"' in shown
    assert not BotVersion.objects.exists()
    return shown


def test_nothing_handed_in_is_said_at_the_file(signed):
    refused(signed.post(reverse("bots:new"), {"name": "First"}), "file", "Choose a file")


def test_no_name_is_said_at_the_name_and_the_code_stays(signed):
    shown = refused(signed.post(reverse("bots:new"), {"code": CODE}), "name", "Give your bot a name")
    assert "class Made(Bot)" in shown


def test_a_chosen_file_survives_an_error_as_code(signed):
    shown = refused(signed.post(reverse("bots:new"), {"name": "", "file": py()}), "name", "Give your bot a name")
    assert "class Made(Bot)" in shown


def test_after_an_error_a_corrected_file_may_simply_be_chosen(signed):
    form = signed.post(reverse("bots:new"), {"name": "", "file": py(SLEEPY)}).context["form"]
    again = {"name": "First", "file": py(), "code": form["code"].value(), "kept": form["kept"].value()}
    signed.post(reverse("bots:new"), again)
    assert bytes(BotVersion.objects.get().file.content) == factories.CODE


def test_after_an_error_what_was_kept_may_simply_be_sent(signed):
    form = signed.post(reverse("bots:new"), {"name": "", "file": py()}).context["form"]
    code = form["code"].value().replace("\n", "\r\n")
    signed.post(reverse("bots:new"), {"name": "First", "code": code, "kept": form["kept"].value()})
    assert bytes(BotVersion.objects.get().file.content) == factories.CODE


def test_a_file_and_other_code_is_one_too_many(signed):
    sent = {"name": "First", "file": py(), "code": CODE + "# other\n"}
    shown = refused(signed.post(reverse("bots:new"), sent), "code", "Keep one of them")
    assert "# other" in shown


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("bot.txt", factories.CODE, "Upload one .py file, or a .zip"),
        ("bot.py", b"", "empty"),
        ("bot.py", b"x = '\0'\n", "null byte"),
        ("bot.py", b"#" * (256 * 1024 + 1), "one .py file may have"),
        ("bot.zip", b"no zip at all", "zip"),
        ("bot.zip", zipped("other.py"), "bot.py"),
        ("bot.zip", zipped("../bot.py"), "bot.py"),
    ],
)
def test_an_upload_is_refused_with_a_sentence_beside_the_field(signed, name, content, sentence):
    refused(signed.post(reverse("bots:new"), {"name": "First", "file": py(content, name)}), "file", sentence)
    assert not Bot.objects.exists()


def test_code_that_is_too_long_is_refused_beside_its_field(signed):
    refused(signed.post(reverse("bots:new"), {"name": "First", "code": "#" * (256 * 1024 + 1)}), "code", "256 KB")


@pytest.mark.parametrize("name", ["First", "FIRST", " first "])
def test_a_name_is_taken_once_an_owner_whatever_its_capitals(signed, author, name):
    factories.bot(author, "First", ready=False)
    refused(signed.post(reverse("bots:new"), {"name": name, "code": CODE}), "name", "already")


@pytest.mark.parametrize("name", ["\u202egnp.bot", "line\u2028break", "\u200b"])
def test_a_name_that_could_not_stand_in_a_table_is_refused(signed, name):
    refused(signed.post(reverse("bots:new"), {"name": name, "code": CODE}), "name", "")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "Дурачок", "🂡", "x" * 60, "new", "mine"])
def test_any_other_name_is_taken_and_escaped(signed, name):
    signed.post(reverse("bots:new"), {"name": name, "code": CODE})
    bot = Bot.objects.get()
    shown = signed.get(bot.get_absolute_url()).content.decode()
    assert "<script>alert" not in shown
    assert signed.get(reverse("bots:mine")).status_code == 200
    assert bot.slug not in {"new", "mine"}


def test_too_many_waiting_uploads_are_refused_and_nothing_is_lost(signed, author):
    for _ in range(5):
        factories.bot(author, ready=False)
    for bot in Bot.objects.all():
        factories.version(bot, "checking")
    response = signed.post(reverse("bots:new"), {"name": "Sixth", "code": CODE})
    assert response.status_code == 422
    assert "still being checked" in response.content.decode()
    assert not Bot.objects.filter(name="Sixth").exists()
    assert "class Made(Bot)" in response.content.decode()


# New versions


def test_a_new_version_is_uploaded_and_the_old_one_plays_on(signed, author):
    bot = factories.bot(author)
    response = signed.post(reverse("bots:upload", args=[bot.slug]), {"code": CODE + "# two\n"})
    assert response.url == reverse("bots:version", args=[bot.slug, 2])
    assert bot.versions.get(number=1).state == "ready"


def test_pressing_twice_makes_one_version(signed, author):
    bot = factories.bot(author, ready=False)
    for _ in range(2):
        signed.post(reverse("bots:upload", args=[bot.slug]), {"code": CODE})
    assert bot.versions.count() == 1


def test_the_owner_picks_a_version_and_lets_go_again(signed, author):
    bot = factories.bot(author)
    old = bot.versions.get()
    factories.version(bot, code=factories.CODE + b"# two\n")
    url = reverse("bots:pick", args=[bot.slug])
    signed.post(url, {"version": old.pk})
    bot.refresh_from_db()
    assert bot.picked_version == old
    signed.post(url, {"version": ""})
    bot.refresh_from_db()
    assert bot.picked_version is None


def test_a_version_that_did_not_pass_or_is_anothers_cannot_be_picked(signed, author):
    bot = factories.bot(author)
    for version in (factories.version(bot, "rejected"), factories.bot().versions.get()):
        signed.post(reverse("bots:pick", args=[bot.slug]), {"version": version.pk})
        bot.refresh_from_db()
        assert bot.picked_version is None


def test_name_and_description_change_and_the_address_stays(signed, author):
    bot = factories.bot(author, "Old name")
    signed.post(reverse("bots:edit", args=[bot.slug]), {"name": "New name", "description": "Idea"})
    changed = Bot.objects.get()
    assert (changed.name, changed.description, changed.slug) == ("New name", "Idea", bot.slug)


def test_a_refused_name_is_not_shown_as_the_bots(signed, author):
    bot = factories.bot(author, "Mine")
    factories.bot(author, "Taken")
    response = signed.post(reverse("bots:edit", args=[bot.slug]), {"name": "Taken", "description": ""})
    assert response.status_code == 422
    assert response.context["bot"].name == "Mine"


# The check, live


def check_page(client, version, part=""):
    return client.get(version.get_absolute_url(), {"part": part} if part else {}).content.decode()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "it is next"),
        ({"progress": {"done": 3, "total": 7}, "lease_until": "2100-01-01T00:00Z"}, "3 of 7 games played"),
        ({"lease_until": "2100-01-01T00:00Z"}, "sandbox is being made ready"),
    ],
)
def test_a_check_is_followed_while_it_runs(client, fields, words):
    version = factories.version(factories.bot(ready=False), "checking", **fields)
    shown = check_page(client, version)
    assert words in shown
    assert 'data-hx-trigger="every 1s,' in shown
    assert "htmx" in shown


def test_a_waiting_check_says_how_many_are_before_it(client):
    factories.version(factories.bot(ready=False), "checking")
    version = factories.version(factories.bot(ready=False), "checking")
    assert "1 upload is checked before it" in check_page(client, version)


@pytest.mark.parametrize("state", ["ready", "rejected", "parked"])
def test_a_check_that_has_ended_is_not_followed_any_more(client, state):
    version = factories.version(factories.bot(ready=False), state)
    for part in ("", "check"):
        shown = check_page(client, version, part)
        assert "hx-get" not in shown
        assert "hx-trigger" not in shown


def test_who_listens_hears_how_a_check_ends_and_nothing_each_second(signed, author):
    """The part stands in a region that is read out when it changes: only the outcome is worth that."""
    bot = factories.bot(author, ready=False)
    running = check_page(signed, factories.version(bot, "checking"))
    failed = check_page(signed, factories.version(bot, "rejected", report=factories.failed_report()))
    assert '<div id="check" aria-live="off"' in running
    said, *silent = failed[failed.index('aria-live="polite"') :].split('aria-live="off"')
    assert "It failed in a game" in said
    assert "Traceback" not in said
    assert len(silent) == "".join(silent).count("</section>") == 4


def test_the_followed_part_is_the_part_alone(client):
    version = factories.version(factories.bot(ready=False), "checking")
    shown = check_page(client, version, "check")
    assert "<html" not in shown
    assert 'id="check"' in shown


SECRETS = ["division by zero", "bot.py</code>, line 6", "return 1 / 0", "thinking about 6c", "6c 7d 9h Ks"]


def test_the_owner_reads_what_failed_and_where(signed, author):
    version = factories.version(factories.bot(author, ready=False), "rejected", report=factories.failed_report())
    shown = check_page(signed, version)
    for detail in SECRETS:
        assert detail in shown
    assert "/docs/limits-and-failures/#crash" in shown
    assert reverse("bots:upload", args=[version.bot.slug]) in shown


def test_nobody_else_does(client):
    version = factories.version(factories.bot(ready=False), "rejected", report=factories.failed_report())
    for reader in (None, factories.user()):
        if reader:
            client.force_login(reader)
        for part in ("", "check"):
            shown = check_page(client, version, part)
            assert "did not pass its check" in shown
            for detail in SECRETS:
                assert detail not in shown


def test_a_report_is_text_whatever_the_bot_printed(signed, author):
    evil = "<script>alert(1)</script>"
    report = factories.failed_report(message=evil, traceback=evil, log=evil, file=evil, view={"hand": [evil]})
    version = factories.version(factories.bot(author, ready=False), "rejected", report=report)
    assert evil not in check_page(signed, version)


@pytest.mark.parametrize("report", [None, {}, {"view": 3}, {"view": {"events": []}}, {"ok": False, "stage": "load"}])
def test_a_report_of_another_time_is_shown_as_far_as_it_goes(signed, author, report):
    for state in ("rejected", "ready"):
        version = factories.version(factories.bot(author, ready=False), state, report=report)
        assert signed.get(version.get_absolute_url()).status_code == 200


def test_a_bot_that_passed_is_told_so_with_its_figures(signed, author):
    version = factories.version(factories.bot(author, ready=False), "ready", report=factories.passed_report())
    shown = check_page(signed, version)
    assert "It passed its check" in shown
    assert "It played 7 games without a failure, in every seat." in shown


def test_our_own_fault_is_no_fault_of_the_bot(client):
    version = factories.version(factories.bot(ready=False), "parked", fault="no engine answers")
    assert "through no fault of the bot" in check_page(client, version)
    assert "no engine answers" not in check_page(client, version)
    client.force_login(factories.user(is_staff=True))
    assert "no engine answers" in check_page(client, version)


# Who may what


def addresses(bot):
    return [
        ("get", reverse("bots:upload", args=[bot.slug])),
        ("post", reverse("bots:upload", args=[bot.slug])),
        ("get", reverse("bots:edit", args=[bot.slug])),
        ("post", reverse("bots:edit", args=[bot.slug])),
        ("post", reverse("bots:pick", args=[bot.slug])),
        ("get", reverse("bots:download", args=[bot.slug, 1])),
    ]


def test_a_visitor_is_asked_to_sign_in(client):
    bot = factories.bot()
    for method, url in [*addresses(bot), ("get", reverse("bots:mine")), ("get", reverse("bots:new"))]:
        response = getattr(client, method)(url)
        assert response.status_code == 302, url
        assert response.url.startswith(reverse("account_login"))


def test_another_user_may_not(signed):
    bot = factories.bot(name="Somebody's")
    for method, url in addresses(bot):
        assert getattr(signed, method)(url, {"name": "Stolen", "code": CODE}).status_code == 403, url
    bot.refresh_from_db()
    assert (bot.name, bot.versions.count()) == ("Somebody's", 1)


@pytest.mark.parametrize("staff", [True, False])
def test_owner_and_staff_may(client, staff):
    bot = factories.bot()
    client.force_login(factories.user(is_staff=True) if staff else bot.owner)
    for method, url in addresses(bot):
        assert getattr(client, method)(url).status_code in {200, 302, 422}, url


def test_reading_needs_get_and_picking_needs_post(signed, author):
    bot = factories.bot(author)
    assert signed.get(reverse("bots:pick", args=[bot.slug])).status_code == 405
    assert signed.post(reverse("bots:mine")).status_code == 405
    assert signed.post(reverse("bots:version", args=[bot.slug, 1])).status_code == 405


@pytest.mark.parametrize("path", ["nobody/", "nobody/upload/", "nobody/versions/1/", "nobody/edit/"])
def test_a_bot_that_is_not_there_is_not_found(signed, path):
    assert signed.get(f"/bots/{path}").status_code == 404


def test_a_version_that_is_not_there_is_not_found(signed, author):
    bot = factories.bot(author)
    assert signed.get(reverse("bots:version", args=[bot.slug, 7])).status_code == 404
    assert signed.get(reverse("bots:download", args=[bot.slug, 7])).status_code == 404


def test_an_upload_comes_back_as_a_download_that_no_browser_shows(signed, author):
    bot = factories.bot(author)
    response = signed.get(reverse("bots:download", args=[bot.slug, 1]))
    assert response.content == factories.CODE
    assert response["Content-Disposition"] == f'attachment; filename="{bot.slug}-v1.py"'
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "sandbox"
    assert response["Cache-Control"] == "private, no-store"


def test_my_bots_are_mine(signed, author):
    factories.bot(author, "Mine")
    factories.bot(name="Theirs")
    shown = signed.get(reverse("bots:mine")).content.decode()
    assert "Mine" in shown
    assert "Theirs" not in shown


def test_my_bots_begin_with_what_to_do(signed):
    shown = signed.get(reverse("bots:mine")).content.decode()
    assert reverse("bots:new") in shown
    assert reverse("docs:page", args=["five-minutes"]) in shown


def test_my_bots_take_as_many_queries_for_many_as_for_one(signed, author):
    factories.version(factories.bot(author), "checking")
    signed.get(reverse("bots:mine"))  # the first visit of a session notes its beginning
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as caught:
            signed.get(reverse("bots:mine"))
        counts.append(len(caught))
        for _ in range(3):
            factories.version(factories.bot(author), "checking")
    assert counts[0] == counts[1] <= 10
