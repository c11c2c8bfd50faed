"""What an author's program does: find out whose token it has, make a bot, upload, follow the check, read the logs."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.archive import MAX_SOURCE_BYTES, MAX_ZIP_BYTES
from bots.models import Bot, BotVersion
from tests.web import factories
from tests.web.api.conftest import program
from tournaments.models import GameLog

pytestmark = pytest.mark.django_db

OTHER = factories.CODE + b"# another\n"


def upload(caller, slug="first", content=OTHER, name="bot.py", status=201):
    """Upload a version and give the answer."""
    sent = {"file": SimpleUploadedFile(name, content)}
    return caller.post(f"/bots/{slug}/versions", sent, status, "multipart").json()


def test_a_token_tells_whose_it_is(mine, author):
    answer = mine.get("/me").json()
    assert answer["username"] == "author"
    assert (answer["token"]["name"], answer["token"]["scope"]) == ("upload 0", "upload")
    assert answer["token"]["expires_at"] > timezone.now().isoformat()


def test_ones_bots_come_with_what_plays_and_what_was_uploaded_last(bots, mine):
    factories.version(bots[0], "checking", code=OTHER)
    first, second = mine.get("/me/bots").json()
    assert (first["slug"], first["version"]) == ("first", 1)
    assert (first["newest"]["number"], first["newest"]["state"]) == (2, "checking")
    assert first["newest"]["url"] == "http://testserver/bots/first/versions/2/"
    assert (second["slug"], second["newest"]["number"]) == ("second", 1)


# Making a bot


def test_a_bot_is_made(mine, author):
    answer = mine.post("/bots", {"name": "  Тихий  ", "description": "An idea"}).json()
    bot = Bot.objects.get()
    assert (bot.owner, bot.name, bot.description) == (author, "Тихий", "An idea")
    assert (answer["slug"], answer["version"]) == (bot.slug, None)
    assert answer["url"].endswith(bot.get_absolute_url())


def test_a_name_stands_for_one_bot_of_an_author(bots, mine):
    answer = mine.post("/bots", {"name": "FIRST"}, 409).json()
    assert answer["code"] == "conflict"
    assert "You have a bot of this name already" in answer["message"]
    mine.post("/bots", {"name": "Third"})


@pytest.mark.parametrize(
    "body",
    [
        *({}, [], '"name"', None, {"name": None}, {"name": 1}, {"name": ""}, {"name": "   "}, {"name": "x" * 61}),
        *({"name": "a\nb"}, {"name": "a\u0000b"}, {"name": "a\u202eb"}, {"name": "\u200b"}, {"name": "\u0301"}),
        *({"name": "ok", "description": "x" * 2001}, {"name": "ok", "description": "\u0000"}, {"name": "a\ud800"}),
    ],
)
def test_what_makes_no_bot_is_refused_with_where_and_why(mine, body):
    answer = mine.post("/bots", body, 422).json()
    assert answer["code"] == "invalid"
    assert answer["message"].endswith(".")
    assert answer["details"][0]["where"].startswith("body")
    assert not Bot.objects.exists()


@pytest.mark.parametrize("name", ["a", "é", "日本", "🂡", "!", "a b", "-1", "=1+1", "<b>", "x" * 60])
def test_every_other_name_makes_one(mine, name):
    assert mine.post("/bots", {"name": name}).json()["name"] == name


@pytest.mark.parametrize("body", ["{", "name=x", "[" * 100_000, '{"name": NaN', "\xff", "1" * 10_000])
def test_a_body_that_is_no_json_is_refused(mine, body):
    answer = mine.client.post("/api/bots", body, content_type="application/json")
    assert answer.status_code in {400, 422}
    assert answer.json()["message"].endswith(".")


# Uploading


def test_an_upload_is_on_its_way_to_its_check(bots, mine, announced, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        answer = upload(mine)
    version = BotVersion.objects.get(bot=bots[0], number=2)
    assert announced("bots.tasks.check_version") == [version.pk]
    assert (answer["number"], answer["state"], answer["bot"]) == (2, "checking", "first")
    assert (answer["filename"], answer["size"], answer["sha256"]) == ("bot.py", len(OTHER), version.file_id)


def test_a_zip_is_taken_as_well(bots, mine):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("bot.py", OTHER)
    assert upload(mine, content=stream.getvalue(), name="mine.zip")["number"] == 2


def test_the_same_file_again_makes_no_other_version(bots, mine):
    assert upload(mine)["number"] == 2
    assert upload(mine)["number"] == 2


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("bot.txt", OTHER, ".py"),
        ("bot.zip", b"no zip", "zip"),
        ("bot.py", b"#" * (MAX_SOURCE_BYTES + 1), "256 KB"),
        ("bot.zip", b"P" * (MAX_ZIP_BYTES + 100), "5.0 MB"),
        ("bot.py", b"", "empty"),
    ],
)
def test_a_file_that_is_no_bot_is_refused_with_the_sentence_of_the_page(bots, mine, name, content, sentence):
    answer = upload(mine, name=name, content=content, status=422)
    assert sentence in answer["message"]
    assert answer["details"] == [{"where": "file", "message": answer["message"]}]
    assert BotVersion.objects.count() == 3


def test_an_upload_without_a_file_is_refused(bots, mine):
    answer = mine.post("/bots/first/versions", {"file": "text"}, 422, "multipart").json()
    assert answer["details"][0]["where"] == "file.file"
    mine.post("/bots/first/versions", {"file": "text"}, 422)


def test_who_uploads_faster_than_is_checked_waits(bots, mine, monkeypatch):
    monkeypatch.setattr("bots.services.WAITING_CHECKS", 1)
    upload(mine)
    response = mine.post(
        "/bots/first/versions", {"file": SimpleUploadedFile("bot.py", OTHER + b"#\n")}, 429, "multipart"
    )
    assert response["Retry-After"] == "10"
    assert "still being checked" in response.json()["message"]


def test_a_bot_that_is_not_there_is_told_by_name(mine):
    assert "“nobody”" in upload(mine, "nobody", status=404)["message"]


# Following the check


def test_a_check_is_followed_from_waiting_to_its_report(bots, mine):
    upload(mine)
    upload(mine, "second")
    check = mine.get("/bots/second/versions/2").json()["check"]
    assert check == {"done": 0, "total": 0, "ahead": 1, "report": None}
    version = BotVersion.objects.get(bot=bots[1], number=2)
    version.lease_until, version.progress = timezone.now() + timedelta(minutes=1), {"done": 3, "total": 7}
    version.save()
    check = mine.get("/bots/second/versions/2").json()["check"]
    assert check == {"done": 3, "total": 7, "ahead": 0, "report": None}
    version.lease_until, version.state, version.report = None, "rejected", factories.failed_report()
    version.save()
    answer = mine.get("/bots/second/versions/2").json()
    assert answer["state"] == "rejected"
    report = answer["check"]["report"]
    assert (report["reason"], report["file"], report["line"]) == ("crash", "bot.py", 6)
    assert "ZeroDivisionError" in report["traceback"]
    assert report["view"]["hand"]


def test_ones_own_file_comes_back_byte_by_byte(bots, mine):
    response = mine.get("/bots/first/versions/1/file")
    assert response.content == factories.CODE
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Disposition"] == 'attachment; filename="first-v1.py"'
    mine.get("/bots/first/versions/9/file", 404)


# Logs and failures


@pytest.fixture
def logged(cup, bots):
    """The first bot failed once and printed once."""
    GameLog.objects.all().delete()
    match = cup.matches.filter(state="finished", seats__entry__bot=bots[0]).first()
    seat = match.seats.get(entry__bot=bots[0])
    games = match.games.order_by("id")
    failure = {
        "seat": 0,
        "reason": "time",
        "at": 5,
        "message": "It took too long.",
        "detail": {"file": "bot.py", "line": 7, "traceback": "..."},
        "view": {"hand": ["6c"]},
        "forfeited": False,
    }
    GameLog.objects.create(game=games[0], seat=seat, log="thinking\n", failure=failure)
    GameLog.objects.create(game=games[1], seat=seat, log="quick\n")
    return games


def test_logs_hold_what_was_printed_and_how_it_failed(logged, mine):
    quick, slow = mine.get("/bots/first/logs").json()["items"]
    assert (quick["log"], quick["reason"], quick["failure"]) == ("quick\n", None, None)
    assert (slow["log"], slow["reason"], slow["message"]) == ("thinking\n", "time", "It took too long.")
    assert slow["failure"]["detail"]["line"] == 7
    assert slow["failure"]["view"] == {"hand": ["6c"]}
    assert (slow["game"], slow["tournament"], slow["version"]) == (logged[0].pk, "winter-cup", 1)
    assert slow["seat"] == logged[0].seating.index(GameLog.objects.first().seat.index)
    assert slow["url"].endswith(f"/games/{logged[0].pk}/")


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"failed": "true"}, 1),
        ({"failed": "false"}, 1),
        ({"reason": "time"}, 1),
        ({"reason": "crash"}, 0),
        ({"version": 1}, 2),
        ({"version": 2}, 0),
        ({"tournament": "winter-cup"}, 2),
        ({"tournament": "ladder"}, 0),
        ({"size": 1, "page": 2}, 2),
    ],
)
def test_logs_are_filtered(logged, mine, query, count):
    assert mine.get("/bots/first/logs", **query).json()["count"] == count


def test_logs_of_a_bot_are_that_bots_alone(logged, mine):
    assert mine.get("/bots/second/logs").json()["count"] == 0


def test_real_failures_can_be_read(cup, bots):
    """Those that the factories' bots made, whatever they are."""
    log = GameLog.objects.filter(failure__isnull=False).first()
    bot = log.seat.entry.bot
    found = program(bot.owner).get(f"/bots/{bot.slug}/logs", failed="true").json()
    assert found["items"][0]["reason"] == "crash"
    assert "ZeroDivisionError" in found["items"][0]["message"]


# Queries


def test_the_number_of_queries_does_not_grow(logged, author, bots, mine):
    def queries(path):
        with CaptureQueriesContext(connection) as found:
            mine.get(path)
        return len(found)

    mine.get("/me")
    paths = ("/me", "/me/bots", "/bots/first/logs", "/bots/first/versions", "/bots/first/versions/1")
    before = [queries(path) for path in paths]
    seat = GameLog.objects.first().seat
    for number in range(6):
        factories.bot(author)
        factories.version(bots[0])
        if number > 1:
            game = logged[0]
            game.pk, game.deal = None, number
            game.save()
            GameLog.objects.create(game=game, seat=seat, log="more")
    assert [queries(path) for path in paths] == before
    assert max(before) <= 8
