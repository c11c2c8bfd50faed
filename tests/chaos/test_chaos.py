"""A small run: everything that can die does so once, and the tournament ends as if nothing had happened."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pages.management.processes import source_roots

ROOT = Path(__file__).resolve().parents[2]
SEED = 1


@pytest.fixture
def servers_can_be_started():
    """Skips where the servers of a run cannot be started, and says which."""
    if os.geteuid() != 0:
        pytest.skip("needs root, who alone may start a Docker engine of its own")
    if not any(Path("/usr/lib/postgresql").glob("*/bin/postgres")):
        pytest.skip("needs PostgreSQL's own programs; `make services` installs them")
    for program in ("dockerd", "redis-server"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}; `make services` installs it")


@pytest.mark.docker
@pytest.mark.patient
@pytest.mark.usefixtures("servers_can_be_started")
def test_a_tournament_ends_whatever_dies():
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos", "--small", "--seed", str(SEED)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(source_roots())},
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all held" in done.stdout
