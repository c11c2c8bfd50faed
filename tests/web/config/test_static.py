"""Static files of a live site: kept by browsers for good, because a changed file has another name."""

import gzip
import json
import re
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.test import override_settings
from django.urls import reverse

from tests.web import factories
from tournaments.models import Game

IMPORT = re.compile(r"""^(?:import|export)\b[^"';]*?["'](\./[^"']+)["']|import\(["'](\./[^"']+)["']\)""", re.MULTILINE)
HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")
MOST_BYTES = 60_000
"""CSS and JavaScript of a page, compressed."""


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """The folder of a live site's static files, without those of the admin."""
    folder = tmp_path_factory.mktemp("static")
    live = {"default": django_settings.STORAGES["default"], "staticfiles": {"BACKEND": "config.storage.HashedStorage"}}
    with override_settings(STATIC_ROOT=str(folder), STORAGES=live, DEBUG=False):
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["admin", "ninja"])
        yield folder


def named(folder: Path, path: str) -> str:
    """The name with a hash of a file."""
    names: dict[str, str] = json.loads((folder / "staticfiles.json").read_text())["paths"]
    return names[path]


def modules(folder: Path, path: str) -> set[str]:
    """A module and all that it imports, by their names with a hash."""
    found: set[str] = set()
    waiting = [path]
    while waiting:
        here = waiting.pop()
        if here in found:
            continue
        found.add(here)
        for groups in IMPORT.findall((folder / here).read_text()):
            target = (folder / here).parent / "".join(groups)
            waiting.append(str(target.resolve().relative_to(folder.resolve())))
    return found


def test_a_module_imports_modules_under_names_that_change_with_them(collected):
    found = modules(collected, named(collected, "replay.js"))
    assert len(found) >= 8
    assert [name for name in found if not HASHED.search(name)] == []


def test_so_does_every_module_of_ours(collected):
    ours = {path.name for path in (django_settings.PLATFORM_DIR / "static").glob("*.js")}
    assert ours
    for name in ours:
        assert [found for found in modules(collected, named(collected, name)) if not HASHED.search(found)] == []


@pytest.mark.django_db
def test_the_styles_and_scripts_of_a_page_are_small(collected, client):
    cup = factories.round_robin([factories.bot(), factories.bot()], "Cup")
    factories.play(cup)
    game = reverse("replays:game", args=[Game.objects.earliest("pk").pk])
    for page in ("/", game, cup.get_absolute_url(), "/api/"):
        shown = client.get(page).content.decode()
        files: set[str] = set()
        for address in re.findall(r'(?:src|href)="/static/([^"]+\.(?:js|css))"', shown):
            files |= modules(collected, address) if address.endswith(".js") else {address}
        assert files
        total = sum(len(gzip.compress((collected / file).read_bytes())) for file in files)
        assert total < MOST_BYTES, (page, total)
