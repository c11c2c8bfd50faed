"""What the sandbox costs: games a second against the naive way, and a question against a bare echo, in one run.

    PYTHONPATH=platform:. python -m bench.sandbox [--seconds 5]

The naive way is a container a bot a game, spoken to over the engine's attach stream. Both ways are given all of the
machine, a worker a processor: one worker of the naive way alone keeps the engine busy on the other processors, where
further workers of ours would play. Ratios are measured side by side, so they hold on a busy machine too. Then the
same under gVisor, where `make services` has made an engine that has it, and a round robin that is really played, for
how often a pool has the next bot warm. Exits 1 if a promise is broken.
"""

import argparse
import multiprocessing
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.plan import WARM_POOL, round_robin
from sandbox import Backend, Limits, Pool, Sandbox, open_backend
from sandbox.docker import connect
from sandbox.image.build import build_image, copy_image
from tests import services

SEATS = 2
DECISIONS = 80
QUESTION = b'{"n":17,"hand":["6c","7d","Th"],"legal":["6c","take"],"events":[["lead",0,"6s"],["pass",1]],"clock":9.81}'
ANSWER = b'{"n":17,"move":"take"}'
TIMEOUT = 10.0

PROMISED_GAMES = 25.0
"""At least so many times the games of the naive way."""

PROMISED_QUESTION = 3.0
"""At most so many times the time of a bare echo."""

PROMISED_WARM = 0.8
"""At least so often a bot that has to play is still in the pool."""

PROMISED_GROWTH_MB = 2.0
"""At most so much more memory than after the first game, after all the others."""

BOTS = 30
SHORT_GAME = 10
"""Decisions of a game that is not about speed."""

HOST = b"""
import sys

def serve(connection, root):
    sys.path.insert(0, str(root))
    import bot
    while line := connection.recv(65536):
        connection.sendall(bot.answer(line))
"""
BOT = b"def answer(line): return %r" % (ANSWER + b"\n")
NAIVE = """
import sys
for line in sys.stdin:
    sys.stdout.write(%r)
    sys.stdout.flush()
""" % (ANSWER.decode() + "\n")


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each of the measurements")
    parser.add_argument("--bots", type=int, default=BOTS, help="in the round robin that is played with a small pool")
    options = parser.parse_args()
    image = build_image(())
    ours = measure(image, None, options.seconds)
    workers = len(os.sched_getaffinity(0))
    warm, naive = (all_at_once(way, workers, image, options.seconds) for way in (warm_rate, naive_rate))
    print(f"sandbox up and answering        {ours.opened * 1e3:8.0f} ms")
    print(f"starting and ending a game      {1e3 / ours.empty:8.2f} ms  ({SEATS} seats)")
    print(
        f"games a second, one worker      {ours.warm:8.1f}     ({SEATS} trivial bots, {DECISIONS} decisions, one slot)"
    )
    print(f"games a second, warm            {warm:8.1f}     (a worker a processor, {workers} here)")
    print(
        f"games a second, naive           {naive:8.2f}     (a container a bot a game, attach stream; as many workers)"
    )
    print(f"                                {warm / naive:8.1f} times (promised: {PROMISED_GAMES:g} or more)")
    print(f"a question                      {ours.ask * 1e6:8.1f} us  (median)")
    print(f"a bare echo, same container     {ours.echo * 1e6:8.1f} us  (median)")
    print(
        f"                                {ours.ask / ours.echo:8.2f} times (promised: {PROMISED_QUESTION:g} or less)"
    )
    print(f"this process after {ours.games:7d} games {ours.growth_mb:8.1f} MB  more than after the first")
    strong = under_gvisor(image, options.seconds)
    if isinstance(strong, str):
        print(f"under gVisor: not measured, {strong}")
    else:
        print(f"under gVisor, up and answering  {strong.opened * 1e3:8.0f} ms")
        print(f"under gVisor, start and end     {1e3 / strong.empty:8.2f} ms")
        print(f"under gVisor, games a second    {strong.warm:8.1f}     ({ours.warm / strong.warm:.1f} times fewer)")
        print(
            f"under gVisor, a question        {strong.ask * 1e6:8.1f} us  ({strong.ask / ours.ask:.1f} times as long)"
        )
    share = warm_share(image, options.bots)
    print(
        f"found warm                      {share:8.1%}     (round robin of {options.bots} bots in the plan's order, "
        f"pool of {WARM_POOL}; promised: {PROMISED_WARM:.0%} or more)"
    )
    return int(
        warm / naive < PROMISED_GAMES
        or ours.ask / ours.echo > PROMISED_QUESTION
        or ours.growth_mb > PROMISED_GROWTH_MB
        or share < PROMISED_WARM
    )


@dataclass(frozen=True)
class Measured:
    """What one runtime costs. Times in seconds, rates in games a second."""

    opened: float
    warm: float
    empty: float
    ask: float
    echo: float
    games: int
    growth_mb: float


def measure(image: str, runtime: str | None, seconds: float) -> Measured:
    """Trivial bots in sandboxes of that runtime."""
    backend = open_backend("docker", image=image, runtime=runtime, project="durak-arena-bench")
    seats: list[Sandbox] = []
    try:
        begin = time.perf_counter()
        for _ in range(SEATS):
            seats.append(open_seat(backend))  # noqa: PERF401 - one that is up must be closed if the next one fails
        opened = (time.perf_counter() - begin) / SEATS
        play_game(seats)
        before = resident_mb()
        warm = rate(lambda: play_game(seats), seconds)
        empty = rate(lambda: play_game(seats, 0), seconds)
        growth = resident_mb() - before  # the times of the questions, which come next, are kept in memory
        ask, echo = question_times(seats[0], seconds)
        return Measured(opened, warm, empty, ask, echo, round((warm + empty) * seconds), growth)
    finally:
        for sandbox in seats:
            sandbox.close()
        backend.close()


