"""Who may ask for what: visitor, owner, another author, staff; and tokens that open nothing, or not this."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import ApiToken
from bots.models import Bot, BotVersion
from tests.web import factories
from tests.web.api.conftest import Program, program
from tournaments import lifecycle
from tournaments.models import Game, Match

pytestmark = pytest.mark.django_db

PUBLIC = (
    *("/bots", "/bots/first", "/bots/first/versions", "/bots/first/versions/1", "/tournaments"),
    *("/tournaments/winter-cup", "/tournaments/winter-cup/table", "/tournaments/winter-cup/crosstable"),
    *("/tournaments/winter-cup/secrets", "/matches", "/matches/{match}", "/games/{game}", "/games/{game}/record"),
    *("/tournaments/winter-cup/tournament.json", "/tournaments/winter-cup/table.csv"),
    *("/tournaments/winter-cup/crosstable.csv", "/tournaments/winter-cup/games.csv"),
    *("/tournaments/winter-cup/records.jsonl", "/tournaments/winter-cup/proof.jsonl"),
)
PERSONAL = ("/me", "/me/bots")
OWNERS = ("/bots/first/logs", "/bots/first/versions/1/file")


def uploaded():
    return {"file": SimpleUploadedFile("bot.py", factories.CODE + b"# another\n")}


def filled(path):
    return path.format(match=Match.objects.filter(state="finished").first().pk, game=Game.objects.first().pk)


def test_what_is_public_needs_no_token(cup, visitor):
    for path in PUBLIC:
        visitor.get(filled(path))


@pytest.mark.parametrize("scope", ["read", "upload"])
def test_an_author_reads_all_that_is_his(cup, author, scope):
    caller = program(author, scope)
    for path in PUBLIC + PERSONAL + OWNERS:
        caller.get(filled(path))


def test_what_is_personal_needs_a_token(bots, visitor):
    for path in PERSONAL + OWNERS:
        response = visitor.get(path, 401)
        assert response["WWW-Authenticate"] == "Bearer"
        assert "Authorization: Bearer durak_" in response.json()["message"]


def test_what_is_anothers_is_refused(bots):
    caller = program(factories.user())
    for path in OWNERS:
        answer = caller.get(path, 403).json()
        assert answer["code"] == "forbidden"
        assert "somebody else's" in answer["message"]


def test_staff_sees_what_the_owner_sees(bots):
    caller = program(factories.user(is_staff=True))
    for path in OWNERS:
        caller.get(path)


# Versions and their checks


@pytest.mark.parametrize("state", ["checking", "rejected", "parked"])
def test_a_version_that_does_not_play_is_its_owners(bots, mine, visitor, state):
    factories.version(bots[0], state, code=b"x = 1\n", report=factories.failed_report())
    for program_ in (visitor, program(factories.user())):
        program_.get("/bots/first/versions/2", 404)
        assert [version["number"] for version in program_.get("/bots/first/versions").json()["items"]] == [1]
    assert mine.get("/bots/first/versions/2").json()["state"] == state
    assert [version["number"] for version in mine.get("/bots/first/versions").json()["items"]] == [2, 1]


def test_a_report_is_for_the_owner_and_staff(bots, mine, visitor):
    BotVersion.objects.filter(bot=bots[0]).update(report=factories.passed_report())
    for program_ in (mine, program(factories.user(is_staff=True))):
        assert program_.get("/bots/first/versions/1").json()["check"]["report"]["games"] == 7
    for program_ in (visitor, program(factories.user())):
        assert program_.get("/bots/first/versions/1").json()["check"] is None


# Changing something


def test_only_a_token_that_may_upload_changes_anything(bots, author, visitor):
    for program_, status in ((visitor, 401), (program(author, "read"), 403)):
        program_.post("/bots", {"name": "New"}, status)
        program_.post("/bots/first/versions", uploaded(), status, "multipart")
    assert "may only read" in program(author, "read").post("/bots", {"name": "New"}, 403).json()["message"]
    assert Bot.objects.count() == 3
    assert BotVersion.objects.count() == 3


def test_nobody_uploads_to_anothers_bot(bots, announced):
    program(factories.user()).post("/bots/first/versions", uploaded(), 403, "multipart")
    assert BotVersion.objects.count() == 3
    assert announced("bots.tasks.check_version") == []


# Tokens that open nothing


def spoilt(author, how):
    made, text = tokens.make(author, "spoilt", "upload", 7)
    past = timezone.now() - timedelta(seconds=1)
    if how == "expired":
        ApiToken.objects.filter(pk=made.pk).update(expires_at=past, created_at=past - timedelta(days=7))
    elif how == "revoked":
        tokens.revoke(made)
    elif how == "closed":
        author.is_active = False
        author.save()
    else:
        text = text[:-1] + ("0" if text[-1] != "0" else "1")
    return Program(text)


@pytest.mark.parametrize("how", ["expired", "revoked", "closed", "no such"])
def test_a_token_that_is_no_good_is_refused_everywhere(cup, author, how):
    """Also where a visitor may read: who sends a token believes that it works."""
    caller = spoilt(author, how)
    for path in PUBLIC + PERSONAL + OWNERS:
        response = caller.get(filled(path), 401)
        assert how in response.json()["message"]
        assert response["WWW-Authenticate"] == "Bearer"
    caller.post("/bots", {"name": "New"}, 401)


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "durak_", "Bearer a b", "Bearer \xff"]
)
def test_a_header_that_makes_no_sense_is_refused(author, header):
    response = Client().get("/api/me", headers={"authorization": header})
    assert response.status_code == 401
    assert response.json()["code"] == "unauthorized"


def test_a_session_opens_nothing_here(author, bots):
    """So a foreign page cannot make a signed-in browser ask for anything."""
    client = Client()
    client.force_login(author)
    assert client.get("/api/me").status_code == 401
    assert client.post("/api/bots", {"name": "New"}, content_type="application/json").status_code == 401


# Drafts


def test_a_draft_is_for_staff(author, visitor):
    draft = lifecycle.create_round_robin("Secret plan")
    staff = program(factories.user(is_staff=True))
    for part in (
        "",
        "/table",
        "/crosstable",
        "/secrets",
        "/tournament.json",
        "/table.csv",
        "/games.csv",
        "/records.jsonl",
        "/proof.jsonl",
    ):
        path = f"/tournaments/{draft.slug}{part}"
        visitor.get(path, 404)
        program(author).get(path, 404)
        staff.get(path)
    visitor.get("/matches", 404, tournament=draft.slug)
    assert visitor.get("/tournaments").json()["items"] == []
    assert visitor.get("/tournaments", state="draft").json()["items"] == []
    assert [one["slug"] for one in staff.get("/tournaments", state="draft").json()["items"]] == [draft.slug]


def test_an_organiser_sees_his_own_drafts(author, visitor):
    """And nobody else's; not his own either, once he may not organise any more."""
    organiser = factories.user()
    permission = Permission.objects.get(codename="add_tournament")
    organiser.user_permissions.add(permission)
    draft = lifecycle.create_round_robin("Spring cup", created_by=organiser)
    other = lifecycle.create_round_robin("Autumn cup", created_by=author)
    program(organiser).get(f"/tournaments/{draft.slug}")
    program(organiser).get(f"/tournaments/{other.slug}", 404)
    assert [one["slug"] for one in program(organiser).get("/tournaments").json()["items"]] == [draft.slug]
    organiser.user_permissions.remove(permission)
    program(organiser).get(f"/tournaments/{draft.slug}", 404)
    assert program(organiser).get("/tournaments").json()["items"] == []


def test_a_match_of_a_draft_is_for_staff(cup, visitor):
    match = Match.objects.filter(state="finished").first()
    game = match.games.first()
    cup.state = "draft"
    cup.save()
    staff = program(factories.user(is_staff=True))
    for path in (f"/matches/{match.pk}", f"/games/{game.pk}", f"/games/{game.pk}/record"):
        visitor.get(path, 404)
        staff.get(path)
    assert visitor.get("/matches").json()["count"] == 0
    assert "public" not in staff.get(f"/games/{game.pk}/record")["Cache-Control"]
