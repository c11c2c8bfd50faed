"""Parts of pages that follow what goes on, and what stands in their place for who reads without a script."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from tests.web import factories
from tournaments.models import Entry, Tournament
from upkeep.models import WorkerSign

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    return factories.round_robin([factories.bot(name="Thrifty"), factories.bot(name="Lowest")], "Cup")


def text(client, path):
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def sign(name, seen_at):
    WorkerSign.objects.create(name=name, slots=1, started_at=seen_at, seen_at=seen_at)


def test_the_first_page_follows_what_has_just_been_played(client, cup):
    part = reverse("home") + "?part=newest"
    assert f'data-hx-get="{part}"' in text(client, reverse("home"))
    before = text(client, part)
    assert "<html" not in before
    assert "No match has ended yet." in before
    factories.play(cup)
    after = text(client, part)
    assert cup.matches.get().get_absolute_url() in after
    assert f'data-hx-get="{part}"' in after


def test_a_bots_page_waits_for_its_first_result_and_then_loads_itself_once(client, cup):
    entry = cup.entries.get(bot__name="Thrifty")
    page = f"{entry.bot.get_absolute_url()}?in={cup.slug}"
    part = f"{entry.bot.get_absolute_url()}?part=newest&entry={entry.pk}"
    waiting = f"{part}&waits=1"
    assert f'data-hx-get="{waiting.replace("&", "&amp;")}"' in text(client, page)
    assert "HX-Refresh" not in client.get(waiting)
    factories.play(cup)
    assert client.get(waiting)["HX-Refresh"] == "true"
    # From then on the list of its matches is followed, and nothing loads the page again.
    assert f'data-hx-get="{part.replace("&", "&amp;")}"' in text(client, page)
    follows = client.get(part)
    assert "HX-Refresh" not in follows
    assert cup.matches.get().get_absolute_url() in follows.content.decode()


@pytest.mark.parametrize("entry", ["", "x", "0", "9" * 30, "another's"])
def test_a_bots_part_knows_no_entry_but_its_own(client, cup, entry):
    bot = cup.entries.get(bot__name="Thrifty").bot
    factories.play(cup)
    number = str(Entry.objects.exclude(bot=bot).get().pk) if entry == "another's" else entry
    response = client.get(bot.get_absolute_url(), {"part": "newest", "entry": number, "waits": "1"})
    assert response.status_code == 200
    assert "HX-Refresh" not in response


def test_a_bot_whose_tournament_is_over_is_not_followed(client, cup):
    factories.play(cup)
    Tournament.objects.filter(pk=cup.pk).update(state="finished", finished_at=timezone.now())
    shown = text(client, cup.entries.get(bot__name="Thrifty").bot.get_absolute_url())
    assert "Newest matches" in shown
    assert "data-hx-get" not in shown


def test_who_has_no_script_is_told_to_load_again_wherever_a_page_would_follow(client, cup):
    again = '<noscript><p class="small"><a href="{}">Load again to see how it goes</a></p></noscript>'
    match = cup.matches.get()
    for url in (cup.get_absolute_url(), match.get_absolute_url()):
        assert again.format(url) in text(client, url)
    factories.play(cup)
    assert "<noscript>" not in text(client, match.get_absolute_url())


def told(client, query=""):
    """The page about the site as it is now, and not as it was some seconds ago."""
    cache.clear()
    return text(client, reverse("about") + query)


def test_everybody_can_read_how_the_site_does(client, cup):
    about = reverse("about")
    assert "Something waits, and nobody works on it just now." in told(client)
    sign("play@host-of-ours", timezone.now())
    # Between one match and the next, none is being played and something waits: that is no rest.
    assert "It plays." in told(client)
    factories.move_to(cup.matches.get(), "running")
    playing = told(client)
    assert "It plays." in playing
    assert "host-of-ours" not in playing
    cup.matches.update(state="queued", lease_until=None)
    factories.play(cup)
    assert "It is at rest" in told(client)
    part = told(client, "?part=status")
    assert "<html" not in part
    assert f'data-hx-get="{about}?part=status"' in part


def test_a_worker_that_has_gone_silent_is_no_sign_that_it_plays(client, cup):
    assert cup.matches.filter(state="queued").exists()
    sign("play@host", timezone.now() - timedelta(hours=2))
    assert "nobody works on it" in told(client)


def test_it_names_the_cookie_that_a_visitor_gets_with_his_first_page(client):
    assert "for forms" in told(client)
    assert set(client.cookies) == {settings.CSRF_COOKIE_NAME}


def test_whoever_follows_the_site_costs_no_look_at_its_long_tables_each_time(client, cup, django_assert_num_queries):
    first = told(client, "?part=status")
    with django_assert_num_queries(0):
        assert text(client, reverse("about") + "?part=status") == first


def test_whatever_is_followed_is_asked_for_at_once_when_its_tab_is_looked_at_again():
    templates = (settings.PLATFORM_DIR / "templates").rglob("*.html")
    triggers = {str(path): re.findall(r'hx-trigger="([^"]*)"', path.read_text()) for path in templates}
    polled = {name: found for name, found in triggers.items() if found}
    assert len(polled) >= 7
    assert {
        name: found for name, found in polled.items() if not all("wake from:document" in one for one in found)
    } == {}
