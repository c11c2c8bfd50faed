"""Every page asks the database a fixed number of times, however much there is to show.

Counted on a site that has something of everything, and again when there is more of everything.
"""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from bots.models import Bot
from tests.web import everything, factories
from tests.web.everything import Site
from tournaments import planning
from tournaments.models import Entry, Game, GameLog, Match, Tournament

pytestmark = pytest.mark.django_db

FILES = (
    "/results.atom",
    "/sitemap.xml",
    "/bots/{bot}/results.atom",
    "/games/{game}/frames.json",
    "/games/{game}/record.json",
    "/tournaments/{cup}/progress/",
    "/tournaments/{over}/files/table.csv",
    "/tournaments/{over}/files/crosstable.csv",
    "/tournaments/{over}/files/tournament.json",
    "/tournaments/{over}/files/records.jsonl",
    "/api/leaderboard",
    "/api/bots",
    "/api/bots/{bot}",
    "/api/tournaments",
    "/api/tournaments/{cup}",
    "/api/tournaments/{cup}/table",
    "/api/tournaments/{cup}/crosstable",
    "/api/tournaments/ladder/secrets",
    "/api/matches",
    "/api/matches/{match}",
    "/api/games/{game}",
)
"""What programs ask for."""

MOST = 24
"""More queries than this no page needs."""


@pytest.fixture(autouse=True)
def unlimited(monkeypatch):
    """The allowances of the API are another matter."""
    monkeypatch.setattr("api.limits.spend", lambda *_: None)


def asked(site: Site) -> Iterator[tuple[str, str]]:
    """Every address, with who asks for it."""
    for who, paths in everything.pages(site).items():
        yield from ((who, path) for path in paths)
    yield from (("visitor", site.path(path)) for path in FILES)


def queries(site: Site) -> dict[tuple[str, str], list[str]]:
    """What each address asks the database, by who looks at it."""
    clients = {"visitor": Client(), "author": Client(), "organiser": Client(), "staff": Client()}
    clients["author"].force_login(site.author)
    clients["organiser"].force_login(site.organiser)
    staff, _ = User.objects.get_or_create(username="staff", is_staff=True, is_superuser=True)
    clients["staff"].force_login(staff)
    found = {}
    for who, path in asked(site):
        _fetch(clients[who], path)  # whatever is kept from the first time on
        with CaptureQueriesContext(connection) as caught:
            _fetch(clients[who], path)
        found[who, path] = [query["sql"] for query in caught.captured_queries]
    return found


def _fetch(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code < 400 or "key/" in path, (path, response.status_code)
    b"".join(response)  # a stream asks the database while it is read


def grow(site: Site, time: int) -> None:
    """More of everything: bots, versions, failures, tokens, sessions, matches in every state, tournaments."""
    mine = [factories.bot(site.author, f"More {time}.{n}") for n in range(3)]
    others = [factories.bot(name=f"Another {time}.{n}") for n in range(3)]
    ladder = Tournament.objects.get(slug="ladder")
    inside = list(ladder.entries.filter(state="active"))
    for bot in (*mine, *others):
        factories.version(bot)
        entry = Entry.objects.create(tournament=ladder, bot=bot, version=bot.versions.earliest("number"))
        planning.plan_newcomer(ladder, entry, inside)
        inside.append(entry)
    factories.play(ladder, 20, brain=lambda one: factories.skilled(one.pk % 7 / 7, 0.02))
    factories.rate(ladder)
    cup = Tournament.objects.get(slug=site.facts["cup"])
    for state in ("running", "parked"):
        factories.move_to(cup.matches.filter(state="queued").latest("pk"), state, error="No engine answers.")
    for n in range(3):
        factories.round_robin(mine, f"More cups {time}.{n}", start=n > 0)
        tokens.make(site.author, f"More {time}.{n}", "read", 7)
    factories.version(site.bot, "rejected", report=factories.failed_report())
    factories.version(site.bot, "parked", fault="No engine answers.")
    game = Game.objects.filter(match__tournament=ladder).latest("pk")
    failure = {"reason": "time", "at": 3, "message": "Too slow.", "detail": {"file": "bot.py", "line": 9}}
    for other in Game.objects.filter(match__seats__entry__bot=site.bot).exclude(pk=game.pk):
        seat = other.match.seats.get(entry__bot=site.bot)
        GameLog.objects.update_or_create(game=other, seat=seat, defaults={"log": "more", "failure": failure})
    Match.objects.filter(tournament=ladder, state="finished").update(error="Once before.", finished_at=timezone.now())


def test_no_page_asks_more_often_where_there_is_more(whole_site):
    grow(whole_site, 1)  # from here on nothing is empty: a page without anything to show may ask for less
    bots, before = Bot.objects.count(), queries(whole_site)
    grow(whole_site, 2)
    after = queries(whole_site)
    assert Bot.objects.count() > bots
    counts = {page: (len(before[page]), len(after[page])) for page in before}
    assert {page: pair for page, pair in counts.items() if pair[0] != pair[1]} == {}
    often = {page: len(asked) for page, asked in after.items() if len(asked) > MOST and "/admin/" not in page[1]}
    assert often == {}
