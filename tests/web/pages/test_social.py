"""What stands beside a link to the site where it is shared: title, description, a picture of ours."""

import struct
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings

from tests.web.everything import Site

pytestmark = pytest.mark.django_db

SMALL_BYTES = 250_000
"""Some readers load no picture that is much larger."""


def shown(site: Site, template: str) -> dict[str, str]:
    """The properties of a page, as a program that unfolds links reads them."""
    found: dict[str, str] = {}

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            given = dict(attrs)
            if tag == "meta" and (given.get("property") or "").startswith("og:"):
                assert given["property"] not in found
                found[str(given["property"])] = str(given["content"])

    Reader().feed(site.reader("visitor").get(site.path(template)).content.decode())
    return found


@pytest.mark.parametrize(
    ("template", "title", "words", "picture"),
    [
        ("/", "A card club for programs", "Programs play Durak", "site"),
        ("/docs/five-minutes/", "Write a bot in five minutes", "", "site"),
        ("/bots/{bot}/", "First", "Ladder: rating ", "bot"),
        ("/tournaments/{over}/", "Finished cup", "Round robin, podkidnoy: finished", "tournament"),
        ("/tournaments/{over}/crosstable/", "Finished cup", "finished", "tournament"),
        ("/matches/{match}/", "First", "Ladder, match ", "match"),
        ("/games/{game}/", "First", "A game of Durak (podkidnoy)", "game"),
    ],
)
def test_a_shared_link_says_what_it_leads_to(whole_site, template, title, words, picture):
    found = shown(whole_site, template)
    assert title in found["og:title"]
    assert words in found["og:description"]
    assert found["og:url"] == f"http://testserver{whole_site.path(template)}"
    assert found["og:image"] == f"http://testserver/static/social/{picture}.png"


def test_who_met_whom_and_the_score_stand_in_the_title_of_a_match(whole_site):
    title = shown(whole_site, "/matches/{match}/")["og:title"]
    first, second = title.split(" – ")
    assert int(first.split()[-1]) + int(second.split()[-1]) in {99, 100, 101}


PICTURES = sorted((settings.PLATFORM_DIR / "static/social").glob("*"))


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_picture_has_the_size_that_is_promised(path: Path):
    head = path.read_bytes()[:24]
    assert head.startswith(b"\x89PNG\r\n")
    assert struct.unpack(">II", head[16:24]) == (1200, 630)
    assert path.stat().st_size < SMALL_BYTES


def test_every_kind_has_its_picture():
    assert {path.name.removesuffix(".png") for path in PICTURES} == {"site", "bot", "tournament", "match", "game"}
