"""Whether every page of a crowded site answers in time: 1,000 bots and 100,000 matches on PostgreSQL by default.

PYTHONPATH=platform:. python -m bench.pages [--keep NAME | --database NAME] [--rounds 20] [--only WORD]

Each page is asked for through the whole of Django (middleware, database, templates; no socket), in one process, as a
visitor and as somebody signed in. A table shows the median and the 95th percentile in milliseconds, the queries, and
the size of the answer. The first request of each page, which fills caches and loads templates, stands in its own column
and does not count. The promise is a median below 100 ms; a page above it fails the bench.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import population, site

if TYPE_CHECKING:
    from django.test import Client

PROMISE = 100.0
"""The longest median, in milliseconds."""
WHOLE = frozenset({"table.csv", "crosstable.csv", "tournament.json", "export.json", "sitemap.xml"})
"""Files that hold all there is, and for which no time is promised."""
FIRST_BYTES = 64 * 1024
"""A file that is made while it is sent counts until so many bytes are there."""


@dataclass(frozen=True)
class Measured:
    """What a page took."""

    who: str
    path: str
    queries: int
    first: float
    least: float
    """The quickest answer: what a quiet machine would rather show."""
    median: float
    python: float
    """Processor time of this process, and in `database` of the server's: what a busy machine stretches least."""
    database: float
    p95: float
    kilobytes: float

    @property
    def slow(self) -> bool:
        """Whether it breaks the promise."""
        return self.median > PROMISE and self.path.rpartition("/")[2] not in WHOLE


def pages() -> dict[str, list[str]]:
    """Every page that is measured, by who asks for it; things are picked by what makes a page heavy."""
    from bots.models import Bot
    from pages import docs
    from tournaments.models import Entry, Game, GameLog, Match, Tournament

    ladder = Tournament.objects.get(slug="ladder")
    busiest = Entry.objects.filter(tournament=ladder).order_by("-matches")[:2]
    bot, other = (entry.bot.slug for entry in busiest)
    own = Bot.objects.filter(owner=1, entries__seats__logs__isnull=False).order_by("pk").distinct().first()
    mine = own.slug if own else bot
    match = Match.objects.filter(tournament=ladder, state="finished").latest("pk")
    waiting = Match.objects.filter(tournament=ladder, state="queued").latest("pk").pk
    games = Game.objects.filter(match=match)
    game = games.latest("moves").pk
    printed = GameLog.objects.filter(seat__entry__bot__owner=1).latest("pk").game_id
    cup = Tournament.objects.filter(kind="round_robin", state="finished", players=2).earliest("pk").slug
    four = Tournament.objects.filter(kind="round_robin", state="finished", players=4).earliest("pk").slug
    parts = ("", "crosstable/", "matches/", "matches/?state=queued", f"matches/?bot={bot}", "matches/?page=2000")
    public = [
        *("/", "/?part=newest", "/about/", f"/bots/{bot}/?part=newest"),
        *("/leaderboard/", "/leaderboard/?page=10", "/leaderboard/?q=bot-0"),
        *("/bots/", "/bots/?page=20", "/bots/?q=77", f"/bots/{bot}/", f"/bots/{bot}/vs/{other}/"),
        *(f"/bots/{bot}/?in={cup}", f"/bots/{bot}/versions/1/", f"/bots/{bot}/results.atom"),
        *("/tournaments/", *(f"/tournaments/ladder/{part}" for part in parts)),
        *(f"/tournaments/ladder/matches/?bot={bot}&against={other}", "/tournaments/ladder/matches/?state=parked"),
        *(f"/tournaments/ladder/{part}/" for part in ("plan", "fairness", "rules", "progress", "final")),
        *(f"/tournaments/{cup}/{part}/" for part in ("crosstable", "final", "matches")),
        *(f"/tournaments/{four}/{part}" for part in ("", "crosstable/")),
        *(f"/matches/{match.pk}/", f"/matches/{waiting}/", f"/matches/{match.pk}/deals/0/"),
        *(f"/games/{game}/", f"/games/{game}/embed/", f"/games/{game}/frames.json", f"/games/{game}/record.json"),
        *("/docs/", *(f"/docs/{slug}/" for slug in docs.slugs())),
        *("/results.atom", "/sitemap.xml", "/robots.txt", "/healthz", "/accounts/login/", "/accounts/signup/"),
        *(f"/tournaments/{cup}/files/{name}" for name in ("table.csv", "crosstable.csv", "tournament.json")),
        *("/tournaments/ladder/files/table.csv", "/tournaments/ladder/files/records.jsonl"),
        *_interface(bot, match.pk, game),
    ]
    signed = [
        *("/", "/leaderboard/", "/bots/", "/bots/mine/", "/bots/new/", f"/bots/{mine}/", f"/bots/{mine}/upload/"),
        *(f"/bots/{mine}/versions/1/", f"/games/{printed}/", f"/matches/{match.pk}/", "/tournaments/"),
        *("/tournaments/ladder/", "/account/", "/account/data/", "/account/tokens/"),
    ]
    staff = ["/operations/", "/tournaments/new/", f"/tournaments/{cup}/manage/", "/tournaments/class-7b/manage/"]
    return {"visitor": public, "author": signed, "staff": staff}


