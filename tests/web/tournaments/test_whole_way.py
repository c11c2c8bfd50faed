"""The whole way of a bot, through the tasks that a worker runs, with real bots in real sandboxes."""

import pytest
from django.core.management import call_command

from arena.samples import SAMPLES
from bots import sandboxes
from bots.models import BotVersion
from bots.services import create_bot, current_version, submit_version
from bots.tasks import check_version
from tests.web import factories
from tournaments import integrity, lifecycle, standings
from tournaments.models import Match, Tournament
from tournaments.sweep import sweep
from tournaments.tasks import play_match

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["process", pytest.param("docker", marks=pytest.mark.docker)])
def real_sandboxes(request, settings):
    sandboxes.close()
    settings.SANDBOX = request.param
    settings.LADDER_DEALS = 1
    yield
    sandboxes.close()


def upload(name: str, sample: str) -> BotVersion:
    bot = create_bot(factories.user(), name)
    return submit_version(bot, "bot.py", SAMPLES[sample].files.files["bot.py"])


def test_from_uploads_to_a_finished_table(real_sandboxes, announced, capsys):
    versions = [upload(sample.title(), sample) for sample in ("random", "lowest", "thrifty")]
    for version in versions:
        check_version(version.pk)
        version.refresh_from_db()
        assert (version.state, version.fault) == ("ready", "")

    tournament = lifecycle.open_entries(lifecycle.create_round_robin("Trial", deals=2))
    for version in versions:
        lifecycle.enter(tournament, version.bot)
    lifecycle.start(tournament)
    sweep()
    for match_id in announced("tournaments.tasks.play_match"):
        play_match(match_id)
    sweep()

    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    assert standings.progress(tournament).finished == 3
    table = standings.table(tournament)
    assert [line.games for line in table] == [8, 8, 8]
    assert sum(line.elo for line in table) == 4500
    assert all(line.low < line.rating < line.high for line in table)
    assert table[-1].bot_name == "Random"
    assert list(integrity.check_tournament(tournament)) == []

    # The sweep put the same bots on the ladder, and their matches there were announced as well.
    ladder = Tournament.objects.get(slug="ladder")
    assert Match.objects.filter(tournament=ladder, state="finished").count() == 3
    call_command("check_integrity")
    assert "Everything adds up." in capsys.readouterr().out


def test_a_bot_that_cannot_be_loaded_is_told_file_and_line_and_changes_nothing(real_sandboxes, announced):
    good = upload("Twice", "lowest")
    check_version(good.pk)
    bad = submit_version(good.bot, "bot.py", b"from arena import Bot\n\nclass Mine(Bot:\n    pass\n")
    check_version(bad.pk)
    bad.refresh_from_db()
    assert bad.state == BotVersion.State.REJECTED
    assert (bad.report["stage"], bad.report["reason"]) == ("load", "load")
    assert (bad.report["file"], bad.report["line"]) == ("bot.py", 3)
    good.bot.refresh_from_db()
    assert current_version(good.bot) == good
