"""The catalogs of `platform/locale/`: what the site says is collected, merged with its translations, and compiled.

The sources are read from a copy, since the extraction leaves files beside the templates while it works.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from arena import archive
from arena.replay import ASSETS
from pages.management import po

PROGRAMS = ("xgettext", "msgmerge", "msgattrib", "msgfmt", "msggrep")

LANGUAGES = tuple(code for code, _ in settings.LANGUAGES if code != "en")
"""The languages that have a catalog; English is what the sources are written in."""
OVERRIDDEN = (*LANGUAGES, "en")
"""The languages in which the site says something otherwise than the packages do that it is made of."""

# The file where a message stands but not the line, and no folding: a catalog changes only where its words do.
LAYOUT = ("--no-wrap", "--add-location=file")

MARKED = (Path(archive.__file__),)
"""Modules beside the site that mark sentences for it (`gettext_noop`): why an upload is refused."""

SHORT_WORDS = {"pl": re.compile(r"(?<![\w%({\\])([aiouwz]) (?=\S)", re.IGNORECASE)}
"""Words of one letter that a language's printers never leave at the end of a line."""
TRANSLATION = re.compile(r'^msgstr.*(?:\n".*)*', re.MULTILINE)


class CatalogError(Exception):
    """The catalogs could not be made; the message says what to do."""


def missing_programs() -> list[str]:
    """The programs of GNU gettext that this machine lacks."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


def folder() -> Path:
    """Where the catalogs are."""
    return Path(settings.BASE_DIR, "platform", "locale")


def source(language: str) -> Path:
    """The translations into a language, as people write them."""
    return folder() / language / "LC_MESSAGES" / "django.po"


def overrides(language: str) -> Path:
    """What Django and allauth say, where the site says it otherwise. Nothing is collected into this catalog."""
    return folder() / "packages" / language / "LC_MESSAGES" / "django.po"


def replays(language: str) -> Path:
    """What a replay says, for the command line, which comes without the site: a part of the catalog, compiled."""
    return ASSETS.parent / "locale" / language / "LC_MESSAGES" / "replay.mo"


def compiled(path: Path) -> Path:
    """A catalog as the site reads it."""
    return path.with_suffix(".mo")


def extract(target: Path) -> None:
    """Collect every message of the site's Python and templates, of replays and of `MARKED` into one template file.

    Raises:
        CatalogError: gettext is not installed, or a source cannot be read.
    """
    if lacking := missing_programs():
        raise CatalogError(f"This needs {', '.join(lacking)}. On Debian install them with: apt-get install gettext")
    with tempfile.TemporaryDirectory(prefix="messages-") as place:
        root = Path(place)
        for app in _apps():
            shutil.copytree(app, root / app.name, ignore=shutil.ignore_patterns("__pycache__", "migrations", "locale"))
        for module in MARKED:
            shutil.copy(module, root / module.name)
        (root / "locale").mkdir()
        # Without settings: with them Django would write to the real catalogs.
        environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        command = [sys.executable, "-m", "django", "makemessages", "--all", "--keep-pot", *LAYOUT]
        _run(command, cwd=root, env=environment)
        lines = (root / "locale" / "django.pot").read_text(encoding="utf-8").splitlines(keepends=True)
        target.write_text("".join(line for line in lines if "POT-Creation-Date" not in line), encoding="utf-8")


def merge(template: Path, language: str) -> None:
    """Bring a catalog up to a template: new messages wait untranslated, and those that the site no longer says go.

    A message that was worded anew counts as new. Guesses are not made: one that is missed would be shown to readers.
    """
    path = source(language)
    _run(["msgmerge", "--quiet", "--update", "--backup=none", "--no-fuzzy-matching", *LAYOUT, str(path), str(template)])
    _run(["msgattrib", "--no-obsolete", *LAYOUT, "--output-file", str(path), str(path)])


def join_short_words(path: Path, language: str) -> None:
    """Put a no-break space behind each word of one letter in a catalog, where its language asks for that.

    Here and not by the translators, who could not see whether they forgot one.
    """
    if rule := SHORT_WORDS.get(language):
        joined = TRANSLATION.sub(lambda one: rule.sub("\\1\u00a0", one[0]), path.read_text(encoding="utf-8"))
        path.write_text(joined, encoding="utf-8")


def compile_catalog(path: Path) -> None:
    """Make the file that the site reads.

    Raises:
        CatalogError: a translation cannot be used, for instance since a placeholder is missing.
    """
    _run(["msgfmt", "--check-format", "--output-file", str(compiled(path)), str(path)])


def compile_replays(language: str) -> None:
    """Make the part of a catalog that replays need."""
    target = replays(language)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="messages-") as place:
        part = Path(place, "replay.po")
        names = [f"--location={ASSETS.parent.name}/{name}" for name in ("words.py", "interface.py")]
        _run(["msggrep", *names, "--output-file", str(part), str(source(language))])
        _run(["msgfmt", "--output-file", str(target), str(part)])


def untranslated(language: str) -> list[str]:
    """The messages of a catalog that have no translation yet, in English."""
    return [message.id for message in po.read(source(language)) if not message.is_translated]


def _apps() -> Iterator[Path]:
    platform = Path(settings.BASE_DIR, "platform")
    yield from (path.parent for path in sorted(platform.glob("*/__init__.py")))
    yield platform / "templates"
    yield ASSETS.parent


def _run(command: list[str], cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CatalogError(f"{Path(command[0]).name} says: {(done.stderr or done.stdout).strip()}")
