"""A backup: of one moment, of everything that matters, for nobody else; and what restoring refuses to do.

That it is restored and replays is tested in tests/operations/test_restoring.py.
"""

import io
import stat

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command

from tests.web import factories
from tests.web.tournaments.made import in_threads
from tests.web.upkeep import made
from tests.web.upkeep.made import lines, written
from tournaments.models import DealSecret, Game, Match
from upkeep import backup, restore
from upkeep.restore import RestoreError

pytestmark = pytest.mark.django_db


@pytest.fixture
def site():
    return made.site()


def test_nobody_else_can_read_it_and_none_is_overwritten(site, tmp_path):
    path = tmp_path / "site.backup"
    call_command("backup", str(path), stdout=io.StringIO())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]
    before = path.read_bytes()
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", str(path))
    assert path.read_bytes() == before
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("backup", str(tmp_path / "nowhere/site.backup"))


def test_what_is_in_it_and_what_is_not(site):
    data = lines(written())
    rows = data[-1]["rows"]
    assert (rows["tournaments.match"], rows["tournaments.game"]) == (Match.objects.count(), Game.objects.count())
    assert Session.objects.exists()
    assert not backup.LEFT_OUT & set(rows), "whoever has the file could use an open session"
    # Said in docs/disaster-recovery.md: the secrets of the deals are in it, or nothing could be proved any more.
    assert rows["tournaments.dealsecret"] == DealSecret.objects.count() > 0


def test_a_command_that_cannot_restore_says_so_in_a_sentence(tmp_path):
    (tmp_path / "site.backup").write_bytes(b"no backup")
    with pytest.raises(CommandError, match="damaged"):
        call_command("restore", str(tmp_path / "site.backup"))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("restore", str(tmp_path / "nothing"))


def test_a_database_with_something_in_it_is_not_overwritten(site):
    with pytest.raises(RestoreError, match="is not empty"):
        restore.read(io.BytesIO(written()))
    assert Match.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_of_one_moment_while_the_site_goes_on():
    """Bots come and go while it is written: the versions in it all have their bots."""
    owner = factories.user()
    for number in range(20):
        factories.bot(owner, f"Old {number}")

    def work(part: int) -> bytes:
        if part == 0:
            return written()
        for number in range(20):
            factories.bot(owner, f"New {part} {number}")
        return b""

    data, *_ = in_threads(work, range(3))
    bots: set[int] = set()
    of: set[int] = set()
    model = ""
    fields: list[str] = []
    for line in lines(data):
        if isinstance(line, dict):
            model, fields = line.get("model", ""), line.get("fields", [])
        elif model == "bots.bot":
            bots.add(line[fields.index("id")])
        elif model == "bots.botversion":
            of.add(line[fields.index("bot_id")])
    assert len(of) >= 20
    assert of <= bots