def _interface(bot: str, match: int, game: int) -> list[str]:
    lists = ("leaderboard", "tournaments", "bots", "matches", "tournaments/ladder", "tournaments/ladder/table")
    more = (f"bots/{bot}", f"matches?bot={bot}", f"matches/{match}", f"games/{game}", f"games/{game}/record")
    whole = ("tournaments/ladder/crosstable", "tournaments/ladder/secrets", "openapi.json")
    return [f"/api/{path}" for path in (*lists, *more, *whole)]


def clients() -> dict[str, Client]:
    """Who asks: a visitor, an author of thirty bots, and staff. The author is no staff."""
    from django.test import Client

    from accounts.models import User

    author = User.objects.get(pk=1)
    User.objects.filter(pk=1).update(is_staff=False, is_superuser=False)
    author.refresh_from_db()
    boss = User.objects.filter(username="boss").first() or User.objects.create_superuser("boss", password="x")  # noqa: S106
    found = {"visitor": Client(), "author": Client(), "staff": Client()}
    found["author"].force_login(author)
    found["staff"].force_login(boss)
    return found


def measure(client: Client, who: str, path: str, rounds: int) -> Measured:
    """Ask for a page so often, and once more to count its queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    times, used, served, size = [], [], [], 0
    for _ in range(rounds + 1):
        began, before, spent = time.perf_counter(), time.process_time(), database_ms()
        size = _read(client, path)
        times.append(1000 * (time.perf_counter() - began))
        used.append(1000 * (time.process_time() - before))
        served.append(database_ms() - spent)
    with CaptureQueriesContext(connection) as queries:
        _read(client, path)
    asked = sum(not query["sql"].startswith(("SAVEPOINT", "RELEASE")) for query in queries.captured_queries)
    warm = sorted(times[1:])
    p95 = warm[min(len(warm) - 1, round(0.95 * len(warm)))]
    return Measured(
        *(who, path, asked, times[0], warm[0], statistics.median(warm)),
        *(statistics.median(used[1:]), statistics.median(served[1:]), p95, size / 1024),
    )


def database_ms() -> float:
    """The processor time that the server's process for our connection has used, in milliseconds; 0 where the kernel
    does not tell. Queries run in that process alone (see `main`)."""
    from django.db import connection

    connection.ensure_connection()
    try:
        told = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text()
    except OSError:
        return 0.0
    return int(told.split()[0]) / 1e6


def _read(client: Client, path: str) -> int:
    response: Any = client.get(path, HTTP_ACCEPT_ENCODING="gzip")
    if response.status_code != 200:
        sys.exit(f"{path} answered {response.status_code}: {response.content[:300]!r}")
    if not response.streaming:
        return len(response.content)
    size = 0
    for piece in response.streaming_content:
        size += len(piece)
        if size > FIRST_BYTES:
            break
    response.close()
    return size


def show(found: Sequence[Measured]) -> None:
    """Print the table, the slowest first."""
    width = max(len(one.path) for one in found)
    names = ("queries", "first ms", "least ms", "median ms", "python ms", "db ms", "p95 ms", "kB")
    print(f"\n{'who':8} {'page':{width}} {' '.join(f'{name:>9}' for name in names)}")
    for one in sorted(found, key=lambda one: -one.median):
        mark = "  <-- above the promise" if one.slow else ""
        values = (one.first, one.least, one.median, one.python, one.database, one.p95, one.kilobytes)
        times = " ".join(f"{value:9.1f}" for value in values)
        print(f"{one.who:8} {one.path:{width}} {one.queries:9} {times}{mark}")


def main() -> None:
    """Fill a database, measure, print, and exit with 1 where the promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    site.add_options(parser)
    site.clear_up_when_told_to_end()
    population.add_options(parser)
    parser.add_argument("--rounds", type=int, default=20, help="how often each page is asked for")
    parser.add_argument("--only", default="", help="only pages with this in their address")
    options = parser.parse_args()
    with site.database(options, ALLOWED_HOSTS="testserver", SANDBOX="process") as new:
        if new:
            population.fill_and_say(options)
        from django.db import connection

        _unlimited()
        with connection.cursor() as cursor:
            cursor.execute("SET max_parallel_workers_per_gather = 0")  # so that one process does all of a query
        asking = clients()
        found = []
        for who, paths in pages().items():
            for path in paths:
                if options.only in path:
                    found.append(measure(asking[who], who, path, options.rounds))
                    print(".", end="", flush=True)
        show(found)
    heaviest = max(found, key=lambda one: one.python + one.database)
    print(
        f"\nThe most work is {heaviest.path}: {heaviest.python + heaviest.database:.0f} ms of processor time, "
        f"that of the database included (load of the machine {os.getloadavg()[0]:.1f})."
    )
    slow = [one for one in found if one.slow]
    if slow:
        sys.exit(f"{len(slow)} of {len(found)} pages take longer than {PROMISE:.0f} ms.")
    print(f"\nAll {len(found)} pages answer within {PROMISE:.0f} ms (median of {options.rounds}).")


def _unlimited() -> None:
    """Let the bench ask as often as it likes: the limits of the API are for strangers."""
    from api import limits

    def spend(allowance: object, who: str) -> None:
        """Count nothing."""

    limits.spend = spend


if __name__ == "__main__":
    main()
