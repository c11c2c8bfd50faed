"""The life of a tournament and of its entries."""

import pytest
from django.utils import timezone

from arena.durak import RulesetError
from arena.limits import Limits
from bots.services import pick_version
from tests.web import factories
from tests.web.tournaments.made import STATES, begin, in_threads, tournament_in, won_by
from tournaments import lifecycle, queue, results
from tournaments.lifecycle import LifecycleError
from tournaments.models import DealSecret, Entry, Match, Tournament

pytestmark = pytest.mark.django_db

STEPS = {
    "open": (lifecycle.open_entries, {"draft": "open"}),
    "start": (lifecycle.start, {"open": "running"}),
    "cancel": (lifecycle.cancel, {"draft": "cancelled", "open": "cancelled", "running": "cancelled"}),
    "finish": (lifecycle.finish, {"running": "finished"}),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", STEPS)
def test_every_step_from_every_state(state, name):
    step, leads = STEPS[name]
    tournament = tournament_in(state)
    if (state, name) == ("running", "finish"):
        factories.play(tournament)
    if state in leads:
        step(tournament)
    else:
        with pytest.raises(LifecycleError):
            step(tournament)
    tournament.refresh_from_db()
    assert tournament.state == leads.get(state, state)


def test_the_transitions_written_down_are_those_that_steps_make():
    made = {(state, target) for _, leads in STEPS.values() for state, target in leads.items()}
    assert made == {(state, target) for state, targets in lifecycle.TRANSITIONS.items() for target in targets}


@pytest.mark.parametrize("state", STATES)
def test_bots_enter_only_while_it_is_open(state):
    tournament, bot = tournament_in(state), factories.bot()
    if state == "open":
        assert lifecycle.enter(tournament, bot).state == "active"
    else:
        with pytest.raises(LifecycleError, match="not open"):
            lifecycle.enter(tournament, bot)


def test_entering_twice_is_as_good_as_once():
    tournament, bot = tournament_in("open"), factories.bot()
    assert lifecycle.enter(tournament, bot) == lifecycle.enter(tournament, bot)
    assert Entry.objects.filter(tournament=tournament, bot=bot).count() == 1


def test_a_bot_without_a_version_that_is_ready_cannot_enter():
    with pytest.raises(LifecycleError, match="passed its check"):
        lifecycle.enter(tournament_in("open"), factories.bot(ready=False))


def test_who_withdrew_may_enter_again_and_who_was_disqualified_may_not():
    tournament, bot = tournament_in("open"), factories.bot()
    lifecycle.withdraw(lifecycle.enter(tournament, bot))
    entry = lifecycle.enter(tournament, bot)
    assert entry.state == "active"
    lifecycle.disqualify(entry, "two accounts")
    with pytest.raises(LifecycleError, match="disqualified"):
        lifecycle.enter(tournament, bot)


def test_the_start_freezes_entries_to_their_current_versions_and_plans_everything():
    tournament = tournament_in("open")
    entry = Entry.objects.earliest("id")
    newer = factories.version(entry.bot)
    started = lifecycle.start(tournament)
    entry.refresh_from_db()
    assert entry.version == newer
    assert started.started_at is not None
    assert Match.objects.filter(tournament=tournament, state="queued").count() == 3
    assert set(entry.seats.values_list("version_id", flat=True)) == {newer.pk}
    factories.version(entry.bot)
    entry.refresh_from_db()
    assert entry.version == newer


def test_a_tournament_with_too_few_entries_does_not_start():
    tournament = lifecycle.open_entries(lifecycle.create_round_robin("Cup", players=3))
    for _ in range(2):
        lifecycle.enter(tournament, factories.bot())
    with pytest.raises(LifecycleError, match="table of 3"):
        lifecycle.start(tournament)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.matches.count()) == ("open", 0)


