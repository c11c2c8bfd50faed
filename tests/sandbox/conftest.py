"""Sandboxes for tests, on each backend, and the watch that nothing is left of them."""

import os
import select
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox import Backend, Limits, Sandbox, open_backend

TALKER = Path(__file__).with_name("talker.py").read_bytes()
PROJECT = f"test-{os.getpid()}"
ASK = 10.0
"""Seconds that an answer may take where the test is not about time: never reached unless something hangs."""

OpenBot = Callable[..., Sandbox]


@pytest.fixture(scope="session")
def image() -> str:
    """An image that holds the keeper alone: the bots of these tests know no Durak."""
    from sandbox.image.build import build_image

    return build_image(())


@pytest.fixture(scope="session")
def engine() -> Iterator[Any]:
    from sandbox.docker import connect

    client = connect()
    yield client
    client.close()


def leftovers(engine: Any) -> list[str]:
    """Containers of this test run that are still there."""
    return [found["Id"] for found in engine.containers(all=True, filters={"label": f"durak-arena.project={PROJECT}"})]


@pytest.fixture
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("b", numbered=True)


@pytest.fixture
def docker_backend(image: str, engine: Any, boxes: Path) -> Iterator[Backend]:
    backend = open_backend("docker", boxes=boxes, image=image, project=PROJECT)
    yield backend
    assert leftovers(engine) == []  # closing the backend would remove what a sandbox had left
    backend.close()
    assert list(boxes.iterdir()) == []


@pytest.fixture
def process_backend(boxes: Path) -> Iterator[Backend]:
    backend = open_backend("process", boxes=boxes)
    yield backend
    backend.close()
    assert list(boxes.iterdir()) == []
    assert children() == [], "a process of a sandbox is left"


@pytest.fixture(params=["process", pytest.param("docker", marks=pytest.mark.docker)])
def backend(request: pytest.FixtureRequest) -> Backend:
    backend: Backend = request.getfixturevalue(f"{request.param}_backend")
    return backend


@pytest.fixture
def open_bot(backend: Backend) -> Iterator[OpenBot]:
    """Open a sandbox with this source as bot.py."""
    opened: list[Sandbox] = []

    def open_it(source: str, limits: Limits | None = None, **files: bytes) -> Sandbox:
        sandbox = open_talker(backend, source, limits, **files)
        opened.append(sandbox)
        return sandbox

    yield open_it
    for sandbox in opened:
        sandbox.close()


def open_talker(backend: Backend, source: str, limits: Limits | None = None, **files: bytes) -> Sandbox:
    """A sandbox whose bot.py is `source` (dedented), with further `files` by name."""
    return backend.open(
        {"bot.py": textwrap.dedent(source).encode(), **files},
        module="talker",
        limits=limits or Limits(),
        host_files={"talker.py": TALKER},
    )


def host_processes(engine: Any, container: str) -> list[Path]:
    """Folders in this host's /proc of a container's processes, the parent before the child."""
    names = engine.top(container, "-eo pid,ppid")["Processes"]
    return [Path("/proc") / pid for pid, _ in sorted(names, key=lambda ids: int(ids[0]))]


def until(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether the condition comes true in time; looked at again and again."""
    never = select.poll()
    for _ in range(int(seconds / 0.05)):
        if condition():
            return True
        never.poll(50)
    return condition()


def children(parent: int | None = None) -> list[str]:
    """Command lines of the living descendants of this process that run Python."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents[int(entry.name)] = int(fields[1])
    found = []
    for pid in parents:
        ancestor = pid
        while ancestor in parents and ancestor != (parent or os.getpid()):
            ancestor = parents[ancestor]
        if ancestor == (parent or os.getpid()) and pid != ancestor:
            found.append(pid)
    lines = []
    for pid in found:
        try:
            lines.append((Path("/proc") / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return [line for line in lines if "sandbox.keeper" in line]