def under_gvisor(image: str, seconds: float) -> Measured | str:
    """The same under gVisor, on the engine that has it; or why not."""
    if reason := services.gvisor():
        return reason
    usual = os.environ.get("DOCKER_HOST")
    source = connect()
    os.environ["DOCKER_HOST"] = services.address("TEST_GVISOR_HOST") or ""
    try:
        copy_image(image, source, connect())
        return measure(image, "runsc", seconds)
    finally:
        source.close()
        os.environ.pop("DOCKER_HOST")
        if usual is not None:
            os.environ["DOCKER_HOST"] = usual


def warm_share(image: str, bots: int) -> float:
    """How often a bot that has to play is at hand, in matches that are really played, in the order of the plan."""
    backend = open_backend("docker", image=image, project="durak-arena-bench")
    matches = [pair for round_ in round_robin(bots) for pair in round_]
    with Pool(backend, WARM_POOL) as pool:
        for pair in matches:
            seats = []
            for bot in pair:
                files = {"bot.py": BOT + b"\n# %d" % bot}
                host = {"bench_host.py": HOST}
                seats.append(pool.get(bot, files, module="bench_host", limits=Limits(cpu_slot=0), host_files=host))
            play_game(seats, SHORT_GAME)
        return pool.hits / (pool.hits + pool.misses)


def resident_mb() -> float:
    """Memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def all_at_once(way: Callable[[int, str, float, Any], float], workers: int, image: str, seconds: float) -> float:
    """Games a second of so many workers of one way, each a process of its own with a processor for its bots."""
    context = multiprocessing.get_context("fork")
    ready, results = context.Barrier(workers), context.SimpleQueue()
    processes = [
        context.Process(target=lambda slot: results.put(way(slot, image, seconds, ready)), args=(slot,))
        for slot in range(workers)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0, "A worker failed; see above."
    return sum(float(results.get()) for _ in processes)


def warm_rate(slot: int, image: str, seconds: float, ready: Any) -> float:
    """Games a second of one worker of ours, once all of them are ready."""
    backend = open_backend("docker", image=image, project="durak-arena-bench")
    seats: list[Sandbox] = []
    try:
        for _ in range(SEATS):
            seats.append(open_seat(backend, slot))  # noqa: PERF401 - as in `measure`
        play_game(seats)
        ready.wait()
        return rate(lambda: play_game(seats), seconds)
    finally:
        for sandbox in seats:
            sandbox.close()
        backend.close()


def open_seat(backend: Backend, slot: int = 0) -> Sandbox:
    """A trivial bot, with what a real one has around it."""
    return backend.open(
        {"bot.py": BOT},
        module="bench_host",
        limits=Limits(cpu_slot=slot),
        preload=["numpy"],
        host_files={"bench_host.py": HOST},
    )


def play_game(seats: list[Sandbox], decisions: int = DECISIONS) -> None:
    """One game: every seat a fresh process, questions in turn."""
    sessions = [sandbox.start(TIMEOUT) for sandbox in seats]
    for number in range(decisions):
        sessions[number % len(sessions)].ask(QUESTION, TIMEOUT)
    for session in sessions:
        session.close()


def rate(play: Callable[[], None], seconds: float) -> float:
    """How often a second."""
    count, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        play()
        count += 1
    return count / spent


def question_times(sandbox: Sandbox, seconds: float) -> tuple[float, float]:
    """Median seconds of `ask`, and of a bare send and receive on the same socket; taken in turns."""
    session = sandbox.start(TIMEOUT)
    line = QUESTION + b"\n"
    connection = session._connection
    ask, echo = [], []
    stop = time.perf_counter() + seconds
    while time.perf_counter() < stop:
        for _ in range(200):
            begin = time.perf_counter()
            session.ask(QUESTION, TIMEOUT)
            ask.append(time.perf_counter() - begin)
        connection.setblocking(True)
        for _ in range(200):
            begin = time.perf_counter()
            connection.send(line)
            connection.recv(8192)
            echo.append(time.perf_counter() - begin)
        connection.setblocking(False)
    session.close()
    return statistics.median(ask), statistics.median(echo)


def naive_rate(slot: int, image: str, seconds: float, ready: Any) -> float:
    """Games a second of one worker of the naive way, once all of them are ready."""
    engine = connect()
    try:
        naive_game(engine, image, slot)
        ready.wait()
        return rate(lambda: naive_game(engine, image, slot), seconds)
    finally:
        engine.close()


def naive_game(engine: Any, image: str, slot: int) -> None:
    """One game in new containers."""
    config = {
        "Image": image,
        "Entrypoint": ["python3", "-I", "-B", "-c", NAIVE],
        "NetworkDisabled": True,
        "OpenStdin": True,
        "StdinOnce": True,
        "AttachStdin": True,
        "AttachStdout": True,
        "HostConfig": {"NetworkMode": "none", "CpusetCpus": str(slot)},
    }
    containers, streams = [], []
    try:
        for _ in range(SEATS):
            container = engine.create_container_from_config(config)["Id"]
            containers.append(container)
            stream = engine.attach_socket(container, params={"stdin": 1, "stdout": 1, "stream": 1})
            streams.append(stream)
            engine.start(container)
        for number in range(DECISIONS):
            connection = streams[number % SEATS]._sock
            connection.sendall(QUESTION + b"\n")
            received = b""
            while not received.endswith(b"\n"):
                received += connection.recv(8192)
    finally:
        for stream in streams:
            stream._sock.close()
            stream.close()
        for container in containers:
            engine.remove_container(container, force=True)


if __name__ == "__main__":
    sys.exit(main())
