"""What a program changes about its author's bots: names, the version that plays, where they take part."""

import pytest

from bots.models import Bot
from tests.web import factories
from tests.web.api.conftest import program
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_cup(bots):
    return factories.round_robin(bots[2:], "Open cup", start=False)


# Name and description


def test_a_bot_is_renamed_and_keeps_its_address(bots, mine):
    answer = mine.send("patch", "/bots/first", {"name": " Новый "}).json()
    assert (answer["slug"], answer["name"], answer["version"]) == ("first", "Новый", 1)
    mine.send("patch", "/bots/first", {"description": "An idea"})
    mine.send("patch", "/bots/first", {})
    mine.send("patch", "/bots/first", {"name": None, "description": None})
    bot = Bot.objects.get(slug="first")
    assert (bot.name, bot.description) == ("Новый", "An idea")


def test_a_name_of_another_bot_is_a_conflict(bots, mine):
    assert mine.send("patch", "/bots/first", {"name": "SECOND"}, 409).json()["code"] == "conflict"
    mine.send("patch", "/bots/first", {"name": "Third"})  # somebody else's has that name, too
    mine.send("patch", "/bots/second", {"name": "second"})


@pytest.mark.parametrize("body", [{"name": ""}, {"name": "a\u202eb"}, {"name": 1}, {"description": "\u0000"}, []])
def test_a_name_that_cannot_stand_in_a_table_is_refused(bots, mine, body):
    mine.send("patch", "/bots/first", body, 422)
    assert Bot.objects.get(slug="first").name == "First"


# The version that plays


def test_a_version_is_picked_and_let_go(bots, mine):
    factories.version(bots[0], code=b"x = 2\n")
    assert mine.send("put", "/bots/first/picked", {"version": 1}).json() == {"picked": 1, "version": 1}
    assert mine.get("/bots/first").json()["version"] == 1
    assert mine.send("put", "/bots/first/picked", {"version": None}).json() == {"picked": None, "version": 2}


def test_only_a_version_that_is_ready_is_picked(bots, mine):
    factories.version(bots[0], "rejected", code=b"x = 2\n")
    assert "passed its check" in mine.send("put", "/bots/first/picked", {"version": 2}, 409).json()["message"]
    mine.send("put", "/bots/first/picked", {"version": 3}, 404)
    mine.send("put", "/bots/first/picked", {}, 422)


# Tournaments


def test_a_bot_is_entered_and_withdrawn(open_cup, mine):
    for _ in range(2):
        answer = mine.post("/tournaments/open-cup/entries", {"bot": "first"}).json()
        assert answer == {"bot": "first", "tournament": "open-cup", "version": 1, "state": "active"}
    assert Entry.objects.filter(tournament=open_cup, bot__slug="first").count() == 1
    assert mine.send("delete", "/tournaments/open-cup/entries/first").json()["state"] == "withdrawn"
    assert "does not play" in mine.send("delete", "/tournaments/open-cup/entries/first", status=409).json()["message"]
    mine.send("delete", "/tournaments/open-cup/entries/second", status=404)


def test_a_code_opens_what_asks_for_one(open_cup, mine):
    Tournament.objects.filter(pk=open_cup.pk).update(entry_rule="code", entry_code="sesame")
    refused = mine.post("/tournaments/open-cup/entries", {"bot": "first", "code": "open"}, 403).json()
    assert refused["details"][0]["where"] == "body.code"
    mine.post("/tournaments/open-cup/entries", {"bot": "first", "code": "Sesame"})


def test_a_tournament_that_is_closed_takes_nobody(cup, mine):
    assert mine.post("/tournaments/winter-cup/entries", {"bot": "first"}, 409).json()["code"] == "conflict"


def test_a_bot_that_cannot_play_is_not_entered(open_cup, mine, author):
    factories.bot(author, "Unready", ready=False)
    assert "passed its check" in mine.post("/tournaments/open-cup/entries", {"bot": "unready"}, 409).json()["message"]


# Who may


CHANGES = (
    ("patch", "/bots/first", {"name": "Mine"}),
    ("put", "/bots/first/picked", {"version": 1}),
    ("post", "/tournaments/open-cup/entries", {"bot": "first"}),
    ("delete", "/tournaments/open-cup/entries/first", None),
)


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_changes_are_for_the_owner_with_a_token_that_may(open_cup, author, visitor, method, path, body):
    visitor.send(method, path, body, 401)
    program(author, "read").send(method, path, body, 403)
    program(factories.user()).send(method, path, body, 403)
    assert Bot.objects.get(slug="first").name == "First"
    assert not Entry.objects.filter(tournament=open_cup, bot__slug="first").exists()


def test_staff_enters_nobody_elses_bot(open_cup):
    staff = program(factories.user(is_staff=True))
    staff.post("/tournaments/open-cup/entries", {"bot": "first"}, 403)
    staff.send("patch", "/bots/first", {"description": "Seen by staff."})
