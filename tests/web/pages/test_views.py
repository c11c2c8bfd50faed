"""Home, leaderboard, the list and the page of bots, and what is not there."""

import re

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bots.models import Bot
from tests.web import factories
from tournaments import planning
from tournaments.models import Entry, GameLog, RatingPoint, Tournament

pytestmark = pytest.mark.django_db

INLINE = re.compile(r"<script(?![^>]*(?:\bsrc=|application/json))[^>]*>|\sstyle=|\son\w+=|<style", re.IGNORECASE)


@pytest.fixture
def club():
    """A ladder of four bots that have met."""
    bots = [factories.bot(name=f"Bot {number}") for number in range(4)]
    ladder = factories.ladder(bots)
    factories.play(ladder)
    factories.rate(ladder)
    return ladder


EVERYONES = ["home", "leaderboard", "tournaments:list", "bots:list", "docs:index", "account_login", "account_signup"]


@pytest.mark.parametrize("name", EVERYONES)
def test_an_empty_site_says_what_to_do_next(client, name):
    assert client.get(reverse(name)).status_code == 200


@pytest.mark.parametrize("name", EVERYONES)
def test_no_page_has_a_script_or_style_of_its_own(client, club, name):
    response = client.get(reverse(name))
    assert INLINE.findall(response.content.decode()) == []
    policy = response["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_pages_of_a_club_have_no_script_or_style_of_their_own(client, club):
    match, entry = club.matches.first(), club.entries.first()
    for url in (match.get_absolute_url(), club.get_absolute_url(), entry.bot.get_absolute_url()):
        assert INLINE.findall(client.get(url).content.decode()) == []


def test_the_first_page_shows_who_leads_and_what_was_played(client, club):
    shown = client.get(reverse("home")).content.decode()
    best = max(club.entries.all(), key=lambda entry: entry.rating)
    assert best.bot.name in shown
    assert club.matches.last().get_absolute_url() in shown


def test_the_first_page_shows_another_tournament_while_the_ladder_is_empty(client):
    factories.ladder()
    cup = factories.round_robin([factories.bot(), factories.bot()], "Winter cup")
    factories.play(cup)
    factories.rate(cup)
    assert "Winter cup" in client.get(reverse("home")).content.decode()


def test_the_leaderboard_shows_rating_interval_and_losses(client, club):
    shown = client.get(reverse("leaderboard")).content.decode()
    for entry in club.entries.all():
        assert entry.bot.name in shown
        assert f">{round(entry.rating)}<" in shown
    assert shown.count('class="interval"') == 4


def test_the_leaderboard_finds_a_bot_and_says_when_it_does_not(client, club):
    url = reverse("leaderboard")
    found = client.get(url, {"q": "bot 2"}).content.decode()
    assert "Bot 2" in found
    assert "Bot 1" not in found
    assert "No bot or owner of that name" in client.get(url, {"q": "zzz"}).content.decode()


def test_pages_agree_on_numbers(client, club):
    entry = club.entries.first()
    rating, elo = f"{round(entry.rating)}", f"{round(entry.elo)}"
    for url in (reverse("leaderboard"), club.get_absolute_url(), entry.bot.get_absolute_url()):
        shown = client.get(url).content.decode()
        assert rating in shown
        assert elo in shown


@pytest.mark.parametrize("page", ["0", "-1", "999999", "x", "1e9", "\0"])
def test_a_page_that_is_not_there_is_the_nearest(client, club, page):
    assert client.get(reverse("leaderboard"), {"page": page}).status_code == 200
    assert client.get(reverse("bots:list"), {"page": page}).status_code == 200


def test_a_bot_whose_check_goes_on_is_not_listed(client):
    factories.bot(name="Unchecked", ready=False)
    assert "Unchecked" not in client.get(reverse("bots:list")).content.decode()


def test_bots_are_found_by_name_and_owner(client, club):
    owner = club.entries.first().bot.owner
    shown = client.get(reverse("bots:list"), {"q": owner.username}).content.decode()
    assert shown.count('class="lead-cell"') == 1
    assert "No bot or owner of that name" in client.get(reverse("bots:list"), {"q": "zz\0z"}).content.decode()


def test_a_bot_that_plays_nowhere_has_a_page(client):
    shown = client.get(factories.bot().get_absolute_url()).content.decode()
    assert "does not play anywhere yet" in shown


def test_a_bots_page_draws_its_course_with_a_table_behind_it(client, club):
    entry = club.entries.first()
    shown = client.get(entry.bot.get_absolute_url()).content.decode()
    assert 'class="chart"' in shown
    for match in club.matches.filter(seats__entry=entry):
        assert f">match {match.number}</a>" in shown


def test_the_table_behind_a_long_course_tells_of_all_of_it(client, club):
    entry = club.entries.first()
    point = RatingPoint.objects.filter(entry=entry).latest("order")
    pairing = [factories.bot(), entry.bot]
    for number in range(120):
        match = factories.round_robin(pairing, f"Cup {number}").matches.get()
        RatingPoint.objects.create(
            entry=entry, match=match, order=point.order + 1 + number, before=point.after, after=point.after
        )
    points = list(RatingPoint.objects.filter(entry=entry).order_by("order"))
    shown = client.get(entry.bot.get_absolute_url(), {"in": club.slug}).content.decode()
    table = shown.partition("The same as a table")[2].partition("</table>")[0]
    assert table.count("<tr>") == 51
    for end in (points[0], points[-1]):
        assert f"/matches/{end.match_id}/" in table
    assert f"50 of {len(points)} matches, spread evenly from the first to the last." in shown


def test_a_bots_page_can_tell_of_another_tournament(client, club):
    bots = [entry.bot for entry in club.entries.all()]
    cup = factories.round_robin(bots[:2], "Winter cup")
    factories.play(cup)
    shown = client.get(bots[0].get_absolute_url(), {"in": cup.slug}).content.decode()
    assert f'href="?in={cup.slug}" aria-current="page"' in shown
    assert client.get(bots[0].get_absolute_url(), {"in": "nowhere"}).status_code == 200


def test_a_bot_in_many_tournaments_lets_one_be_chosen_from_a_list(client):
    bots = [factories.bot(), factories.bot()]
    for number in range(9):
        factories.round_robin(bots, f"Cup {number}")
    shown = client.get(bots[0].get_absolute_url(), {"in": "cup-4"}).content.decode()
    assert 'aria-label="Tournaments of this bot"' not in shown
    assert '<option value="cup-4" selected>Cup 4</option>' in shown
    assert shown.count("<option ") == 9


def test_an_entry_that_was_replaced_keeps_its_page(client, club):
    entry = club.entries.first()
    Entry.objects.filter(pk=entry.pk).update(state=Entry.State.REPLACED)
    assert "replaced by a newer version" in client.get(entry.bot.get_absolute_url()).content.decode()


def test_failures_are_grouped_for_the_owner_and_hidden_from_others(client, club):
    bots = [factories.bot(name="Clumsy"), factories.bot()]
    cup = factories.round_robin(bots, deals=2)
    factories.play(cup, brain=lambda bot: factories.skilled(1, 1.0 if bot.name == "Clumsy" else 0))
    assert GameLog.objects.filter(failure__isnull=False).exists()
    url = bots[0].get_absolute_url()
    assert "How it fails" not in client.get(url).content.decode()
    client.force_login(bots[1].owner)
    assert "How it fails" not in client.get(url).content.decode()
    for reader in (bots[0].owner, factories.user(is_staff=True)):
        client.force_login(reader)
        shown = client.get(url).content.decode()
        assert "How it fails" in shown
        assert re.search(r'lang="en">[^<]*division by zero', shown)


def test_others_see_only_versions_that_passed(client):
    bot = factories.bot()
    factories.version(bot, "rejected", report=factories.failed_report())
    url = bot.get_absolute_url()
    assert "Version 2" not in client.get(url).content.decode()
    client.force_login(bot.owner)
    assert "Version 2" in client.get(url).content.decode()


def test_what_is_not_there_is_not_found_with_a_way_on(client):
    response = client.get("/nothing/here/")
    assert response.status_code == 404
    assert reverse("home") in response.content.decode()


def test_the_page_of_our_own_faults_needs_nothing():
    assert "We dropped the cards" in render_to_string("500.html")


def test_a_form_without_its_token_is_told_that_it_expired():
    strict = Client(enforce_csrf_checks=True)
    response = strict.post(reverse("theme"), {"theme": "dark"})
    assert response.status_code == 403
    assert "expired" in response.content.decode()


@pytest.mark.parametrize(("theme", "attribute"), [("dark", 'data-theme="dark"'), ("light", 'data-theme="light"')])
def test_a_theme_is_kept_without_a_script(client, theme, attribute):
    response = client.post(reverse("theme"), {"theme": theme, "next": "/leaderboard/"})
    assert response.url == "/leaderboard/"
    assert attribute in client.get("/").content.decode()
    client.post(reverse("theme"), {"theme": "system"})
    assert "data-theme=" not in client.get("/").content.decode()


@pytest.mark.parametrize("there", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""])
def test_the_theme_switch_leads_nowhere_else(client, there):
    assert client.post(reverse("theme"), {"theme": "dark", "next": there}).url == "/"


