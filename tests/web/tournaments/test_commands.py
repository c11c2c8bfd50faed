"""Commands for a live site: each says what it does, does it once however often it runs, and can look first."""

import io
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, load_command_class
from django.utils import timezone

from bots import sandboxes
from sandbox import SandboxError
from tests.web import factories
from tests.web.tournaments.made import begin
from tournaments import lifecycle, queue
from tournaments.models import Entry, Game, Match, RatingPoint, Tournament

pytestmark = pytest.mark.django_db

COMMANDS = ("check_integrity", "recompute_ratings", "requeue", "park", "reap", "verify_records", "ensure_ladder")


def run(*words, **options) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command(*words, stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


@pytest.fixture
def cup():
    return factories.round_robin([factories.bot() for _ in range(4)], "Cup", slug="cup", deals=1)


def states(tournament):
    return list(tournament.matches.order_by("number").values_list("state", flat=True))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does(name):
    command = load_command_class("tournaments", name)
    parser = command.create_parser("manage.py", name)
    assert command.help.endswith(".")
    assert "manage.py" in parser.format_help()
    assert all(action.help for action in parser._actions)


@pytest.mark.parametrize("name", ["recompute_ratings", "requeue", "park", "reap"])
def test_what_changes_something_can_look_first(name):
    parser = load_command_class("tournaments", name).create_parser("manage.py", name)
    assert "--dry-run" in parser.format_help()


@pytest.mark.parametrize(
    "words", [("requeue", "nowhere"), ("verify_records", "nowhere"), ("recompute_ratings", "nowhere")]
)
def test_an_unknown_address_is_a_sentence(words):
    with pytest.raises(CommandError, match="no tournament 'nowhere'"):
        run(*words)


# park and requeue


def test_matches_are_set_aside_and_tried_again(cup):
    out, _ = run("park", "cup", "--match", "2", "3", "--reason", "a sandbox hangs")
    assert "2 matches are set aside." in out
    assert states(cup) == ["queued", "parked", "parked", "queued", "queued", "queued"]
    assert set(cup.matches.filter(state="parked").values_list("error", flat=True)) == {"a sandbox hangs"}
    out, _ = run("requeue", "cup", "--match", "3")
    assert "a sandbox hangs" in out
    assert states(cup) == ["queued", "parked", "queued", "queued", "queued", "queued"]
    assert "1 matches wait again." in run("requeue", "--all")[0]
    assert "0 matches wait again." in run("requeue", "--all")[0]
    assert set(states(cup)) == {"queued"}


def test_looking_first_changes_nothing(cup):
    assert "1 matches would be set aside." in run("park", "cup", "--match", "2", "--reason", "x", "--dry-run")[0]
    assert set(states(cup)) == {"queued"}
    run("park", "cup", "--match", "2", "--reason", "x")
    assert "1 matches would be tried again." in run("requeue", "cup", "--dry-run")[0]
    assert states(cup)[1] == "parked"


def test_what_is_being_played_is_left_alone(cup):
    begin(cup.matches.get(number=2))
    out, err = run("park", "cup", "--match", "2", "--reason", "x")
    assert "not waiting" in err
    assert "0 matches are set aside." in out
    assert states(cup)[1] == "running"


def test_what_was_not_set_aside_is_not_tried_again(cup):
    for words in ((), ("--dry-run",)):
        out, err = run("requeue", "cup", "--match", "1", *words)
        assert "has not been set aside" in err
        assert out.startswith("0 matches")


def test_what_has_ended_is_not_tried_again(cup):
    queue.park(cup.matches.earliest("id"), "by staff")
    factories.play(cup)
    lifecycle.finish(cup)
    assert "0 matches wait again." in run("requeue", "cup")[0]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("requeue",), "Name tournaments, or say --all"),
        (("requeue", "cup", "--all"), "Name tournaments, or say --all"),
        (("requeue", "--all", "--match", "1"), "name one"),
        (("requeue", "cup", "--match", "99"), "no match 99"),
        (("park", "cup", "--reason", "x"), "which matches"),
        (("park", "cup", "--match", "1", "--reason", " "), "Give a reason"),
        (("park", "cup", "--match", "99", "--reason", "x"), "no match 99"),
        (("verify_records", "--match", "1"), "name one"),
    ],
)
def test_what_makes_no_sense_is_a_sentence(cup, words, told):
    with pytest.raises(CommandError, match=told):
        run(*words)
    assert set(states(cup)) == {"queued"}