def test_a_tournament_with_open_matches_does_not_finish():
    tournament = tournament_in("running")
    factories.play(tournament, limit=2)
    with pytest.raises(LifecycleError, match="still has matches"):
        lifecycle.finish(tournament)


def test_a_tournament_finishes_around_a_parked_match():
    tournament = tournament_in("running")
    queue.park(tournament.matches.earliest("id"), "by staff")
    factories.play(tournament)
    assert lifecycle.finish(tournament).state == "finished"


def test_the_secret_is_public_from_the_end_and_not_before():
    tournament = tournament_in("running")
    secret = DealSecret.objects.get(tournament=tournament)
    assert (len(secret.commitment), secret.revealed_at) == (64, None)
    factories.play(tournament)
    lifecycle.finish(tournament)
    secret.refresh_from_db()
    assert secret.revealed_at <= timezone.now()


def test_cancelling_keeps_what_was_played_and_drops_what_is_being_played():
    tournament = tournament_in("running")
    first, second, third = tournament.matches.order_by("id")
    begin(first)
    results.record(first.pk, 1, won_by(0, first))
    begin(second)
    lifecycle.cancel(tournament)
    assert not results.record(second.pk, 1, won_by(0, second))
    states = tournament.matches.order_by("id").values_list("state", flat=True)
    assert list(states) == ["finished", "cancelled", "cancelled"]
    assert third.games.count() == 0


def test_who_leaves_keeps_his_results_and_plays_no_more():
    tournament = tournament_in("running")
    factories.play(tournament, limit=1)
    entry = tournament.matches.earliest("id").seats.get(index=0).entry
    left = lifecycle.disqualify(entry, "two accounts")
    assert (left.state, left.reason, left.matches) == ("disqualified", "two accounts", 1)
    assert set(entry.seats.values_list("match__state", flat=True)) == {"finished", "cancelled"}
    assert Match.objects.filter(tournament=tournament, state="queued").count() == 1
    with pytest.raises(LifecycleError):
        lifecycle.withdraw(entry)


def test_rules_that_cannot_be_played_by_so_many_are_refused():
    with pytest.raises(RulesetError):
        lifecycle.create_round_robin("Cup", ruleset="pairs", players=3)
    assert Tournament.objects.count() == 0


def test_tournaments_of_one_name_have_addresses_of_their_own():
    made = [lifecycle.create_round_robin("Весенний кубок").slug for _ in range(2)]
    assert made == ["vesenniy-kubok", "vesenniy-kubok-2"]


def test_limits_are_kept_as_they_were_given():
    tournament = lifecycle.create_round_robin("Cup", limits=Limits(bank=3.0))
    tournament.refresh_from_db()
    assert Limits.from_json(tournament.limits) == Limits(bank=3.0)


@pytest.mark.django_db(transaction=True)
def test_a_start_that_is_pressed_by_many_plans_once():
    tournament = tournament_in("open")

    def press(_):
        try:
            return lifecycle.start(tournament).state
        except LifecycleError:
            return None

    assert sorted(in_threads(press, range(4)), key=str) == [None, None, None, "running"]
    assert tournament.matches.count() == 3


# ---------------------------------------------------------------------------------------------------------------------
# The ladder


def current(bot):
    return bot.versions.filter(state="ready").latest("number")


def test_there_is_one_ladder_and_it_runs():
    assert lifecycle.ensure_ladder() == lifecycle.ensure_ladder()
    assert lifecycle.ensure_ladder().state == "running"


def test_a_newcomer_plays_everyone_who_is_in():
    ladder, bots = lifecycle.ensure_ladder(), [factories.bot() for _ in range(4)]
    for bot in bots:
        lifecycle.join_ladder(ladder, current(bot))
    assert ladder.matches.count() == 6
    pairs = {frozenset(match.seats.values_list("entry__bot", flat=True)) for match in ladder.matches.all()}
    assert len(pairs) == 6
    assert lifecycle.join_ladder(ladder, current(bots[0])) is None
    assert ladder.matches.count() == 6


