"""A Docker engine of the tests' own, which may be stopped, killed, filled up and told of runtimes that do not work."""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.chaos.servers import Engine
from tests.sandbox.conftest import until

MEGABYTES = 1200
"""Room for the image and a few containers."""


class OwnEngine(Engine):
    """What it stores lies on a small file system in memory: quick, easily filled, and gone with one `umount`."""

    def __init__(self, folder: Path, runtimes: Mapping[str, str]) -> None:
        super().__init__(folder)
        self.data = self.folder / "data"
        self.data.mkdir()
        _mount(self.data, MEGABYTES)
        self._settings = self.folder / "daemon.json"
        self._settings.write_text(json.dumps({"runtimes": {name: {"path": path} for name, path in runtimes.items()}}))

    def command(self) -> Sequence[str]:
        return [*super().command(), f"--config-file={self._settings}"]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it and wait for its containerd too: a new engine that still finds it waits for it in vain."""
        companion = self.folder / "exec/containerd/containerd.pid"
        pid = companion.read_text() if companion.exists() else ""
        super().stop(how)
        if pid:
            assert until(lambda: not Path(f"/proc/{pid}").exists())

    def docker(self, *arguments: str) -> str:
        """What a command of the client says to this engine; it must succeed."""
        done = self._docker(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def build(self, recipe: str, name: str) -> str:
        """Build an image of that name from a Dockerfile without files; its identity."""
        command = ["docker", "--host", self.url, "build", "--quiet", "--tag", name, "-"]
        environment = os.environ | {"DOCKER_BUILDKIT": "0"}
        done = subprocess.run(command, input=recipe, capture_output=True, text=True, check=True, env=environment)
        return done.stdout.strip()


def _mount(place: Path, megabytes: int) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=711", "tmpfs", str(place)], check=True)


@contextmanager
def memory_at(place: Path, megabytes: int) -> Iterator[None]:
    """A file system of that size in memory, at this folder."""
    _mount(place, megabytes)
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=True)


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """The file system of this folder without a free byte."""
    ballast = folder / "ballast"
    try:
        with ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 20))
            except OSError:
                os.fsync(file.fileno())
        yield
    finally:
        ballast.unlink()


@contextmanager
def own_engine(image: str, runtimes: Mapping[str, str] | None = None) -> Iterator[OwnEngine]:
    """An engine that runs and has this image. In the end all of it is gone."""
    if os.geteuid() != 0:
        pytest.skip("only root can start a Docker engine of its own, and mount what it fills")
    with tempfile.TemporaryDirectory(prefix="de.", dir="/tmp") as folder:
        engine = OwnEngine(Path(folder), runtimes or {})
        try:
            engine.start()
            engine.load(image)
            yield engine
        finally:
            engine.remove()
