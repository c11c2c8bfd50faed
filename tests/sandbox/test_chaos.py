"""What breaks around a sandbox, broken for real: engine, disk, runtime. Each is a SandboxError, soon, and it heals.

These tests have an engine of their own, which they stop, kill and fill. What happens to a match of a tournament then is
in `tests/web/tournaments/test_infrastructure.py`.
"""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import Limits, Pool, SandboxError, open_backend
from sandbox.docker import connect
from sandbox.image.prune import prune_images
from tests.sandbox.conftest import ASK, PROJECT, TALKER, open_talker, until
from tests.sandbox.own_engine import OwnEngine, filled, memory_at, own_engine

pytestmark = [pytest.mark.docker, pytest.mark.alone, pytest.mark.timeout(120)]

ECHO = "def answer(line): return line"
HOST = {"talker.py": TALKER}
BOT = {"bot.py": ECHO.encode()}
SOON = 45.0
"""Seconds after which it counts as a hang: above every limit of ours, far below those of the tests."""


@pytest.fixture(scope="module")
def own(image: str) -> Iterator[OwnEngine]:
    with own_engine(image, {"gone": "/nowhere/runtime", "broken": "/bin/false"}) as engine:
        yield engine


@pytest.fixture
def engine_of_ours(own: OwnEngine, monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnEngine]:
    """The engine, running before and after."""
    monkeypatch.setenv("DOCKER_HOST", own.url)
    yield own
    if not own.runs:
        own.start()
    assert until(lambda: own.containers() == []), "a container is left"


@pytest.fixture
def settings(boxes: Path, image: str) -> dict[str, object]:
    return {"boxes": boxes, "image": image, "project": PROJECT}


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < SOON


def plays(pool: Pool) -> bool:
    """Whether a game can be played there."""
    sandbox = pool.get("key", BOT, module="talker", limits=Limits(), host_files=HOST)
    session = sandbox.start(ASK)
    answer = session.ask(b"hello", ASK)
    session.close()
    return answer == b"hello"


def test_an_engine_that_is_stopped_ends_a_game_by_our_fault_and_another_is_played_when_it_is_back(
    engine_of_ours: OwnEngine, settings: dict[str, object]
):
    with Pool(open_backend("docker", **settings), 2) as pool:
        assert plays(pool)
        session = pool.get("key", BOT, module="talker", limits=Limits(), host_files=HOST).start(ASK)
        session.ask(b"?", ASK)
        engine_of_ours.stop()  # it takes its containers along
        with pytest.raises(SandboxError, match="removed or has died"):
            session.ask(b"?", ASK)
        with pytest.raises(SandboxError, match="removed or has died"):
            session.close()
        with pytest.raises(SandboxError, match="engine does not answer"):
            plays(pool)
        engine_of_ours.start()
        assert plays(pool)


def test_an_engine_that_is_killed_does_not_even_end_the_game(engine_of_ours: OwnEngine, settings: dict[str, object]):
    """Questions go over a socket of ours. What the engine left behind it tidies up when it is back."""
    with Pool(open_backend("docker", **settings), 2) as pool:
        assert plays(pool)
        session = pool.get("key", BOT, module="talker", limits=Limits(), host_files=HOST).start(ASK)
        engine_of_ours.stop(signal.SIGKILL)
        assert session.ask(b"still", ASK) == b"still"
        assert session.close().exit_status in (None, 0)
        assert plays(pool)  # the sandbox is warm
        with pytest.raises(SandboxError, match="engine does not answer"):
            pool.get("other", BOT, module="talker", limits=Limits(), host_files=HOST)
        engine_of_ours.start()


def test_an_image_that_was_removed_is_our_fault_until_it_is_built(
    engine_of_ours: OwnEngine, settings: dict[str, object], image: str
):
    with Pool(open_backend("docker", **settings), 2) as pool:
        engine_of_ours.docker("tag", image, "kept")
        engine_of_ours.docker("rmi", image)
        with pytest.raises(SandboxError, match=r"is missing; run `python -m sandbox build`"):
            plays(pool)
        engine_of_ours.docker("tag", "kept", image)
        assert plays(pool)


@pytest.mark.parametrize("runtime", ["gone", "broken"])
def test_a_runtime_that_does_not_work_is_our_fault(
    engine_of_ours: OwnEngine, settings: dict[str, object], runtime: str
):
    backend = open_backend("docker", runtime=runtime, **settings)
    with pytest.raises(SandboxError, match="engine refused"):
        open_talker(backend, ECHO)
    backend.close()


def test_a_full_disk_under_the_engine_is_our_fault(engine_of_ours: OwnEngine, settings: dict[str, object]):
    with Pool(open_backend("docker", **settings), 2) as pool:
        with filled(engine_of_ours.data), pytest.raises(SandboxError):
            plays(pool)
        assert plays(pool)


def test_a_full_disk_under_the_boxes_is_our_fault(engine_of_ours: OwnEngine, settings: dict[str, object], boxes: Path):
    with memory_at(boxes, 1), Pool(open_backend("docker", **settings), 2) as pool:
        assert plays(pool)
        pool.discard("key")
        with filled(boxes), pytest.raises(SandboxError, match=r"No space left on device\. Check free space"):
            plays(pool)
        assert plays(pool)


def test_images_of_ours_that_nothing_needs_are_removed_and_nobody_elses(engine_of_ours: OwnEngine, image: str):
    made = {}
    for name in ("durak-arena-bot:old", "durak-arena-bot:used", "durak-arena-bot:again", "somebody/durak-arena-bot:1"):
        for content in ("first", "second") if name.endswith("again") else (name,):
            recipe = f"FROM {image}\nLABEL durak-arena.image=bot what={content}\n"
            if name.startswith("somebody"):
                recipe = recipe.replace("durak-arena.image=bot", "")
            made[content] = engine_of_ours.build(recipe, name)
    container = engine_of_ours.docker("create", "durak-arena-bot:used", "true").strip()
    client = connect()
    try:
        removed = prune_images(client, [image], keep=0)
        left = {identity for found in client.images() for identity in (found["Id"], *(found["RepoTags"] or ()))}
    finally:
        client.close()
        engine_of_ours.docker("rm", container)
    # "first" lost its name to "second", which has been removed as well.
    assert set(removed) >= {"image durak-arena-bot:old", "image durak-arena-bot:again", f"image {made['first']}"}
    assert left >= {image, "durak-arena-bot:used", "somebody/durak-arena-bot:1"}
    assert not left & {"durak-arena-bot:old", "durak-arena-bot:again", made["first"], made["second"]}
