"""What a reader gets while a server behind the site is away, and when something of ours is broken."""

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client
from redis.exceptions import ConnectionError as CacheConnectionError

from tests.web import factories

pytestmark = pytest.mark.django_db

REFUSED = OperationalError("connection to server at 127.0.0.1 failed: Connection refused")


@pytest.fixture
def reader():
    """Somebody who gets the error page, and not the error."""
    return Client(raise_request_exception=False)


def failing(error):
    """A function that raises, whatever it is given."""

    def fail(*args, **kwargs):
        raise error

    return fail


@pytest.mark.parametrize("error", [REFUSED, InterfaceError("connection already closed"), CacheConnectionError("gone")])
def test_while_a_server_is_away_a_page_says_when_to_come_again(reader, monkeypatch, error):
    monkeypatch.setattr("pages.selectors.home", failing(error))
    response = reader.get("/")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "no-store" in response["Cache-Control"]
    assert "Try again in a moment." in response.content.decode()


def test_a_fault_of_ours_is_not_said_to_pass(reader, monkeypatch):
    monkeypatch.setattr("pages.selectors.home", failing(ZeroDivisionError()))
    response = reader.get("/")
    assert response.status_code == 500
    assert "Retry-After" not in response


def test_a_session_that_cannot_be_read_is_told_the_same_way(reader, monkeypatch):
    reader.force_login(factories.user())
    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", failing(REFUSED))
    assert reader.get("/bots/mine/").status_code == 503


def test_programs_are_told_when_to_come_again(reader, monkeypatch):
    monkeypatch.setattr("pages.selectors.ladder", failing(REFUSED))
    response = reader.get("/api/leaderboard")
    assert (response.status_code, response["Retry-After"], response.json()["code"]) == (503, "5", "unavailable")


def test_a_replay_and_the_status_need_no_cache(reader, monkeypatch):
    cup = factories.round_robin([factories.bot(), factories.bot()])
    factories.play(cup)
    monkeypatch.setattr("upkeep.kept.cache.get", failing(CacheConnectionError("gone")))
    monkeypatch.setattr("upkeep.kept.cache.set", failing(CacheConnectionError("gone")))
    game = cup.matches.get().games.earliest("pk")
    assert reader.get(f"/games/{game.pk}/frames.json").status_code == 200
    assert reader.get(game.get_absolute_url()).status_code == 200
    assert reader.get("/about/").status_code == 200


@pytest.mark.parametrize("form", [{"code": "x" * 3_000_000}, {f"field{number}": "" for number in range(1100)}])
def test_a_form_that_is_too_large_is_refused_with_a_page(client, form):
    client.force_login(factories.user())
    answer = client.post("/bots/new/", form)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "too large" in page
    assert "site.css" in page


@pytest.mark.parametrize("language", ["en", "ru", "pl", "uk"])
def test_the_page_of_a_fault_names_the_language_that_it_is_written_in(reader, monkeypatch, language):
    monkeypatch.setattr("pages.selectors.home", failing(ZeroDivisionError()))
    page = reader.get("/", headers={"accept-language": language}).content.decode()
    assert f'<html lang="{language}">' in page
    assert ("We dropped the cards" in page) == (language == "en")


def test_who_signs_in_again_after_pressing_a_button_is_told_that_it_was_not_done(reader):
    """The way back leads to the address of the button, which nobody can look at."""
    author = factories.user("author")
    bot = factories.bot(author)
    pressed = reader.post(f"/bots/{bot.slug}/pick/", {"version": ""})
    answer = reader.post(pressed["Location"], {"login": "author", "password": factories.PASSWORD}, follow=True)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    page = answer.content.decode()
    assert "press it once more" in page
    assert "site.css" in page


def test_programs_that_use_a_wrong_method_get_what_they_understand(reader):
    assert reader.put("/api/bots").json()["code"] == "method_not_allowed"
