"""What grows with a site and what does not: playing, recording, claiming, sweeping, rating, at up to 100,000 matches.

PYTHONPATH=platform:. python -m bench.scale [--keep NAME | --database NAME] [--steps record claim sweep ...]

Steps: `record` (the cost of writing a result down beside 10, 1,000 and 100,000 others), `claim` (four processes take
matches out of 100,000 that wait), `sweep`, `recompute` (Elo from the start), `fit` (the likelihood table out of the
database), `play` (matches a second end to end with 1, 2 and 4 worker processes: Celery, PostgreSQL, Redis, containers).

Nothing but `play` plays: a site of made-up matches is filled (see `bench.population`), and what is recorded is one
result of a match that was played once, over and over.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from bench import population, site
from bench.pages import database_ms
from bench.playing import play

if TYPE_CHECKING:
    from arena.match import MatchResult
    from tournaments.models import Tournament

SIZES = (10, 1000, 100_000)
RECORDED = 60
"""So many results are recorded at each size."""
CLAIMERS, CLAIMED = 4, 1000
LEASE = 60.0


def record() -> dict[str, float]:
    """Milliseconds for one result: wall time, processor time of this process, and the statements."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from tournaments import queue, results
    from tournaments.models import Match, Tournament

    ladder = Tournament.objects.get(slug="ladder")
    waiting = Match.objects.filter(tournament=ladder, state="queued").order_by("pk")[: RECORDED + 1]
    result = _result(ladder)
    wall, used, served = [], [], []
    for number, match in enumerate(waiting):
        claim = queue.claim(match.pk, "bench", LEASE)
        assert claim is not None
        if number == RECORDED:
            with CaptureQueriesContext(connection) as queries:
                assert results.record(match.pk, claim.attempt, result)
            break
        began, before, spent = time.perf_counter(), time.process_time(), database_ms()
        assert results.record(match.pk, claim.attempt, result)
        wall.append(1000 * (time.perf_counter() - began))
        used.append(1000 * (time.process_time() - before))
        served.append(database_ms() - spent)
    return {
        "median_ms": statistics.median(wall),
        "least_ms": min(wall),
        "python_ms": statistics.median(used),
        "database_ms": statistics.median(served),
        "statements": len(queries),
    }


def _result(tournament: Tournament) -> MatchResult:
    """The result of one match that is played here, by trivial bots."""
    from arena import Bot, Move, View
    from arena.deal import derive_deck
    from arena.local import LocalPlayer
    from arena.match import play_match
    from tournaments.values import limits_of, ruleset_of

    class Cheapest(Bot):
        """Plays its cheapest legal move."""

        def act(self, view: View) -> Move:
            return view.legal[0]

    decks = [derive_deck(b"\0" * 32, 1, deal) for deal in range(tournament.deals)]
    players = [LocalPlayer(Cheapest, f"bot {seat}") for seat in range(tournament.players)]
    return play_match(players, ruleset_of(tournament), decks, limits_of(tournament))


def claim() -> dict[str, float]:
    """Microseconds a claim, with four processes that all try for the same matches; each must be taken once."""
    from django.db import connections

    from tournaments.models import Match

    ids = list(Match.objects.filter(state="queued").order_by("-priority", "id").values_list("pk", flat=True)[:CLAIMED])
    waiting = Match.objects.filter(state="queued").count()
    connections.close_all()
    # What ends the bench as Ctrl-C does would make its processes complain when the pool ends them.
    usual = signal.signal, (signal.SIGTERM, signal.SIG_DFL)
    with multiprocessing.get_context("fork").Pool(CLAIMERS, *usual) as pool:
        began = time.perf_counter()
        taken = pool.starmap(_claim_each, [(ids, number) for number in range(CLAIMERS)])
        seconds = time.perf_counter() - began
    won = sorted(key for mine, *_ in taken for key in mine)
    assert won == sorted(ids), f"{len(won)} claims of {len(ids)} matches: one was taken twice, or by nobody."
    _take_back(ids)
    tried = [spent for _, times, _ in taken for spent in times]
    return {
        "waiting": waiting,
        "claims": len(won),
        "tries": len(tried),
        "processor_us_a_try": 1e6 * sum(used for *_, used in taken) / len(tried),
        "median_us_a_try": 1e6 * statistics.median(tried),
        "p95_us_a_try": 1e6 * sorted(tried)[int(0.95 * len(tried))],
        "claims_a_second": len(won) / seconds,
    }


def _claim_each(ids: Sequence[int], number: int) -> tuple[list[int], list[float], float]:
    from django.db import connections

    from tournaments import queue

    connections.close_all()
    won, times, before = [], [], time.process_time()
    for key in ids:
        began = time.perf_counter()
        if queue.claim(key, f"claimer {number}", LEASE) is not None:
            won.append(key)
        times.append(time.perf_counter() - began)
    return won, times, time.process_time() - before


def _take_back(ids: Sequence[int]) -> None:
    from tournaments.models import Match

    Match.objects.filter(pk__in=ids).update(state="queued", attempt=0, lease_until=None, started_at=None, worker="")


