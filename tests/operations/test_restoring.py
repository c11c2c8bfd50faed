"""A backup is restored into an empty database by a process of its own, and replays; what is damaged is refused."""

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from tests import services
from tests.web.upkeep import made
from tests.web.upkeep.made import lines, written

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def site():
    return made.site()


def manage(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command of another process, with a database of its own."""
    wanted = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{ROOT}/platform:{ROOT}",
        "DATA_DIR": str(folder),
        "LOG_LEVEL": "WARNING",
        **environment,
    }
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=wanted, capture_output=True, text=True, check=False)


def test_it_is_restored_into_an_empty_database_and_replays(site, tmp_path):
    path = tmp_path / "site.backup"
    call_command("backup", str(path), stdout=io.StringIO())
    ran = manage("restore", str(path), folder=tmp_path / "other")
    assert ran.returncode == 0, ran.stderr
    assert "cup: 2 rated matches looked at." in ran.stdout
    assert "Everything adds up." in ran.stdout
    # Written again from there, it is the same to the last byte of every row.
    # The keys go on where they were: a new row collides with none.
    code = f"from django.core.management import call_command as c; c('backup', {str(tmp_path / 'again')!r}); \
from tournaments import lifecycle as l; from tournaments.models import Tournament as T; \
print(l.create_round_robin('New').pk > T.objects.get(slug='cup').pk)"
    ran = manage("shell", "-c", code, folder=tmp_path / "other")
    assert "True" in ran.stdout, ran.stderr
    first, second = lines(path.read_bytes()), lines((tmp_path / "again").read_bytes())
    assert first[1:-1] == second[1:-1]
    assert first[-1]["rows"] == second[-1]["rows"]


@pytest.mark.postgres
def test_it_moves_to_another_kind_of_database(site, tmp_path):
    import psycopg
    from psycopg import sql

    url = services.address("TEST_DATABASE_URL")
    name = f"restore_{os.getpid()}"
    path = tmp_path / "site.backup"
    call_command("backup", str(path), stdout=io.StringIO())
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        there = {"DATABASE_URL": f"{url.rpartition('/')[0]}/{name}"}
        ran = manage("restore", str(path), folder=tmp_path / "other", **there)
        assert ran.returncode == 0, ran.stderr
        assert "Everything adds up." in ran.stdout
        code = f"from django.core.management import call_command as c; c('backup', {str(tmp_path / 'again')!r}); \
from tournaments import lifecycle as l; print(l.create_round_robin('New').slug)"
        ran = manage("shell", "-c", code, folder=tmp_path / "other", **there)
        assert "new" in ran.stdout, ran.stderr
        assert lines(path.read_bytes())[1:-1] == lines((tmp_path / "again").read_bytes())[1:-1]
    finally:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


SPOILT = {
    "text": (lambda _: b"no backup", "damaged"),
    "other": (lambda _: gzip.compress(b'{"format":"other/1"}\n'), "no backup of a site"),
    "short": (lambda data: data[: len(data) // 2], "damaged"),
    "changed": (lambda data: gzip.compress(gzip.decompress(data).replace(b"Bot 1", b"Bot 9")), "damaged"),
    "endless": (lambda data: gzip.compress(b"".join(gzip.decompress(data).splitlines(True)[:-1])), "damaged"),
    "newer": (
        lambda data: gzip.compress(gzip.decompress(data).replace(b"0002_organising", b"0002_x")),
        "another version",
    ),
}
READ_ALL = """
import io, json, pathlib, sys
from django.core.management import call_command
from bots.models import Bot
from upkeep import restore
call_command("migrate", verbosity=0)
said = {}
for path in sorted(pathlib.Path(FOLDER).iterdir()):
    try:
        restore.read(io.BytesIO(path.read_bytes()))
    except restore.RestoreError as error:
        said[path.name] = [str(error), Bot.objects.count()]
print("said", json.dumps(said))
"""


def test_what_is_damaged_or_of_another_version_changes_nothing(site, tmp_path):
    data = written()
    spoilt = tmp_path / "spoilt"
    spoilt.mkdir()
    for name, (spoil, _) in SPOILT.items():
        (spoilt / name).write_bytes(spoil(data))
    ran = manage("shell", "-c", READ_ALL.replace("FOLDER", repr(str(spoilt))), folder=tmp_path / "other")
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout.partition("said ")[2])
    assert set(said) == set(SPOILT)
    for name, (_, sentence) in SPOILT.items():
        assert sentence in said[name][0], name
        assert said[name][1] == 0, name
