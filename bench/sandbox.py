"""What the sandbox costs: games a second against the naive way, and a question against a bare echo, in one run.

    PYTHONPATH=platform:. python -m bench.sandbox [--seconds 5] [--runtime runsc]

The naive way is a container a bot a game, spoken to over the engine's attach stream. Ratios are measured side by side,
so they hold on a busy machine too. Exits 1 if a promise is broken.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from sandbox import Backend, Limits, Sandbox, open_backend
from sandbox.docker import connect
from sandbox.image.build import build_image

SEATS = 2
DECISIONS = 80
QUESTION = b'{"n":17,"hand":["6c","7d","Th"],"legal":["6c","take"],"events":[["lead",0,"6s"],["pass",1]],"clock":9.81}'
ANSWER = b'{"n":17,"move":"take"}'
TIMEOUT = 10.0

PROMISED_GAMES = 25.0
"""At least so many times the games of the naive way."""

PROMISED_QUESTION = 3.0
"""At most so many times the time of a bare echo."""

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
    parser.add_argument("--runtime", help="the engine's runtime, runsc say")
    options = parser.parse_args()
    image = build_image(())
    backend = open_backend("docker", image=image, runtime=options.runtime, project="durak-arena-bench")
    seats: list[Sandbox] = []
    try:
        begin = time.perf_counter()
        for _ in range(SEATS):
            seats.append(open_seat(backend))  # noqa: PERF401 - one that is up must be closed if the next one fails
        opened = (time.perf_counter() - begin) / SEATS
        play_game(seats)
        warm = rate(lambda: play_game(seats), options.seconds)
        empty = rate(lambda: play_game(seats, 0), options.seconds)
        ask, echo = question_times(seats[0], options.seconds)
    finally:
        for sandbox in seats:
            sandbox.close()
        backend.close()
    naive = naive_rate(image, options)
    print(f"sandbox up and answering        {opened * 1e3:8.0f} ms")
    print(f"starting and ending a game      {1e3 / empty:8.2f} ms  ({SEATS} seats)")
    print(f"games a second, warm            {warm:8.1f}     ({SEATS} trivial bots, {DECISIONS} decisions, one slot)")
    print(f"games a second, naive           {naive:8.2f}     (a container a bot a game, attach stream)")
    print(f"                                {warm / naive:8.1f} times (promised: {PROMISED_GAMES:g} or more)")
    print(f"a question                      {ask * 1e6:8.1f} us  (median)")
    print(f"a bare echo, same container     {echo * 1e6:8.1f} us  (median)")
    print(f"                                {ask / echo:8.2f} times (promised: {PROMISED_QUESTION:g} or less)")
    return int(warm / naive < PROMISED_GAMES or ask / echo > PROMISED_QUESTION)


def open_seat(backend: Backend) -> Sandbox:
    """A trivial bot, with what a real one has around it."""
    return backend.open(
        {"bot.py": BOT},
        module="bench_host",
        limits=Limits(cpu_slot=0),
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


def naive_rate(image: str, options: argparse.Namespace) -> float:
    """Games a second of the naive way."""
    engine = connect()
    try:
        return rate(lambda: naive_game(engine, image, options.runtime), options.seconds)
    finally:
        engine.close()


def naive_game(engine: Any, image: str, runtime: str | None) -> None:
    """One game in new containers."""
    config = {
        "Image": image,
        "Entrypoint": ["python3", "-I", "-B", "-c", NAIVE],
        "NetworkDisabled": True,
        "OpenStdin": True,
        "StdinOnce": True,
        "AttachStdin": True,
        "AttachStdout": True,
        "HostConfig": {"NetworkMode": "none", "CpusetCpus": "0", **({"Runtime": runtime} if runtime else {})},
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
