"""The guard: rules of the house that no tool checks, and whose breach would show up somewhere else entirely."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLATFORM = ROOT / "platform"
APPS = ("config", "accounts", "bots", "tournaments", "replays", "pages", "api")


def tracked(*patterns: str) -> list[Path]:
    """The files that git knows, by pattern."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def test_platform_is_a_plain_folder_and_no_package():
    """A package of that name would hide the standard library's `platform` from uuid, Django, Celery and mypy."""
    assert list(PLATFORM.glob("*.py")) == []


def test_platform_means_the_standard_library_for_everybody():
    code = "import platform, uuid, django; print(platform.python_version())"
    for folder in (ROOT, PLATFORM):
        shown = subprocess.run(
            [sys.executable, "-c", code],
            cwd=folder,
            env={"PYTHONPATH": f"{PLATFORM}:{ROOT}"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert shown.stdout.strip() == sys.version.split()[0]


@pytest.mark.parametrize("name", sorted(path.name for path in PLATFORM.iterdir()))
def test_a_child_of_platform_hides_no_module_of_the_standard_library(name):
    assert name not in sys.stdlib_module_names


@pytest.mark.parametrize("name", APPS)
def test_an_app_is_a_package_that_the_arrows_know(name):
    assert (PLATFORM / name / "__init__.py").exists()
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert name in linter["root_packages"]


def test_no_test_folder_is_named_like_a_source_root():
    assert not {"platform", "site"} & {path.name for path in (ROOT / "tests").iterdir()}


def test_every_source_folder_says_what_it_is_for():
    packages = {path.parent for path in tracked("arena/**/*.py", "sandbox/**/*.py", "platform/*/*.py")}
    packages = {path for path in packages if not {"migrations", "management", "commands"} & set(path.parts)}
    assert [str(path.relative_to(ROOT)) for path in sorted(packages) if not (path / "README.md").exists()] == []


def test_every_requirement_is_pinned_and_says_what_for():
    for path in (ROOT / "requirements.txt", ROOT / "tests/requirements.txt"):
        for line in path.read_text().splitlines():
            if line and not line.startswith(("#", "-r ")):
                requirement, _, reason = line.partition("#")
                assert "==" in requirement, line
                assert reason.strip(), line
