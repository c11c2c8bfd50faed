"""`make demo ONCE=1`, as a newcomer runs it: in a checkout without data, and once more with what the first run left."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena.samples import SAMPLES
from tests.running import free_port

pytestmark = pytest.mark.patient

ROOT = Path(__file__).resolve().parents[2]
RUN_SECONDS = 300


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of what git knows, with the environment of this one: making that is tested by CI itself."""
    folder = tmp_path_factory.mktemp("checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).exists():  # else it is being removed
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def make_demo(checkout: Path, port: int) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", "demo", "ONCE=1", f"PORT={port}"],
        cwd=checkout,
        env={**environment, "SANDBOX": "process"},
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
    )


def processes_of(folder: Path) -> list[str]:
    """Command lines of processes that work in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink().is_relative_to(folder):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue  # it has ended, or is another user's
    return found


def test_it_plays_a_tournament_prints_the_table_and_ends_with_nothing_left_running(checkout):
    done = make_demo(checkout, free_port())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "run without walls" in done.stdout
    assert len(SAMPLES) >= 8
    for sample in SAMPLES.values():
        assert sample.title in done.stdout
    assert "/tournaments/demo/" in done.stdout
    assert processes_of(checkout) == []


def test_a_second_run_plays_nothing_again(checkout):
    before = (checkout / "var/db.sqlite3").stat().st_ino
    done = make_demo(checkout, free_port())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "/tournaments/demo/" in done.stdout
    assert "demo-2" not in done.stdout
    assert (checkout / "var/db.sqlite3").stat().st_ino == before


def test_a_taken_port_is_said_in_a_sentence(checkout):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = make_demo(checkout, port)
    assert done.returncode != 0
    assert f"Port {port} is taken" in done.stderr
    assert "Traceback" not in done.stderr
