"""docs/settings.md says what the code reads: nothing more, nothing less."""

import re
import subprocess
import sys
from pathlib import Path

from config import described, settings

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/settings.md"
OUTSIDE = {
    "DJANGO_SETTINGS_MODULE": "says which settings these are",
    "DOCKER_HOST": "the Docker client's, which finds the engine by it",
    "DOCKER_TLS_VERIFY": "the same",
    "DISPLAY": "the desktop's, asked by the demo",
    "WAYLAND_DISPLAY": "the desktop's, asked by the demo",
    "ARENA_SITE": "of the command line of authors",
    "ARENA_TOKEN": "of the command line of authors",
    "SANDBOX_BOXES": "a setting, which `python -m sandbox`, that knows no site, takes as it stands",
    "SANDBOX_RUNTIME": "the same",
}
"""Variables that are read past the settings, most of them since they are none."""


def test_the_page_is_what_the_settings_say_of_themselves():
    code = "from config import described, settings; print(described.page(), end='')"
    made = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}/platform:{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert PAGE.read_text() == made, "run `make settings-page`"


def test_every_variable_has_a_meaning_and_a_section():
    assert len(settings.VARIABLES) > 30
    for variable in settings.VARIABLES.values():
        assert variable.meaning.endswith("."), variable
        assert variable.section, variable


def test_no_variable_is_read_past_the_helpers():
    """`os.environ["NAME"]` anywhere else would be a setting that nobody checks and no page names."""
    found = set()
    for folder in ("platform", "sandbox", "arena"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text()
            found |= set(re.findall(r"""environ(?:\.get\(|\.setdefault\(|\[)\s*["'](\w+)""", text))
            found |= set(re.findall(r"""getenv\(\s*["'](\w+)""", text))
    assert found - set(OUTSIDE) == set()
    assert set(OUTSIDE) - found == set(), "no longer read"


def test_defaults_are_shown_and_secrets_marked():
    page = described.page(settings.VARIABLES)
    assert "| `EMAIL_PORT` | `587` |" in page
    assert "| `SECRET_KEY` ✱ | none |" in page
    assert "| `DATABASE_URL` ✱ | SQLite in DATA_DIR |" in page
