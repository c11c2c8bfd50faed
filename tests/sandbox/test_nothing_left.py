"""Whatever happens to a worker, a container or a box folder: nothing stays, nothing hangs, no bot is charged."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docker.errors
import pytest
import requests

from sandbox import Backend, Limits, SandboxError, SessionFailed, open_backend
from tests.sandbox.conftest import ASK, PROJECT, children, leftovers, open_talker, until

ECHO = "def answer(line): return line"

WORKER = """
    import sys
    from pathlib import Path
    from sandbox import Limits, open_backend

    kind, boxes, image, project, talker = sys.argv[1:]
    settings = {"image": image, "project": project} if kind == "docker" else {}
    backend = open_backend(kind, boxes=Path(boxes), **settings)
    bot = {"bot.py": b"import time\\ndef answer(line):\\n    if line == b'hang': time.sleep(1000)\\n    return line"}
    host = {"talker.py": Path(talker).read_bytes()}
    sandbox = backend.open(bot, module="talker", limits=Limits(), host_files=host)
    session = sandbox.start(10)
    session.ask(b"ready", 10)
    print("ready", flush=True)
    session.ask(b"hang", 1000)
"""


def start_worker(kind: str, boxes: Path, image: str) -> "subprocess.Popen[bytes]":
    """A worker process of its own in the middle of a game whose bot hangs."""
    talker = Path(__file__).with_name("talker.py")
    worker = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WORKER), kind, str(boxes), image, PROJECT, str(talker)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == b"ready\n"
    return worker


def end(worker: "subprocess.Popen[bytes]", signum: int) -> None:
    assert worker.stdout is not None
    worker.send_signal(signum)
    worker.wait()
    worker.stdout.close()


def test_a_killed_worker_leaves_no_process(boxes: Path):
    worker = start_worker("process", boxes, "")
    running = children(worker.pid)
    assert len(running) == 3  # keeper, minder, bot
    end(worker, signal.SIGKILL)
    assert until(lambda: not any(str(boxes) in line for line in _command_lines()))
    backend = open_backend("process", boxes=boxes)
    assert len(backend.reap()) == 1
    backend.close()
    assert list(boxes.iterdir()) == []


def _command_lines() -> list[str]:
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(path.read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return lines


@pytest.mark.docker
@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_worker_leaves_no_container(boxes: Path, image: str, engine: Any, signum: int):
    worker = start_worker("docker", boxes, image)
    assert len(leftovers(engine)) == 1
    end(worker, signum)
    assert until(lambda: leftovers(engine) == [])
    backend = open_backend("docker", boxes=boxes, image=image, project=PROJECT)
    open_talker(backend, ECHO).close()  # the first use reaps
    assert [entry.name for entry in boxes.iterdir()] == [backend.boxes.worker]
    backend.close()


class Reluctant:
    """Stands before an engine's `remove_container`: refuses to remove some containers, so many times each."""

    def __init__(self, engine: Any, refusals: dict[str, int]) -> None:
        self.remove, self.refusals = engine.remove_container, refusals

    def __call__(self, container: str, **options: Any) -> None:
        if self.refusals.get(container, 0):
            self.refusals[container] -= 1
            response = requests.Response()
            response.status_code = 500
            raise docker.errors.APIError("busy", response, "the root file system is in use")
        self.remove(container, **options)


@pytest.fixture
def abandoned(boxes: Path, image: str, engine: Any) -> Iterator[list[str]]:
    """Two containers of a dead worker."""
    labels = {"durak-arena.project": PROJECT, "durak-arena.boxes": str(boxes), "durak-arena.worker": "dead"}
    config = {"Image": image, "Entrypoint": ["true"], "NetworkDisabled": True, "Labels": labels}
    made = [engine.create_container_from_config(config)["Id"] for _ in range(2)]
    yield made
    for container in {found["Id"] for found in engine.containers(all=True)} & set(made):
        engine.remove_container(container, force=True)


@pytest.mark.docker
def test_an_engine_that_cannot_remove_a_container_at_once_is_asked_again(
    docker_backend: Backend, abandoned: list[str], engine: Any, monkeypatch: pytest.MonkeyPatch
):
    client = docker_backend._engine  # type: ignore[attr-defined]
    refusals = {abandoned[0]: 2}
    monkeypatch.setattr(client, "remove_container", Reluctant(client, refusals))
    assert len(docker_backend.reap()) == 2
    assert refusals == {abandoned[0]: 0}
    assert leftovers(engine) == []