def sweep() -> dict[str, float]:
    """Milliseconds of each step of the sweep, at its second run: the first one announces and fits."""
    from bots import announce
    from tournaments import sweep as sweeping
    from tournaments.models import Tournament

    # Nothing waits for a new table here (`fit` measures that), and what is announced goes nowhere.
    announce.announce = lambda *_, **__: True
    for tournament in Tournament.objects.all():
        Tournament.objects.filter(pk=tournament.pk).update(fitted=tournament.rated)
    found: dict[str, float] = {}
    for _ in range(4):
        for step in sweeping.steps():
            began = time.perf_counter()
            step()
            name = f"{step.__module__.rpartition('.')[2]}.{step.__name__}"
            found[name] = min(found.get(name, 1e9), 1000 * (time.perf_counter() - began))
    return {**found, "all_ms": sum(found.values())}


def recompute() -> dict[str, float]:
    """Seconds and memory of `recompute_ratings` on the ladder. It must find nothing."""
    from tournaments import ratings
    from tournaments.models import Tournament

    ladder = Tournament.objects.get(slug="ladder")
    before = _memory()
    began = time.perf_counter()
    wrong = ratings.recompute_ratings(ladder, store=False)
    seconds = time.perf_counter() - began
    assert wrong == [], wrong[:3]
    return {"matches": ladder.rated, "seconds": seconds, "memory_mb": _memory() - before}


def fit() -> dict[str, float]:
    """Seconds and memory of the likelihood table, from reading the games to storing the table."""
    from tournaments import ratings
    from tournaments.models import Game, Tournament

    ladder = Tournament.objects.get(slug="ladder")
    games = Game.objects.filter(match__tournament=ladder).count()
    before, used = _memory(), time.process_time()
    began = time.perf_counter()
    assert ratings.refresh_table(ladder)
    return {
        "games": games,
        "seconds": time.perf_counter() - began,
        "processor_seconds": time.process_time() - used,
        "memory_mb": _memory() - before,
    }


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


STEPS: dict[str, Callable[[], Any]] = {
    "record": record,
    "claim": claim,
    "sweep": sweep,
    "recompute": recompute,
    "fit": fit,
}


def run(step: str, database: str) -> dict[str, float]:
    """Run a step in a process of its own, so that its memory is its own."""
    command = [sys.executable, "-m", "bench.scale", "--child", step, "--database", database]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{step} failed")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def show(title: str, found: dict[str, float]) -> None:
    """Print a step's figures."""
    print(f"{title}: " + ", ".join(f"{name} {_round(value)}" for name, value in found.items()), flush=True)


def _round(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"


def main() -> None:
    """Fill databases, run the steps, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    site.add_options(parser)
    site.clear_up_when_told_to_end()
    population.add_options(parser)
    parser.add_argument("--steps", nargs="*", choices=[*STEPS, "play"], default=[*STEPS, "play"])
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4], help="worker processes of `play`")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long `play` counts for each")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.set_defaults(queued=100_000)
    options = parser.parse_args()
    if options.child:
        site.set_up(DATABASE_URL=site.address_of(options.database))
        print(json.dumps(STEPS[options.child]()))
        return
    if set(options.steps) != {"play"}:
        _crowd(options)
    if "play" in options.steps:
        play(options.workers, options.seconds)


def _crowd(options: argparse.Namespace) -> None:
    costs: dict[int, dict[str, float]] = {}
    if "record" in options.steps:
        for size in [size for size in SIZES if size < options.matches]:
            name = f"durak_bench_{os.getpid()}_{size}"
            small = argparse.Namespace(**{**vars(options), "keep": None, "database": None, "name": name})
            small.bots, small.matches, small.queued = min(options.bots, 20 + size // 10), size, RECORDED + 5
            with site.made(name):
                _fill(name, small)
                costs[size] = run("record", name)
                show(f"record beside {size}", costs[size])
    name = options.database or options.keep or f"durak_bench_{os.getpid()}"
    with site.made(name, new=options.database is None, keep=bool(options.keep)):
        if options.database is None:
            _fill(name, options)
        for step in options.steps:
            if step != "play":
                found = run(step, name)
                show(f"{step} beside {options.matches}" if step == "record" else step, found)
                if step == "record":
                    costs[options.matches] = found
    if len(costs) > 1:
        least = [costs[size]["least_ms"] for size in sorted(costs)]
        print(f"A result beside {max(costs)} others costs {least[-1] / least[0]:.2f} times one beside {min(costs)}.")


def _fill(name: str, options: argparse.Namespace) -> None:
    """Fill a database in a process of its own: Django reads the name of its database once a process."""
    sizes = ["--bots", options.bots, "--matches", options.matches, "--queued", options.queued, "--deals", options.deals]
    command = [sys.executable, "-m", "bench.population", "--database", name, "--into", *map(str, sizes)]
    if subprocess.run(command, check=False).returncode:
        sys.exit("The database could not be filled.")


if __name__ == "__main__":
    main()
