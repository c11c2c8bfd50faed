"""`--require all`: in CI a missing service, or any other skip, is a failure that says why."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MARKERS = "docker: x\n postgres: x\n redis: x\n chromium: x\n alone: x"


@pytest.fixture
def outcome(tmp_path):
    """Runs a test file's text under the project's conftest, with no Redis server in reach."""
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nmarkers =\n {MARKERS}\n")

    def run(text: str, *options: str) -> tuple[int, str]:
        (tmp_path / "test_it.py").write_text("import pytest\n" + text)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:django", "-p", "tests.conftest", *options],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": f"{ROOT}/platform:{ROOT}", "TEST_REDIS_URL": "redis://127.0.0.1:1/0"},
            capture_output=True,
            text=True,
            timeout=60,
        )
        return done.returncode, done.stdout

    return run


NEEDS_REDIS = "@pytest.mark.redis\ndef test_it(): pass\n"
SKIPS = "def test_it(): pytest.skip('too tired')\n"
SKIPS_THE_FILE = "pytest.skip('not today', allow_module_level=True)\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [(NEEDS_REDIS, "no Redis server answers"), (SKIPS, "too tired"), (SKIPS_THE_FILE, "not today")],
)
def test_a_skip_names_its_reason_and_is_a_failure_where_all_is_required(outcome, text, reason):
    status, output = outcome(text, "--require", "")
    assert status in {0, 5}, output
    assert "1 skipped" in output
    assert reason in output
    status, output = outcome(text, "--require", "all")
    assert status in {1, 2}, output
    assert "skipped" not in output.splitlines()[-1]
    assert reason in output


def test_an_expected_failure_is_no_skip(outcome):
    status, output = outcome("@pytest.mark.xfail\ndef test_it(): assert False\n", "--require", "all")
    assert status == 0, output
    assert "1 xfailed" in output
