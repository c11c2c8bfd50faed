"""The package as an author installs it: `arena` and `sandbox` with all that they need, no Django, types included."""

import importlib.metadata
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.patient

ROOT = Path(__file__).resolve().parents[2]

BOT = """from arena import Bot, Card, GameInfo, Move, View


class Typed(Bot):
    def __init__(self, game: GameInfo) -> None:
        super().__init__(game)
        self.trumps: list[Card] = []

    def act(self, view: View) -> Move:
        self.trumps = [card for card in view.hand if card.suit == view.trump]
        return view.legal[0]
"""

ALONE = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top != "arena":
            raise ModuleNotFoundError(f"a bot must do without {name}", name=name)

sys.meta_path.insert(0, Refuse())
sys.path.insert(0, sys.argv[1])
from arena import Bot, Card, GameInfo, Move, View
import arena.bot.host, arena.durak, arena.replay.frames, arena.replay.page
print(arena.__file__)
"""


def needed(name, extras=()):
    """The distributions that one needs, itself among them, as they are installed here."""
    found, waiting = {}, [(canonicalize_name(name), frozenset(extras))]
    while waiting:
        name, wanted = waiting.pop()
        if name in found:
            continue
        found[name] = importlib.metadata.distribution(name)
        for line in found[name].requires or ():
            requirement = Requirement(line)
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in wanted | {""}):
                waiting.append((canonicalize_name(requirement.name), frozenset(requirement.extras)))
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this tree, built away from it so that nothing is left in it."""
    place = tmp_path_factory.mktemp("package")
    source = place / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    for name in ("arena", "sandbox"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    subprocess.run([*command, "--wheel-dir", place, source], check=True)
    (made,) = place.glob("durak_arena-*.whl")
    return made


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """A Python with the wheel and with nothing but what it says that it needs."""
    home = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(home), "platbase": str(home)}))
    command = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--quiet", wheel]
    subprocess.run(command, check=True)
    (metadata,) = importlib.metadata.distributions(path=[str(site)])
    for line in metadata.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None:
            for one in needed(requirement.name).values():
                assert requirement.name != one.name or one.version in requirement.specifier
                for top in {file.parts[0] for file in one.files if file.parts[0] != ".."}:
                    if not (site / top).exists():
                        (site / top).symlink_to(one.locate_file(top))
    return python


def call(*command, cwd=None):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_two_packages_whole(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if not name.startswith("durak_arena-")}
    tracked = subprocess.run(
        ["git", "ls-files", "arena", "sandbox"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert {name.split("/")[0] for name in packed} == {"arena", "sandbox"}
    assert {name for name in tracked if (ROOT / name).exists()} <= packed
    assert {"arena/py.typed", "sandbox/py.typed"} <= packed


def test_a_bot_needs_the_standard_library_alone(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    told = call(sys.executable, "-I", "-S", "-c", ALONE, tmp_path)
    assert told.strip() == str(tmp_path / "arena" / "__init__.py")


def test_no_web_comes_with_it(python):
    told = call(
        python, "-I", "-c", "import importlib.util as u; print([bool(u.find_spec(n)) for n in ('django', 'arena')])"
    )
    assert told.strip() == "[False, True]"


def test_the_commands_work_where_it_is_installed(python, tmp_path):
    arena = [python.parent / "arena"]
    call(*arena, "new", "mybot", cwd=tmp_path)
    assert "passed" in call(*arena, "check", "mybot", "--backend", "process", cwd=tmp_path)
    call(*arena, "play", "mybot", "random", "-d", 1, "--records", "g", "--backend", "process", cwd=tmp_path)
    call(*arena, "verify", "g/0-0.json", cwd=tmp_path)
    call(*arena, "replay", "g/0-0.json", "--no-browser", "--language", "pl", cwd=tmp_path)
    assert "Podkidnoy" in call(python, "-m", "arena", "rules", "podkidnoy", cwd=tmp_path)
    assert "thrifty" in call(python, "-m", "arena", "samples", cwd=tmp_path)
    assert re.search(r"build\b", call(python, "-m", "sandbox", "--help", cwd=tmp_path))


def test_an_editor_knows_the_types(python, tmp_path):
    """`mypy --strict` on a bot, with the installed package instead of this tree."""
    (tmp_path / "bot.py").write_text(BOT)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--config-file=", "--python-executable"]
    assert "no issues" in call(*command, python, "bot.py", cwd=tmp_path)
    (tmp_path / "wrong.py").write_text(BOT.replace("view.legal[0]", "view.legal"))
    done = subprocess.run([*command, python, "wrong.py"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert "Incompatible return value" in done.stdout
