"""Plays a whole tournament on a site of its own, from uploads to the verified table, and tells what took how long.

    PYTHONPATH=platform:. python -m tests.operations.show_tournament --bots 30
    PYTHONPATH=platform:. python -m tests.operations.show_tournament --bots 12 --seats 4
    PYTHONPATH=platform:. python -m tests.operations.show_tournament --bots 8 --seats 4 --ruleset pairs

The site is as small as it gets (SQLite, the file broker) unless DATABASE_URL and CELERY_BROKER_URL name others; bots
run in containers unless `--backend process` says otherwise. It ends with exit code 1 if anything does not add up: the
verification on the site, `python -m arena verify` of the proof, and `check_integrity`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bots.models import Bot
    from tournaments.models import Tournament

SAMPLES = ("counting", "thrifty", "lowest", "hoarder", "easy", "random")
"""Samples that take milliseconds for a game. Each bot is one of them, with a line of its own, so a file of its own."""
BOTS_AN_AUTHOR = 5
STALL_SECONDS = 600
PROOF = "proof.jsonl"


def main() -> None:
    """The outer part starts the site; the same file, started beside it, plays."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=8)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--ruleset", default="podkidnoy")
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--workers", type=int, default=2, help="worker processes that play")
    parser.add_argument("--backend", choices=("docker", "process"), default="docker")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside is None:
        sys.exit(outside(options))
    inside(options)


def outside(options: argparse.Namespace) -> int:
    """Start everything, have the tournament played, verify what it left."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from tests.running import RunningSite

    # Short: sockets of sandboxes lie in it.
    with tempfile.TemporaryDirectory(prefix="show-") as place:
        folder = Path(place)
        with RunningSite(folder, SANDBOX=options.backend) as site:
            environment = {**os.environ, **site.environment}
            for number in range(options.workers):
                site.processes.start_worker(concurrency=1, name=f"worker-{number}", queues=("matches",))
            site.processes.start_worker(concurrency=1, name="clerk", queues=("checks", "upkeep"))
            site.processes.start_beat()
            play = [sys.executable, "-m", "tests.operations.show_tournament", *sys.argv[1:], "--inside", place]
            steps: list[tuple[str, list[str]]] = [
                ("the tournament", play),
                ("arena verify", [sys.executable, "-m", "arena", "verify", str(folder / PROOF)]),
                ("check_integrity", [sys.executable, "manage.py", "check_integrity", "show"]),
            ]
            for name, command in steps:
                began = time.monotonic()
                if subprocess.run(command, env=environment, check=False).returncode:
                    print(f"{name}: FAILED", flush=True)
                    return 1
                print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
    return 0


def inside(options: argparse.Namespace) -> None:
    """Uploads, checks, entries, start, matches, table, verification, proof."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()

    from bots.models import BotVersion
    from tournaments import lifecycle, pausing, proofs, verification
    from tournaments.models import Game, Tournament

    # The ladder would play the same bots on the same workers.
    pausing.pause(lifecycle.ensure_ladder())
    bots = upload(options.bots)
    ready = BotVersion.objects.filter(state=BotVersion.State.READY)
    timed("checks", ready.count, options.bots)
    cup = lifecycle.create_round_robin(
        "Show", slug="show", ruleset=options.ruleset, players=options.seats, deals=options.deals
    )
    lifecycle.open_entries(cup)
    for bot in bots:
        lifecycle.enter(cup, bot)
    began = time.monotonic()
    cup = lifecycle.start(cup)
    print(f"start: {time.monotonic() - began:.2f} s", flush=True)
    found = Tournament.objects.filter(pk=cup.pk)
    timed("plan", lambda: int(found.filter(planning=False).exists()), 1)
    cup.refresh_from_db()
    seconds = timed("matches", lambda: found.values_list("rated", flat=True).get(), cup.plan_total)
    timed("the end", lambda: int(found.filter(state=Tournament.State.FINISHED).exists()), 1)
    cup.refresh_from_db()
    games = Game.objects.filter(match__tournament=cup).count()
    print(
        f"{options.bots} bots, {options.seats} at a table, {options.ruleset}: {cup.rated} matches, {games} games in "
        f"{seconds:.0f} s, {cup.rated / seconds:.2f} matches and {games / seconds:.0f} games a second",
        flush=True,
    )
    show(cup)
    verification.ask(cup)
    timed("verification", lambda: verified(cup), cup.rated + 1)
    result = verification.of(cup)
    if result is None or not result.holds:
        sys.exit(f"The verification found: {result and result.findings}")
    with (options.inside / PROOF).open("wb") as file:
        file.writelines(proofs.proof_lines(cup))
    print(f"proof: {(options.inside / PROOF).stat().st_size / 1e6:.1f} MB", flush=True)


def upload(count: int) -> list[Bot]:
    """So many bots, each with a file of its own, as their author uploads them."""
    from accounts.models import User
    from arena.samples import SAMPLES as SOURCES
    from bots.services import create_bot, submit_version

    bots = []
    for number in range(count):
        if number % BOTS_AN_AUTHOR == 0:
            author = User.objects.create_user(f"author-{number // BOTS_AN_AUTHOR + 1}")
        name = SAMPLES[number % len(SAMPLES)]
        bot = create_bot(author, f"{name} {number + 1}", "")
        submit_version(bot, "bot.py", SOURCES[name].source + f"\n# bot {number + 1}\n".encode())
        bots.append(bot)
    return bots


def verified(cup: Tournament) -> int:
    """How far the verification is, in matches; one more when it has ended."""
    from tournaments import verification

    found = verification.of(cup)
    return 0 if found is None else found.matches + (found.finished_at is not None)


def show(cup: Tournament) -> None:
    """The table, shortly."""
    from tournaments import standings

    for line in standings.table(cup):
        rating = "-" if line.rating is None else f"{line.rating:.0f}"
        print(f"  {line.place or '-':>3}  {line.bot_name:14} {rating:>5}  {line.score or 0:.3f}", flush=True)


def timed(what: str, done: Callable[[], int], total: int) -> float:
    """Wait until so much is done, telling about it now and then. Returns the seconds that it took."""
    began = told = moved = time.monotonic()
    last = -1
    while (now := done()) < total:
        moment = time.monotonic()
        if now != last:
            last, moved = now, moment
        if moment - moved > STALL_SECONDS:
            sys.exit(f"{what}: nothing has moved for {STALL_SECONDS} s at {now} of {total}.")
        if moment - told > 10:
            told = moment
            print(f"  {what}: {now} of {total} after {moment - began:.0f} s", flush=True)
        time.sleep(0.2)
    seconds = time.monotonic() - began
    print(f"{what}: {seconds:.1f} s", flush=True)
    return seconds


if __name__ == "__main__":
    main()