def test_a_newer_version_takes_the_place_of_the_old_one_and_leaves_its_results():
    ladder, bots = lifecycle.ensure_ladder(), [factories.bot() for _ in range(3)]
    Tournament.objects.update(deals=1)
    for bot in bots:
        lifecycle.join_ladder(ladder, current(bot))
    factories.play(ladder, limit=1)
    old = Entry.objects.get(tournament=ladder, bot=bots[0])
    newer = factories.version(bots[0])
    entry = lifecycle.join_ladder(ladder, newer)
    old.refresh_from_db()
    assert (old.state, old.matches, old.elo) == ("replaced", 1, old.elo)
    assert (entry.state, entry.elo, entry.seats.count()) == ("active", 1500.0, 2)
    # The old one's match against the third was not played and will not be.
    assert set(old.seats.values_list("match__state", flat=True)) == {"finished", "cancelled"}
    assert Match.objects.filter(tournament=ladder, state="queued").count() == 3


def test_an_owner_who_goes_back_to_a_version_does_not_play_its_matches_again():
    ladder, bots = lifecycle.ensure_ladder(), [factories.bot() for _ in range(3)]
    Tournament.objects.update(deals=1)
    for bot in bots[:2]:
        lifecycle.join_ladder(ladder, current(bot))
    factories.play(ladder)
    first = bots[0].versions.get()
    lifecycle.join_ladder(ladder, factories.version(bots[0]))
    lifecycle.join_ladder(ladder, current(bots[2]))
    pick_version(bots[0], first)
    entry = lifecycle.join_ladder(ladder, first)
    opponents = {seat.match.seats.exclude(pk=seat.pk).get().entry.bot for seat in entry.seats.all()}
    assert opponents == {bots[1], bots[2]}
    assert entry.seats.filter(match__state="queued").count() == 1


def test_who_was_withdrawn_or_disqualified_is_not_put_back():
    ladder, bots = lifecycle.ensure_ladder(), [factories.bot() for _ in range(2)]
    entries = [lifecycle.join_ladder(ladder, current(bot)) for bot in bots]
    lifecycle.withdraw(entries[0])
    lifecycle.disqualify(entries[1], "two accounts")
    assert lifecycle.join_ladder(ladder, current(bots[0])) is None
    assert lifecycle.join_ladder(ladder, factories.version(bots[1])) is None
    assert lifecycle.join_ladder(ladder, factories.version(bots[0])).state == "active"


def test_a_version_that_was_found_long_ago_does_not_take_the_place_of_a_newer_one():
    """Another sweep, which found it while it was the newest, gets round to it now."""
    ladder, bots = lifecycle.ensure_ladder(), [factories.bot() for _ in range(2)]
    old, newer = current(bots[0]), factories.version(bots[0])
    entry = lifecycle.join_ladder(ladder, newer)
    lifecycle.join_ladder(ladder, current(bots[1]))
    assert lifecycle.join_ladder(ladder, old) is None
    entry.refresh_from_db()
    assert entry.state == "active"
    assert ladder.matches.filter(state="queued").count() == 1


def test_a_newcomers_first_matches_are_played_before_what_waits():
    ladder = lifecycle.ensure_ladder()
    for bot in [factories.bot() for _ in range(12)]:
        lifecycle.join_ladder(ladder, current(bot))
    newest = Entry.objects.latest("id")
    priorities = sorted(newest.seats.values_list("match__priority", flat=True))
    assert priorities == [0] + [1] * 10


@pytest.mark.django_db(transaction=True)
def test_versions_that_join_at_the_same_moment_all_meet():
    ladder, bots = lifecycle.ensure_ladder(), [factories.bot() for _ in range(5)]
    in_threads(lambda bot: lifecycle.join_ladder(ladder, current(bot)), bots * 2)
    assert Entry.objects.filter(tournament=ladder, state="active").count() == 5
    assert ladder.matches.count() == 10
