"""What people and bots write is text wherever it stands: names, descriptions, logs, reports, errors, reasons."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from tests.web import everything

pytestmark = pytest.mark.django_db

PAYLOAD = "</title><script>hurt()</script><b onx=1>'\"<!--"
MARK = "hurt()"


def hostile(kind: str) -> str:
    """A name that would run a script where it is not escaped, and leave its element, attribute or comment. Its 55
    characters are within the bounds of every name."""
    return f"{kind[:9]}{PAYLOAD}"


class Reader(HTMLParser):
    """Reads a page as a browser does, and remembers what would run, and whether the mark is read as text."""

    def __init__(self) -> None:
        super().__init__()
        self.harm: list[str] = []
        self.is_text = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        data = given.get("type") == "application/json"
        runs = tag == "script" and "src" not in given and not data
        if runs or any(name.startswith("on") or "<" in name for name in given):
            self.harm.append(self.get_starttag_text() or tag)

    def handle_comment(self, data: str) -> None:
        if MARK in data:
            self.harm.append(f"<!--{data}")

    def handle_data(self, data: str) -> None:
        self.is_text |= MARK in data


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker) -> Iterator[everything.Site]:
    with everything.standing(django_db_blocker, hostile) as site:
        yield site


def test_no_page_runs_what_somebody_wrote(site):
    harm, shown = [], 0
    for who, paths in everything.pages(site).items():
        client = site.reader(who)
        for path in paths:
            reader = Reader()
            reader.feed(client.get(path).content.decode())
            harm += [f"{who} {path}: {found}" for found in reader.harm]
            shown += reader.is_text
    assert harm == []
    assert shown > 60  # pages that show such a name at all: it is not simply left out


@pytest.mark.parametrize("template", ["/results.atom", "/bots/{bot}/results.atom", "/sitemap.xml"])
def test_a_feed_stays_what_it_is(site, template):
    answer = site.reader("visitor").get(site.path(template))
    root = ET.fromstring(answer.content)  # noqa: S314
    assert not [element for element in root.iter() if element.tag.endswith(("script", "img"))]
    assert "xml" in answer["Content-Type"]


@pytest.mark.parametrize(
    "template",
    [
        "/api/bots/{bot}",
        "/api/tournaments/{cup}/table",
        "/games/{game}/record.json",
        "/games/{game}/frames.json",
        "/tournaments/{cup}/files/tournament.json",
        "/tournaments/{cup}/files/table.csv",
    ],
)
def test_a_file_is_never_taken_for_a_page(site, template):
    answer = site.reader("visitor").get(site.path(template))
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert MARK in body.decode()
    kind = answer["Content-Type"].partition(";")[0]
    assert kind in {"application/json", "text/csv"}
    assert answer["X-Content-Type-Options"] == "nosniff"
    if kind == "application/json":
        json.loads(body)