def test_a_made_up_theme_cookie_changes_nothing(client):
    client.cookies["theme"] = '"><script>'
    shown = client.get("/").content.decode()
    assert "data-theme" not in shown


def test_crawlers_are_told_where_there_is_nothing_for_them(client):
    assert "Disallow: /accounts/" in client.get("/robots.txt").content.decode()


def test_the_banner_tells_when_bots_run_without_walls(client, settings):
    settings.SANDBOX = "process"
    assert "run unsandboxed here" in client.get("/").content.decode()
    settings.SANDBOX = "docker"
    assert "run unsandboxed here" not in client.get("/").content.decode()


def queries(client, url):
    """How many queries a page makes."""
    with CaptureQueriesContext(connection) as caught:
        assert client.get(url).status_code == 200
    return len(caught)


PAGES = [
    lambda: reverse("home"),
    lambda: reverse("leaderboard"),
    lambda: reverse("bots:list"),
    lambda: reverse("tournaments:list"),
    lambda: reverse("tournaments:detail", args=["ladder"]),
    lambda: reverse("tournaments:crosstable", args=["ladder"]),
    lambda: reverse("tournaments:matches", args=["ladder"]),
    lambda: reverse("tournaments:fairness", args=["ladder"]),
    lambda: reverse("tournaments:rules", args=["ladder"]),
    lambda: Tournament.objects.get(slug="ladder").matches.first().get_absolute_url(),
    lambda: Bot.objects.first().get_absolute_url(),
]


def test_no_page_asks_more_the_more_there_is(client):
    few = factories.ladder([factories.bot() for _ in range(3)])
    factories.play(few)
    factories.rate(few)
    before = [queries(client, url()) for url in PAGES]
    inside = list(Entry.objects.filter(tournament=few))
    for _ in range(6):
        bot = factories.bot()
        entry = Entry.objects.create(tournament=few, bot=bot, version=bot.versions.get())
        planning.plan_newcomer(few, entry, inside)
        inside.append(entry)
    factories.play(few)
    factories.rate(few)
    after = [queries(client, url()) for url in PAGES]
    assert after == before
    assert max(after) <= 12