@pytest.mark.docker
@pytest.mark.parametrize("stubborn", [0, 1])
def test_a_container_that_cannot_be_removed_does_not_keep_the_others(
    docker_backend: Backend, abandoned: list[str], engine: Any, monkeypatch: pytest.MonkeyPatch, stubborn: int
):
    client = docker_backend._engine  # type: ignore[attr-defined]
    monkeypatch.setattr("sandbox.docker._REMOVE_SECONDS", 0)
    monkeypatch.setattr(client, "remove_container", Reluctant(client, {abandoned[stubborn]: 10_000}))
    with pytest.raises(SandboxError, match="the root file system is in use"):
        docker_backend.reap()
    assert leftovers(engine) == [abandoned[stubborn]]


@pytest.mark.docker
def test_what_an_engine_lists_and_does_not_have_is_not_said_to_be_removed(
    docker_backend: Backend, abandoned: list[str], monkeypatch: pytest.MonkeyPatch
):
    """As an engine does that crashed while it removed a container."""
    client = docker_backend._engine  # type: ignore[attr-defined]
    listed = client.containers(all=True, filters={"label": "durak-arena.worker=dead"})
    real, ghost = abandoned
    client.remove_container(ghost)
    monkeypatch.setattr(client, "containers", lambda **_: listed)
    assert docker_backend.reap(dry_run=True) == [f"container {real[:12]} of worker dead"]
    assert docker_backend.reap() == [f"container {real[:12]} of worker dead"]
    assert docker_backend.reap() == []


@pytest.mark.docker
def test_the_reaper_takes_what_is_dead_and_ours_and_nothing_else(
    docker_backend: Backend, boxes: Path, image: str, engine: Any, tmp_path_factory: pytest.TempPathFactory
):
    mine = docker_backend.boxes.worker
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    labels = {
        "dead": {"project": PROJECT, "boxes": str(boxes), "worker": "dead"},
        "living": {"project": PROJECT, "boxes": str(boxes), "worker": mine},
        "other project": {"project": f"{PROJECT}-other", "boxes": str(boxes), "worker": "dead"},
        "other boxes": {"project": PROJECT, "boxes": str(elsewhere), "worker": "dead"},
        "stranger": {},
    }
    made = {}
    try:
        for name, values in labels.items():
            config = {
                "Image": image,
                "Entrypoint": ["python3", "-c", "import signal; signal.pause()"],
                "NetworkDisabled": True,
                "Labels": {f"durak-arena.{key}": value for key, value in values.items()},
            }
            made[name] = engine.create_container_from_config(config)["Id"]
            engine.start(made[name])
        would = docker_backend.reap(dry_run=True)
        removed = docker_backend.reap()
        assert would == removed
        assert len(removed) == 1
        assert made["dead"][:12] in removed[0]
        left = {found["Id"] for found in engine.containers(all=True)}
        assert {name for name, container in made.items() if container in left} == set(labels) - {"dead"}
        assert docker_backend.reap() == []
    finally:
        there = {found["Id"] for found in engine.containers(all=True)}
        for container in there & set(made.values()):
            engine.remove_container(container, force=True)


@pytest.mark.docker
def test_a_container_that_was_not_removed_goes_with_its_worker(boxes: Path, image: str, engine: Any):
    backend = open_backend("docker", boxes=boxes, image=image, project=PROJECT)
    forgotten = open_talker(backend, ECHO)
    assert len(leftovers(engine)) == 1
    backend.close()
    assert leftovers(engine) == []
    assert list(boxes.iterdir()) == []
    forgotten.close()


@pytest.mark.docker
def test_a_container_removed_by_hand_is_our_fault(docker_backend: Backend, engine: Any):
    with open_talker(docker_backend, ECHO) as sandbox:
        session = sandbox.start(ASK)
        session.ask(b"?", ASK)
        engine.remove_container(leftovers(engine)[0], force=True)
        with pytest.raises(SandboxError, match="removed or has died"):
            session.ask(b"?", ASK)
        with pytest.raises(SandboxError, match="removed or has died"):
            session.close()
        assert not sandbox.alive


@pytest.mark.docker
def test_a_container_removed_between_games_is_our_fault(docker_backend: Backend, engine: Any):
    with open_talker(docker_backend, ECHO) as sandbox:
        sandbox.start(ASK).close()
        engine.remove_container(leftovers(engine)[0], force=True)
        assert not sandbox.alive
        with pytest.raises(SandboxError, match="removed or has died"):
            sandbox.start(ASK)