# reap


@pytest.fixture
def leftovers(settings):
    """A host on which a worker died that ran bots as processes."""
    # The usual folder of a test is too long for a socket's path.
    with tempfile.TemporaryDirectory(prefix="boxes-") as folder:
        settings.SANDBOX, settings.SANDBOX_BOXES = "process", Path(folder)
        sandboxes.close()
        Path(folder, "deadbeef0123").mkdir()
        yield Path(folder)
        sandboxes.close()


def test_reaping_takes_what_the_dead_left_and_nothing_of_the_living(cup, leftovers):
    dead, living = cup.matches.order_by("number")[:2]
    begin(dead, seconds=-1)
    begin(living)
    for _ in range(2):
        out, _ = run("reap", "--dry-run")
        assert "1 leases have run out." in out
        assert "1 leftovers found." in out
        assert states(cup)[:2] == ["running", "running"]
        assert [path.name for path in leftovers.iterdir()] == ["deadbeef0123"]
    out, _ = run("reap")
    assert "host/1 has given no sign" in out
    assert "1 leases taken back." in out
    assert "1 leftovers removed." in out
    assert states(cup)[:2] == ["queued", "running"]
    assert list(leftovers.iterdir()) == []
    assert "0 leases taken back." in run("reap")[0]


def test_reaping_without_an_engine_does_the_leases_and_says_so(cup, monkeypatch):
    def refuse():
        raise SandboxError("The Docker engine does not answer.")

    monkeypatch.setattr(sandboxes, "backend", refuse)
    begin(cup.matches.earliest("id"), seconds=-1)
    with pytest.raises(CommandError, match="--no-sandboxes"):
        run("reap")
    assert states(cup)[0] == "queued"
    run("reap", "--no-sandboxes")


# recompute_ratings and verify_records


def test_ratings_are_looked_at_and_then_set_right(cup):
    factories.play(cup, limit=3)
    before = dict(Entry.objects.values_list("pk", "elo"))
    Entry.objects.filter(pk=min(before)).update(elo=1234.0)
    RatingPoint.objects.earliest("id").delete()
    out, _ = run("recompute_ratings", "cup", "--dry-run")
    assert "cup: 2 differences, left as they are." in out
    assert Entry.objects.get(pk=min(before)).elo == 1234.0
    assert "cup: 2 differences." in run("recompute_ratings", "cup")[0]
    assert dict(Entry.objects.values_list("pk", "elo")) == before
    assert "cup: 0 differences." in run("recompute_ratings", "cup")[0]
    cup.refresh_from_db()
    assert cup.fitted == 3


def test_records_are_replayed_all_or_those_of_a_match(cup):
    factories.play(cup, limit=3)
    assert "cup: 6 games replayed." in run("verify_records")[0]
    Game.objects.filter(match__number=2).update(record=b"?")
    with pytest.raises(CommandError, match="2 games do not hold"):
        run("verify_records", "cup")
    assert "2 games replayed" in run("verify_records", "cup", "--match", "3")[0]
    with pytest.raises(CommandError, match="2 games do not hold"):
        run("verify_records", "cup", "--match", "2")


def test_a_tournament_that_goes_on_meanwhile_confuses_nobody(cup):
    factories.play(cup, limit=2)
    begin(cup.matches.get(number=3))
    Match.objects.filter(number=4).update(retry_at=timezone.now() + timedelta(minutes=1))
    for name in ("check_integrity", "verify_records", "recompute_ratings"):
        run(name)
    assert Tournament.objects.get(pk=cup.pk).state == "running"
    assert states(cup)[2] == "running"
