"""Matches a second, end to end: real workers, PostgreSQL, a broker of their own, bots in containers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import TYPE_CHECKING, Any

from bench import site
from tests import services

if TYPE_CHECKING:
    from bots.models import Bot
    from pages.management.processes import Processes

BOTS = 6
"""As many as a worker process keeps warm with ease: what is measured is playing, not starting containers."""
COLD = 60
"""More than it keeps: nearly every match starts two sandboxes."""
WARM_UP = 4
"""So many matches a worker process are played before the counting begins."""
PATIENCE = 120.0
CODE = (
    '"""Bot {number}."""\nfrom arena import Bot\n\n\n'
    "class Mine(Bot):\n    def act(self, view):\n        return view.legal[0]\n"
)


@dataclass(frozen=True)
class Played:
    """What was played in a span of time."""

    matches: int
    games: int
    decisions: int
    seconds: float


def play(workers: Sequence[int], seconds: float) -> None:
    """Print matches a second by the number of worker processes, with few bots and with many."""
    missing = services.missing("docker") or (None if shutil.which("redis-server") else "there is no redis-server")
    if missing:
        sys.exit(f"This bench needs containers and a broker: {missing}.")
    name = f"durak_bench_{os.getpid()}_play"
    with tempfile.TemporaryDirectory(prefix="play.") as folder, broker() as address, site.made(name):
        site.set_up(DATABASE_URL=site.address_of(name), CELERY_BROKER_URL=address, SANDBOX="docker", DATA_DIR=folder)
        from django.core.management import call_command
        from django.db import connections

        call_command("migrate", verbosity=0)
        try:
            cost_of_a_match()
            for count in workers:
                show(
                    f"{count} worker processes, {BOTS} bots, sandboxes warm",
                    measure(Path(folder), count, BOTS, seconds),
                )
            if workers:
                show(f"2 worker processes, {COLD} bots, sandboxes cold", measure(Path(folder), 2, COLD, seconds))
        finally:
            connections.close_all()


def show(title: str, played: Played) -> None:
    """Print one line."""
    print(
        f"{title}: {played.matches / played.seconds:.2f} matches/s, {played.games / played.seconds:.1f} games/s, "
        f"{played.decisions / played.seconds:,.0f} decisions/s "
        f"({played.matches} matches in {played.seconds:.0f} s; load of the machine {os.getloadavg()[0]:.1f})",
        flush=True,
    )


def cost_of_a_match(count: int = 8) -> None:
    """Print the processor time of a match, part by part: which a busy machine stretches less than the time it takes.

    The matches are played in this process, with sandboxes that are warm.
    """
    from bots import sandboxes
    from tournaments.models import Game, Match
    from tournaments.play import Ending, play_match

    plan(crew(BOTS), 2 * count)
    ids = list(Match.objects.filter(state="queued").order_by("id").values_list("pk", flat=True)[: count + 15])
    try:
        for key in ids[:15]:  # every bot has its sandbox then
            play_match(key, "bench")
        began, before, inside = time.perf_counter(), time.process_time(), _in_containers()
        for key in ids[15:]:
            assert play_match(key, "bench") == Ending.RECORDED
        wall, used = time.perf_counter() - began, time.process_time() - before
        inside = _in_containers() - inside
    finally:
        sandboxes.close()
    played = Match.objects.filter(pk__in=ids[15:])
    games = Game.objects.filter(match__in=played).count()
    decisions = sum(played.values_list("seats__decisions", flat=True))
    print(
        f"A match of {games // count} games and {decisions // count} decisions, sandboxes warm, one at a time: "
        f"{1000 * wall / count:.0f} ms; processor time: {1000 * used / count:.0f} ms of the worker, "
        f"{1000 * inside / count:.0f} ms in the containers (load of the machine {os.getloadavg()[0]:.1f})",
        flush=True,
    )


def _in_containers() -> float:
    """The processor time that the containers of this process have used so far, in seconds."""
    import docker

    from bots import sandboxes
    from sandbox.container import LABEL_WORKER

    own = f"{LABEL_WORKER}={sandboxes.backend().boxes.worker}"
    client = docker.from_env()
    try:
        found = client.containers.list(filters={"label": own})
        usage: list[Any] = [one.stats(stream=False, one_shot=True) for one in found]
    finally:
        client.close()
    total: float = sum(one["cpu_stats"]["cpu_usage"]["total_usage"] for one in usage) / 1e9
    return total


@contextmanager
def broker() -> Iterator[str]:
    """The address of a Redis server for as long as this lasts; nothing is written to disk."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        child.terminate()
        child.wait()


def measure(folder: Path, workers: int, bots: int, seconds: float) -> Played:
    """Plan more than can be played, start workers, and count what they finish."""
    from django.utils import timezone

    from pages.management.processes import Processes
    from tournaments.models import Match

    cast = crew(bots)
    plan(cast, int(30 * seconds))
    start = Match.objects.filter(state="finished").count()
    with Processes(folder / "log", {**os.environ, "LOG_LEVEL": "WARNING", "SWEEP_SECONDS": "1"}) as processes:
        processes.start_worker(workers, "worker", ["matches"])
        processes.start_worker(1, "clerk", ["upkeep", "checks"])
        processes.start_beat()
        _wait(processes, start + WARM_UP * workers)
        since = timezone.now()
        time.sleep(seconds)  # the span in which is counted
        until = timezone.now()
    found = Match.objects.filter(state="finished", finished_at__gt=since, finished_at__lte=until)
    played = Played(
        found.count(),
        sum(found.values_list("progress", flat=True)),
        sum(found.values_list("seats__decisions", flat=True)),
        (until - since).total_seconds(),
    )
    # What is left of the plan is not played beside the next one.
    Match.objects.exclude(state="finished").update(state="cancelled", lease_until=None)
    return played


def _wait(processes: Processes, finished: int) -> None:
    from tournaments.models import Match

    done = Match.objects.filter(state="finished")
    processes.wait_until(lambda: done.count() >= finished, "Playing", PATIENCE)


def crew(count: int) -> list[Bot]:
    """The first so many bots, each with a version that counts as checked. Each has a file of its own."""
    from accounts.models import User
    from arena.archive import read_upload
    from bots.models import Bot, BotFile, BotVersion

    owner, _ = User.objects.get_or_create(username="bench")
    found = []
    for number in range(count):
        bot, made = Bot.objects.get_or_create(owner=owner, name=f"Bot {number}", slug=f"bot-{number}")
        if made:
            code = CODE.format(number=number).encode()
            upload = read_upload("bot.py", code)
            file = BotFile.objects.create(digest=upload.digest, content=code, size=len(code))
            BotVersion.objects.create(bot=bot, number=1, file=file, filename="bot.py", state="ready")
        found.append(bot)
    return found


def plan(bots: Sequence[Bot], matches: int) -> None:
    """Start round robins of the bots until so many matches wait, and none but theirs: the ladder rests."""
    from tournaments import lifecycle, planning
    from tournaments.models import Match, Tournament

    Tournament.objects.filter(pk=lifecycle.ensure_ladder().pk).update(state="cancelled")
    planned = 0
    while planned < matches:
        cup = lifecycle.open_entries(lifecycle.create_round_robin(f"Cup {Tournament.objects.count()}", deals=10))
        for bot in bots:
            lifecycle.enter(cup, bot)
        lifecycle.start(cup)
        while Tournament.objects.filter(pk=cup.pk, planning=True).exists():
            planning.make_piece(cup.pk)  # which the sweep does on a site
        planned += Match.objects.filter(tournament=cup).count()
