"""The site under load, and its servers restarted under it: 200 readers and 100 uploads while a tournament runs.

PYTHONPATH=platform:. python -m bench.load [--readers 200] [--uploads 100] [--pause 8] [--seconds 40]

Everything is its own and on the loopback interface: PostgreSQL, Redis, a Docker engine (so only root can run this),
gunicorn as in production, a worker, a clerk, the clock. Readers open a page, look at it for `pause` seconds (half as
long to half again), and open another. Uploads come at once, over the API, and again while servers are down.

The run has phases: `calm`, then the database, the broker and the engine stopped for a few seconds and started again,
each followed by a span in which everything has to be as before, then the wait for the checks. It fails where a reader
gets anything but an answer, or, while the database is away, a 503 that says when to come again; where an upload that
was taken is not there in the end, or not checked; and where the tournament has lost or doubled a match.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

import sandbox
from bench import site
from bench.playing import crew, plan
from bench.readers import Log, read, upload
from tests import services
from tests.chaos.servers import Broker, Engine, Postgres, Server

if TYPE_CHECKING:
    from pages.management.processes import Processes

DOWN_SECONDS = 4.0
"""How long a server is away."""
AFTER_SECONDS = 15.0
"""How long is looked after it came back."""
BACK_SECONDS = 5.0
"""What still belongs to the restart: the first answers after it."""
CHECK_PATIENCE = 420.0


@contextmanager
def servers(folder: Path) -> Iterator[tuple[Postgres, Broker, Engine]]:
    """The three servers, running."""
    made = Postgres(folder), Broker(folder), Engine(folder)
    try:
        for server in made:
            server.start()
        made[2].load(sandbox.image_tag())
        yield made
    finally:
        made[1].stop()
        made[0].stop()
        made[2].remove()


def settings_of(folder: Path, running: tuple[Postgres, Broker, Engine]) -> dict[str, str]:
    """The variables of a site for strangers, but for https."""
    database, broker, engine = running
    return {
        "DEBUG": "0",
        "SECRET_KEY": "of a site that lives for some minutes and is reached from here alone",
        "HTTPS": "0",
        "ALLOWED_HOSTS": "127.0.0.1",
        "DATABASE_URL": database.url,
        "CELERY_BROKER_URL": broker.url,
        "CACHE_URL": broker.url.replace("/0", "/1"),
        "DOCKER_HOST": engine.url,
        "SANDBOX": "docker",
        "SANDBOX_BOXES": str(folder / "boxes"),
        "DATA_DIR": str(folder / "data"),
        "LOG_LEVEL": "WARNING",
    }


def prepare(uploads: int) -> tuple[list[str], list[tuple[str, str]], Any]:
    """A running tournament, something to read, and authors with a bot and a token each.

    Returns the pages, (slug, token) of each author, and the tournament.
    """
    from django.core.management import call_command

    from accounts import tokens
    from accounts.models import User
    from bots.models import Bot
    from tournaments.models import Tournament

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    cast = crew(8)
    plan(cast, 1000)
    cup = Tournament.objects.filter(state="running").earliest("pk")
    authors = []
    for number in range(uploads):
        owner = User.objects.create(username=f"author-{number}", password="!")  # noqa: S106 - nobody signs in
        bot = Bot.objects.create(owner=owner, name=f"Storm {number}", slug=f"storm-{number}")
        authors.append((bot.slug, tokens.make(owner, "load", "upload", 7)[1]))
    manifest = [path for path in _hashed() if path.endswith((".css", ".js"))]
    pages = ["/", "/leaderboard/", "/tournaments/", "/bots/", "/docs/", "/docs/bot-api/", "/results.atom"]
    pages += [f"/bots/{bot.slug}/" for bot in cast[:4]]
    pages += [f"/tournaments/{cup.slug}/{part}" for part in ("", "progress/", "crosstable/", "matches/", "plan/")]
    return [*pages, *manifest[:3]], authors, cup


def _hashed() -> list[str]:
    from django.contrib.staticfiles.storage import staticfiles_storage

    return [staticfiles_storage.url(name) for name in ("site.css", "site.js")]


async def storm(port: int, authors: Sequence[tuple[str, str]], log: Log, over: float) -> dict[str, int | None]:
    """Everybody uploads within a span of seconds."""

    async def one(number: int, slug: str, token: str) -> int | None:
        await asyncio.sleep(over * number / max(1, len(authors)))
        code = f'"""{slug}"""\nfrom arena import Bot\n\n\nclass Mine(Bot):\n    def act(self, view):\n'
        return await upload(port, slug, token, (code + "        return view.legal[-1]\n").encode(), log)

    found = await asyncio.gather(*(one(number, *author) for number, author in enumerate(authors)))
    return {slug: number for (slug, _), number in zip(authors, found, strict=True)}


async def restart(server: Server, log: Log) -> None:
    """Take a server away for a while, and look at what follows."""
    log.phase = f"{server.name} away"
    await asyncio.to_thread(server.stop)
    await asyncio.sleep(DOWN_SECONDS)
    await asyncio.to_thread(server.start)
    await asyncio.sleep(BACK_SECONDS)
    log.phase = f"{server.name} back"
    await asyncio.sleep(AFTER_SECONDS)


async def watch(address: str, log: Log, end: asyncio.Event) -> None:
    """Note how many connections the database has, twice a second."""

    def count() -> int:
        with psycopg.connect(address, connect_timeout=2) as connection:
            row = connection.execute("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")
            return int((row.fetchone() or (0,))[0])

    while not end.is_set():
        try:
            log.connections[log.phase] = max(log.connections[log.phase], await asyncio.to_thread(count))
        except psycopg.OperationalError as error:
            log.connections[f"{log.phase}, refused"] += 1
            log.examples.setdefault(f"database, {log.phase}", str(error))
        await asyncio.sleep(0.5)


async def drive(
    port: int, options: argparse.Namespace, pages: Sequence[str], authors: Sequence[tuple[str, str]], running: Any
) -> tuple[Log, dict[str, int | None]]:
    """The whole run. Returns what was seen, and the version that each upload became."""
    log, end = Log(), asyncio.Event()
    readers = [
        asyncio.create_task(read(port, pages, options.pause, log, end, number)) for number in range(options.readers)
    ]
    readers.append(asyncio.create_task(watch(os.environ["DATABASE_URL"], log, end)))
    first, later = authors[: len(authors) * 4 // 5], authors[len(authors) * 4 // 5 :]
    await asyncio.sleep(options.seconds / 2)
    log.phase = "upload storm"
    uploading = asyncio.create_task(storm(port, first, log, 5.0))
    await asyncio.sleep(options.seconds / 2)
    share = -(-len(later) // len(running))
    more = []
    for number, server in enumerate(running):
        more.append(asyncio.create_task(storm(port, later[number * share : (number + 1) * share], log, DOWN_SECONDS)))
        await restart(server, log)
    log.phase = "afterwards"
    versions = await uploading
    for task in more:
        versions |= await task
    await asyncio.sleep(options.seconds / 4)
    end.set()
    await asyncio.gather(*readers)
    return log, versions


def report(log: Log) -> list[str]:
    """Print what readers and uploaders saw, by phase. Returns what must not be."""
    wrong = []
    print(f"\n{'phase':16} {'pages':>6} {'median ms':>10} {'p95 ms':>8} {'p99 ms':>8} {'max ms':>8}  other answers")
    for phase, outcomes in log.outcomes.items():
        times = sorted(1000 * one for one in log.seconds[phase]) or [0.0]
        ranks = [times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.95, 0.99, 1.0)]
        others = {name: count for name, count in sorted(outcomes.items()) if name != "200"}
        columns = " ".join(f"{value:{width}.0f}" for value, width in zip(ranks, (10, 8, 8, 8), strict=True))
        print(f"{phase:16} {outcomes['200']:6} {columns}  {others or ''}")
        fine = {"200", "upload 201", "upload 429"}
        if phase == "postgres away":
            fine |= {"503", "upload 503"}
        wrong += [f"{phase}: {count} times {name}" for name, count in outcomes.items() if name not in fine]
    print(f"most connections of the database: {dict(log.connections)}")
    print(f"the slowest: {log.slowest[0]:.1f} s for {log.slowest[1]}")
    for outcome, example in log.examples.items():
        print(f"for example {outcome}: {example}")
    return wrong


def settle(processes: Processes, versions: dict[str, int | None]) -> list[str]:
    """Wait until the uploads that were taken have been checked. Returns what is missing."""
    from bots.models import BotVersion

    taken = {slug for slug, number in versions.items() if number is not None}
    began = time.monotonic()

    def waiting() -> int:
        return BotVersion.objects.filter(bot__slug__in=taken, state="checking").count()

    while waiting() and time.monotonic() - began < CHECK_PATIENCE:
        processes.check()
        time.sleep(1.0)
    ready = set(BotVersion.objects.filter(bot__slug__in=taken, state="ready").values_list("bot__slug", flat=True))
    print(
        f"{len(taken)} of {len(versions)} uploads taken; {len(ready)} checked, the last "
        f"{time.monotonic() - began:.0f} s after the load had ended"
    )
    wrong = [f"The upload of {slug} was never taken." for slug in versions if slug not in taken]
    return wrong + [f"The upload of {slug} was taken, and is not ready." for slug in sorted(taken - ready)]


def main() -> None:
    """Start everything, drive it, judge it, and stop everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--uploads", type=int, default=100)
    parser.add_argument("--pause", type=float, default=8.0, help="seconds that a reader looks at a page")
    parser.add_argument("--seconds", type=float, default=40.0, help="length of the calm phases")
    parser.add_argument("--without", nargs="*", default=[], choices=["postgres", "broker", "engine"])
    parser.add_argument("--keep", action="store_true", help="leave the folder with all logs, and say where it is")
    options = parser.parse_args()
    site.clear_up_when_told_to_end()
    missing = services.missing("docker") or services.missing("postgres") or services.missing("redis")
    if missing or os.geteuid():
        sys.exit(f"This needs PostgreSQL, Redis, the bot image, and root for an engine of its own. {missing or ''}")
    folder = Path(tempfile.mkdtemp(prefix="load.", dir="/tmp"))  # short, for the paths of sockets
    folder.chmod(0o711)  # the database runs as another user
    try:
        with servers(folder) as running:
            wrong = _run(folder, options, running)
    finally:
        if options.keep:
            print(f"The logs are in {folder}.")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    if wrong:
        sys.exit("\n".join(["", "Not as it should be:", *wrong]))
    print("No error, no lost upload.")


def _run(folder: Path, options: argparse.Namespace, running: tuple[Postgres, Broker, Engine]) -> list[str]:
    environment = settings_of(folder, running)
    os.environ.update({"DJANGO_SETTINGS_MODULE": "config.settings", **environment})
    import django

    django.setup()
    from django.db import connection

    from pages.management.processes import Processes
    from tests.running import free_port
    from tournaments import integrity
    from tournaments.models import Match

    pages, authors, cup = prepare(options.uploads)
    connection.close()
    port = free_port()
    with Processes(folder / "log", environment) as processes:
        processes.start_worker(1, "worker", ["matches"])
        processes.start_worker(2, "clerk", ["upkeep", "checks"])
        processes.start_beat()
        processes.start_site(port)
        chosen = [server for server in running if server.name not in options.without]
        log, versions = asyncio.run(drive(port, options, pages, authors, chosen))
        processes.check()
        wrong = report(log)
        wrong += settle(processes, versions)
        played = Match.objects.filter(tournament=cup, state="finished").count()
        print(f"{played} matches of {cup} and {Match.objects.filter(state='finished').count()} in all were played.")
    return wrong + list(integrity.check_tournament(cup))


if __name__ == "__main__":
    main()
