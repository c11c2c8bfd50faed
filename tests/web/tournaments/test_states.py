"""Everything that can be done to a tournament, in every state: what is written down happens, and nothing else."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.durak import PRESETS
from arena.limits import Limits
from tests.web import factories
from tests.web.tournaments.made import STATES, tournament_in
from tournaments import dates, entering, lifecycle, organising, pausing, verification
from tournaments.lifecycle import ALLOWED, LifecycleError
from tournaments.models import Tournament
from tournaments.organising import Entrance
from tournaments.sweep import sweep

pytestmark = pytest.mark.django_db


def change(tournament, **play):
    organising.change(tournament, name="Other", description="", entrance=Entrance(bots_a_user=7), **play)


def change_play(tournament):
    change(tournament, play={"ruleset": PRESETS["podkidnoy"], "players": 3, "deals": 4, "limits": Limits()})


def enter_own(tournament):
    bot = factories.bot()
    entering.enter_own(tournament, bot, bot.owner)


ACTIONS = {
    "enter": (lambda one: lifecycle.enter(one, factories.bot()), "enter"),
    "enter by its owner": (enter_own, "enter"),
    "enter by the organiser": (lambda one: organising.enter_bots(one, [factories.bot()]), "enter"),
    "withdraw": (lambda one: lifecycle.withdraw(one.entries.earliest("id")), "leave"),
    "disqualify": (lambda one: lifecycle.disqualify(one.entries.earliest("id"), "two accounts"), "leave"),
    "pause": (pausing.pause, "pause"),
    "resume": (pausing.resume, "resume"),
    "change words": (change, "change words"),
    "change play": (change_play, "change play"),
    "verify": (verification.ask, "verify"),
}


def snapshot(tournament: Tournament) -> object:
    """All that anybody could have changed."""
    fields = [field.attname for field in Tournament._meta.concrete_fields]
    matches = tournament.matches.order_by("id").values_list("state", "round", "number")
    entries = tournament.entries.order_by("id").values_list("state", "reason", "version_id", "bot_id")
    one = Tournament.objects.values_list(*fields).get(pk=tournament.pk)
    return one, list(matches), list(entries)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", ACTIONS)
def test_every_action_in_every_state(state, name):
    act, allowed = ACTIONS[name]
    tournament = tournament_in(state)
    before = snapshot(tournament)
    if state in ALLOWED[allowed]:
        act(tournament)
    else:
        with pytest.raises(LifecycleError):
            act(tournament)
        assert snapshot(tournament) == before
    tournament.refresh_from_db()
    assert tournament.state == state


def test_every_action_that_is_written_down_is_tried():
    assert {allowed for _, allowed in ACTIONS.values()} | {"change entrance"} == set(ALLOWED)
    assert all(states <= set(STATES) for states in ALLOWED.values())


@pytest.mark.parametrize("state", STATES)
def test_the_entrance_changes_until_the_start_and_is_kept_after_it(state):
    tournament = tournament_in(state)
    change(tournament)
    tournament.refresh_from_db()
    assert tournament.bots_a_user == (7 if state in ALLOWED["change entrance"] else 1)


# ---------------------------------------------------------------------------------------------------------------------
# By the clock


@pytest.mark.parametrize("state", STATES)
def test_a_date_starts_what_is_open_and_nothing_else(state):
    tournament = tournament_in(state)
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now() - timedelta(seconds=1))
    before = snapshot(tournament)
    assert dates.start_due() == (1 if state == "open" else 0)
    tournament.refresh_from_db()
    if state == "open":
        assert (tournament.state, tournament.matches.count()) == ("running", 3)
    else:
        assert snapshot(tournament) == before


def test_a_tournament_starts_at_its_date_and_not_before():
    tournament = tournament_in("open")
    date = timezone.now() + timedelta(hours=1)
    organising.change(tournament, name="Cup", description="", entrance=Entrance(starts_at=date))
    assert dates.start_due(date - timedelta(seconds=1)) == 0
    assert dates.start_due(date) == 1
    assert dates.start_due(date) == 0


def test_the_sweep_starts_what_is_due():
    tournament = tournament_in("open")
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now())
    sweep()
    tournament.refresh_from_db()
    assert tournament.state == "running"


def test_a_start_for_which_bots_are_missing_is_missed_once_and_told(caplog):
    tournament = lifecycle.open_entries(lifecycle.create_round_robin("Cup"))
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now() - timedelta(hours=1))
    for _ in range(2):
        assert dates.start_due() == 0
    tournament.refresh_from_db()
    assert (tournament.state, tournament.matches.count()) == ("open", 0)
    assert tournament.start_missed_at is not None
    assert caplog.text.count("start_missed") == 1
    # Bots that come later do not start it behind the organiser's back; a new date does.
    for _ in range(2):
        lifecycle.enter(tournament, factories.bot())
    assert dates.start_due() == 0
    later = timezone.now() + timedelta(hours=1)
    organising.change(tournament, name="Cup", description="", entrance=Entrance(starts_at=later))
    assert dates.start_due(later) == 1


@pytest.mark.parametrize("bots", [3, 0])
def test_a_date_that_is_changed_while_another_tournament_is_started_holds(monkeypatch, bots):
    def start(tournament):
        if tournament.pk == first.pk:
            organising.change(cup, name="Cup", description="", entrance=Entrance(starts_at=later))
        return start_it(tournament)

    now, start_it = timezone.now(), lifecycle.start
    later = now + timedelta(hours=1)
    first = tournament_in("open")
    cup = tournament_in("open") if bots else lifecycle.open_entries(lifecycle.create_round_robin("Cup"))
    Tournament.objects.update(starts_at=now)
    monkeypatch.setattr(lifecycle, "start", start)
    assert dates.start_due(now) == 1
    cup.refresh_from_db()
    assert (cup.state, cup.starts_at, cup.start_missed_at) == ("open", later, None)


def test_a_draft_whose_start_has_passed_is_not_opened():
    tournament = tournament_in("draft")
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now() - timedelta(hours=1))
    with pytest.raises(LifecycleError, match="has passed"):
        lifecycle.open_entries(tournament)


def test_entries_open_and_close_by_the_clock_alone():
    tournament, hour = tournament_in("open"), timedelta(hours=1)
    now = timezone.now()
    for opens, closes, is_open in ((now + hour, None, False), (now - hour, now + hour, True), (None, now, False)):
        Tournament.objects.filter(pk=tournament.pk).update(opens_at=opens, closes_at=closes)
        tournament.refresh_from_db()
        assert (entering.closed_to_authors(tournament) == "") == is_open
