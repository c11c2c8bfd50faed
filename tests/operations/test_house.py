"""The guard: rules of the house that no tool checks, and whose breach would show up somewhere else entirely."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLATFORM = ROOT / "platform"
APPS = ("config", "upkeep", "accounts", "bots", "tournaments", "replays", "pages", "api")


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


def test_no_package_in_platform_hides_a_module_of_the_standard_library():
    """A folder without Python in it (`locale/`) hides nothing: the import system prefers the real module."""
    packages = {path.relative_to(PLATFORM).parts[0] for path in PLATFORM.rglob("*.py")}
    assert packages & set(sys.stdlib_module_names) == set()


@pytest.mark.parametrize("name", APPS)
def test_an_app_is_a_package_that_the_arrows_know(name):
    assert (PLATFORM / name / "__init__.py").exists()
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert name in linter["root_packages"]


def test_no_test_folder_is_named_like_a_source_root():
    assert not {"platform", "site"} & {path.name for path in (ROOT / "tests").iterdir()}


def test_every_source_folder_says_what_it_is_for():
    """Inside an app (models, migrations, commands) the app's own README speaks."""
    patterns = (":(glob)arena/**/*.py", ":(glob)sandbox/**/*.py", ":(glob)platform/*/*.py", ":(glob)tests/*/*.py")
    packages = {path.parent for path in tracked(*patterns)}
    assert [str(path.relative_to(ROOT)) for path in sorted(packages) if not (path / "README.md").exists()] == []


def test_every_requirement_is_pinned_and_says_what_for():
    for path in (ROOT / "requirements.txt", ROOT / "tests/requirements.txt"):
        for line in path.read_text().splitlines():
            if line and not line.startswith(("#", "-r ")):
                requirement, _, reason = line.partition("#")
                assert "==" in requirement, line
                assert reason.strip(), line
