"""The image's tag follows from everything that goes into the image, and from nothing else."""

import io
import tarfile
from pathlib import Path

import pytest

from sandbox import SandboxError, image_tag
from sandbox.image import ROOT, build, build_context
from sandbox.image.prune import prune_images


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


def test_an_image_that_is_built_again_has_the_packages_of_now(monkeypatch: pytest.MonkeyPatch):
    """Nothing of it comes from what the engine kept of the first time, or no mended package would ever get in."""
    asked = []

    class Engine:
        def images(self, **_which: object) -> list[str]:
            return ["there"]

        def build(self, **options: object) -> list[dict[str, str]]:
            asked.append(options["nocache"])
            return []

        def close(self) -> None:
            pass

    monkeypatch.setattr(build, "connect", lambda _seconds: Engine())
    tag = build.build_image()
    assert asked == []
    assert build.build_image(again=True) == tag
    assert asked == [True]


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


class Engine:
    """As much of an engine's client as tidying up asks for."""

    def __init__(self, named: dict[str, int], nameless: list[str], used: list[str]) -> None:
        self.named, self.nameless, self.used = named, nameless, used
        self.removed: list[str] = []

    def images(self, name: str = "", filters: dict[str, object] | None = None) -> list[dict[str, object]]:
        if filters is not None:
            assert filters == {"dangling": True, "label": "durak-arena.image"}
            return [
                {
                    "Id": identity,
                    "RepoTags": None,
                    "Created": born,
                    "Labels": {"durak-arena.image": identity.split()[0]},
                }
                for born, identity in enumerate(self.nameless)
            ]
        assert name == "durak-arena-bot"
        return [{"Id": f"id {tag}", "RepoTags": [tag], "Created": born} for tag, born in self.named.items()]

    def containers(self, **options: bool) -> list[dict[str, str]]:
        assert options == {"all": True}
        return [{"ImageID": identity} for identity in self.used]

    def remove_image(self, name: str) -> None:
        self.removed.append(name)


def test_images_of_earlier_code_go_and_the_newest_the_needed_and_the_used_stay():
    born = {f"durak-arena-bot:{letter}": number for number, letter in enumerate("abcdef")}
    nameless = ["bot lost", "bot lost but used", "system of yesterday", "system"]
    engine = Engine(born, nameless, ["id durak-arena-bot:b", "bot lost but used"])
    said = prune_images(engine, ["durak-arena-bot:c"], keep=2)
    assert engine.removed == ["durak-arena-bot:d", "durak-arena-bot:a", "system of yesterday", "bot lost"]
    assert said == [f"image {name}" for name in engine.removed]


def test_a_dry_run_removes_no_image():
    engine = Engine({"durak-arena-bot:a": 1}, [], [])
    assert prune_images(engine, keep=0, dry_run=True) == ["image durak-arena-bot:a"]
    assert engine.removed == []
