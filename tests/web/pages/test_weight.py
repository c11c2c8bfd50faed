"""What a reader's browser fetches: little, once, and not again what it has."""

import gzip
import posixpath
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from tests.web import factories

pytestmark = pytest.mark.django_db

MOST = 60 * 1024
"""Style sheets and scripts of one page, compressed, in bytes."""
SHEETS = re.compile(r'<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"')
SCRIPTS = re.compile(r'<script[^>]*src="([^"]+)"')
IMPORTS = re.compile(r'(?:from|import)\s*\(?\s*"(\.[^"]+)"')
URLS = re.compile(r'@import\s+(?:url\()?"([^"]+)"')


@pytest.fixture
def cup():
    """A cup with a game that was played, and matches that wait."""
    cup = factories.round_robin([factories.bot() for _ in range(3)])
    factories.play(cup, 1)
    return cup


def fetched(address: str, found: dict[str, int]) -> None:
    """Add a file's compressed size, and those of what it brings with it."""
    if address in found:
        return
    path = finders.find(address.removeprefix("/static/"))
    assert path is not None, address
    text = Path(path).read_text(encoding="utf-8")
    found[address] = len(gzip.compress(text.encode()))
    for other in (IMPORTS if address.endswith(".js") else URLS).findall(text):
        fetched(posixpath.normpath(posixpath.join(posixpath.dirname(address), other)), found)


def test_style_sheets_and_scripts_of_a_page_weigh_little(client, cup):
    client.force_login(factories.user())
    game = cup.matches.get(state="finished").games.earliest("pk")
    waiting = cup.matches.filter(state="queued").earliest("pk")
    for path in ("/", cup.get_absolute_url(), game.get_absolute_url(), waiting.get_absolute_url(), "/bots/new/"):
        shown = client.get(path).content.decode()
        found: dict[str, int] = {}
        for address in (*SHEETS.findall(shown), *SCRIPTS.findall(shown)):
            fetched(address, found)
        assert any(address.endswith(".css") for address in found), path
        assert sum(found.values()) < MOST, (path, found)


@pytest.mark.parametrize("kind", ["site", "bot", "sitemap", "embed", "frames", "record"])
def test_what_a_reader_has_is_not_sent_again(client, cup, kind):
    match = cup.matches.get(state="finished")
    game, bot = match.games.earliest("pk"), match.seats.earliest("pk").entry.bot
    path = {
        "site": "/results.atom",
        "bot": f"/bots/{bot.slug}/results.atom",
        "sitemap": "/sitemap.xml",
        "embed": f"/games/{game.pk}/embed/",
        "frames": f"/games/{game.pk}/frames.json",
        "record": f"/games/{game.pk}/record.json",
    }[kind]
    first = client.get(path)
    assert first.status_code == 200
    again = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    factories.play(cup, 1)
    if kind == "site":  # it has something new
        assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 200
