"""The image's tag follows from everything that goes into the image, and from nothing else."""

import io
import tarfile
from pathlib import Path

import pytest

from sandbox import SandboxError, image_tag
from sandbox.image import ROOT, build_context


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "game/rules").mkdir(parents=True)
    (tmp_path / "game/__init__.py").write_text("")
    (tmp_path / "game/rules/cards.py").write_text("ACE = 14\n")
    return tmp_path


def test_changed_code_means_another_tag(project: Path):
    before = image_tag(["game"], project)
    assert image_tag(["game"], project) == before
    (project / "game/rules/cards.py").write_text("ACE = 1\n")
    assert image_tag(["game"], project) != before


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "game/more.py").write_text(""),
        lambda root: (root / "game/rules/cards.py").rename(root / "game/rules/card.py"),
        lambda root: (root / "game/__init__.py").unlink(),
    ],
)
def test_a_file_more_less_or_renamed_means_another_tag(project: Path, change):
    before = image_tag(["game"], project)
    change(project)
    assert image_tag(["game"], project) != before


def test_what_is_not_baked_in_does_not_matter(project: Path):
    before = image_tag(["game"], project)
    (project / "game/__pycache__").mkdir()
    (project / "game/__pycache__/cards.pyc").write_bytes(b"x")
    (project / "game/README.md").write_text("words")
    (project / "other.py").write_text("")
    assert image_tag(["game"], project) == before


def test_the_context_holds_the_keeper_the_code_and_nothing_else_of_the_house(project: Path):
    with tarfile.open(fileobj=io.BytesIO(build_context(["game/rules"], project))) as archive:
        names = set(archive.getnames())
    assert {"Dockerfile", "code/sandbox/__init__.py", "code/game/rules/cards.py"} <= names
    assert "code/sandbox/keeper/__main__.py" in names
    assert not any(
        name.startswith("code/sandbox/") and "keeper" not in name for name in names - {"code/sandbox/__init__.py"}
    )
    assert build_context(["game/rules"], project) == build_context(["game/rules"], project)


def test_a_missing_package_is_said(project: Path):
    with pytest.raises(SandboxError, match="no_such_package belongs into the bot image"):
        image_tag(["no_such_package"], project)


def test_the_keeper_imports_nothing_of_the_house_but_itself():
    """In the container there is nothing else of it."""
    for path in (ROOT / "sandbox/keeper").glob("*.py"):
        for line in path.read_text().splitlines():
            words = line.split()
            if words[:1] in (["from"], ["import"]) and words[1].startswith(("sandbox", "arena")):
                assert words[1].startswith("sandbox.keeper"), f"{path.name}: {line}"
