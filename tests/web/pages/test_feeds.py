"""Feeds and the sitemap: whole XML, whatever bots are called; nothing that is not public."""

from xml.etree import ElementTree as ET

import pytest
from django.urls import reverse

from tests.web import factories
from tournaments import lifecycle

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
EVIL = "<x>&\u202eevil"


@pytest.fixture
def cup():
    cup = factories.round_robin([factories.bot(name=name) for name in (EVIL, "Ann", "Bob")], "Cup & Co")
    factories.play(cup, 2)
    return cup


def feed(client, url):
    response = client.get(url)
    assert response.headers["Content-Type"].startswith("application/atom+xml")
    return ET.fromstring(response.content)  # noqa: S314 - made by ourselves


def test_the_newest_results_come_first_and_link_to_their_matches(client, cup):
    entries = feed(client, reverse("feed")).findall(f"{ATOM}entry")
    finished = list(cup.matches.filter(state="finished").order_by("-finished_at"))
    assert [entry.find(f"{ATOM}link").get("href") for entry in entries] == [
        f"http://testserver{match.get_absolute_url()}" for match in finished
    ]
    ids = {entry.find(f"{ATOM}id").text for entry in entries}
    assert len(ids) == 2


def test_names_cannot_break_a_feed(client, cup):
    text = " ".join(
        entry.find(f"{ATOM}title").text or "" for entry in feed(client, reverse("feed")).iter(f"{ATOM}entry")
    )
    assert "<x>&evil" in text
    assert "\u202e" not in text


def test_a_bots_feed_has_its_results_alone(client, cup):
    for entry in cup.entries.select_related("bot"):
        found = feed(client, reverse("bots:feed", args=[entry.bot.slug])).findall(f"{ATOM}entry")
        assert len(found) == entry.seats.filter(match__state="finished").count()
    assert client.get(reverse("bots:feed", args=["nobody"])).status_code == 404


def test_an_empty_site_has_an_empty_feed(client):
    assert feed(client, reverse("feed")).findall(f"{ATOM}entry") == []


def test_feeds_ask_a_fixed_number_of_times(client, cup, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        client.get(reverse("feed"))


def test_the_sitemap_names_what_is_public_and_all_of_it_is_there(client, cup):
    lifecycle.create_round_robin("Secret plan")
    factories.bot(name="Rejected", ready=False)
    response = client.get(reverse("sitemap"))
    found = [found.text for found in ET.fromstring(response.content).iter(f"{MAP}loc")]  # noqa: S314 - as above
    paths = [url.removeprefix("http://testserver") for url in found]
    assert cup.get_absolute_url() in paths
    assert reverse("bots:detail", args=["ann"]) in paths
    assert not [path for path in paths if "secret" in path or "rejected" in path]
    assert len(paths) == len(set(paths))
    assert [path for path in paths if client.get(path).status_code != 200] == []


def test_robots_are_told_of_the_sitemap(client):
    assert "Sitemap: http://testserver/sitemap.xml" in client.get("/robots.txt").content.decode()