def test_a_box_folder_removed_by_hand_is_our_fault(backend: Backend):
    with open_talker(backend, ECHO) as sandbox:
        session = sandbox.start(ASK)
        session.ask(b"?", ASK)
        shutil.rmtree(sandbox._box.path)
        assert session.ask(b"still", ASK) == b"still"
        session.close()
        with pytest.raises(SandboxError, match="box folder"):
            sandbox.start(ASK)
        assert not sandbox.alive


@pytest.mark.docker
def test_a_missing_image_is_our_fault(boxes: Path, engine: Any):
    backend = open_backend("docker", boxes=boxes, image="durak-arena-bot:no-such-tag", project=PROJECT)
    with pytest.raises(SandboxError, match=r"is missing; run `python -m sandbox build`"):
        open_talker(backend, ECHO)
    backend.close()
    assert leftovers(engine) == []
    assert list(boxes.iterdir()) == []


@pytest.mark.docker
def test_a_missing_runtime_is_our_fault_and_nothing_falls_back(boxes: Path):
    with pytest.raises(SandboxError, match="no runtime 'no-such-runtime'"):
        open_backend("docker", boxes=boxes, runtime="no-such-runtime")
    with pytest.raises(SandboxError, match="no runtime 'no-such-runtime'"):
        open_backend("auto", boxes=boxes, runtime="no-such-runtime")


def test_an_engine_that_is_down_is_our_fault(boxes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-engine.sock")
    with pytest.raises(SandboxError, match="engine does not answer"):
        open_backend("docker", boxes=boxes)
    with pytest.raises(SandboxError, match="A runtime is set but no Docker engine answers"):
        open_backend("auto", boxes=boxes, runtime="runsc")
    backend = open_backend("auto", boxes=boxes)
    assert backend.name == "process"
    backend.close()


@pytest.mark.docker
def test_a_full_disk_is_our_fault(docker_backend: Backend, engine: Any, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object) -> int:
        raise OSError(28, os.strerror(28))

    assert docker_backend.boxes.worker
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(SandboxError, match=r"No space left on device\. Check free space"):
        open_talker(docker_backend, ECHO)
    monkeypatch.undo()
    assert leftovers(engine) == []
    assert list(docker_backend.boxes.path.iterdir()) == [docker_backend.boxes.path / "lock"]


def test_a_keeper_that_dies_is_our_fault_and_never_a_hang(process_backend: Backend):
    with open_talker(process_backend, ECHO) as sandbox:
        session = sandbox.start(ASK)
        session.ask(b"?", ASK)
        keeper = sandbox._holder._process.pid  # type: ignore[attr-defined]
        os.kill(keeper, signal.SIGKILL)
        report = session.close()  # the minder has outlived it
        assert report.killed or report.exit_status == 0
        assert until(lambda: not sandbox.alive)


@pytest.mark.docker
def test_what_a_container_used_is_reported_from_its_control_group(docker_backend: Backend):
    """On whichever version this host has. The bot's own figures are part of the container's."""
    source = """
        import time
        def answer(line):
            kept = bytearray(30_000_000)
            end = time.process_time() + 0.05
            while time.process_time() < end: pass
            return b"%d" % len(kept)
    """
    with open_talker(docker_backend, source) as sandbox:
        for _ in range(2):
            session = sandbox.start(ASK)
            session.ask(b"?", ASK)
            report = session.close()
            assert report.container_cpu_seconds is not None
            assert report.container_peak_bytes is not None
            assert report.container_cpu_seconds >= 0.05 - 0.02
            assert 30_000_000 < report.container_peak_bytes <= Limits().container_bytes
            assert report.cpu_seconds >= 0.05


@pytest.mark.docker
def test_a_bot_that_the_kernel_kills_for_memory_is_told_so(docker_backend: Backend):
    """The container's limit stands behind the limit of address space."""
    limits = Limits(memory_mb=16, keeper_mb=40, address_mb=1000)
    source = "def answer(line):\n    kept = []\n    while True: kept.append(bytearray(1_000_000))"
    with open_talker(docker_backend, source, limits) as sandbox:
        for _ in range(2):
            session = sandbox.start(ASK)
            with pytest.raises(SessionFailed, match="more memory than it has") as failed:
                session.ask(b"?", ASK)
            assert failed.value.reason == "memory"
            report = session.close()
            assert report.oom
            assert report.signal == signal.SIGKILL
            assert report.container_peak_bytes is not None
            assert report.container_peak_bytes > 40_000_000
            assert sandbox.alive
