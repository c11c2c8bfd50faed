"""Who may make and run tournaments, who may enter them, what a pause stops, what a tournament would cost."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Group, Permission
from django.core.cache import cache
from django.utils import timezone

from arena.durak import PRESETS, RulesetError
from arena.limits import Limits
from tests.web import factories
from tests.web.tournaments.made import in_threads
from tournaments import cost, entering, lifecycle, organising, pausing, queue, sweep
from tournaments.models import Entry, Match, Tournament
from tournaments.organising import Entrance

pytestmark = pytest.mark.django_db


def organiser():
    """Somebody who has the permission by a group, as staff would give it to a club's teachers."""
    group, _ = Group.objects.get_or_create(name="Organisers")
    group.permissions.add(Permission.objects.get(codename="add_tournament"))
    user = factories.user()
    user.groups.add(group)
    return user


def made(by, **changes: Any):
    fields: dict[str, Any] = {
        "ruleset": "podkidnoy",
        "players": 2,
        "deals": 3,
        "limits": Limits(),
        "entrance": Entrance(),
    }
    return organising.create(by, "Club cup", **(fields | changes))


# Rights


def test_staff_and_who_has_the_permission_organise():
    assert organising.may_organise(organiser())
    assert organising.may_organise(factories.user(is_staff=True))
    assert not organising.may_organise(factories.user())
    assert not organising.may_organise(AnonymousUser())


def test_an_organiser_runs_what_he_made_and_staff_everything():
    mine, other = organiser(), organiser()
    cup = made(mine)
    assert organising.may_run(mine, cup)
    assert organising.may_run(factories.user(is_staff=True), cup)
    assert not organising.may_run(other, cup)
    assert not organising.may_run(AnonymousUser(), cup)


def test_who_lost_the_permission_runs_nothing_any_more():
    mine = organiser()
    cup = made(mine)
    mine.groups.clear()
    again = type(mine).objects.get(pk=mine.pk)
    assert not organising.may_run(again, cup)


def test_a_draft_is_seen_by_who_runs_it_and_an_open_one_by_all():
    mine = organiser()
    cup = made(mine)
    assert organising.may_see(mine, cup)
    assert not organising.may_see(organiser(), cup)
    assert organising.may_see(AnonymousUser(), lifecycle.open_entries(cup))


# Making and changing


def test_a_code_is_made_up_where_one_is_asked_for_and_none_is_given():
    mine = organiser()
    for entrance, code in (
        (Entrance("code", "blue door"), "blue door"),
        (Entrance("anyone", "blue door"), ""),
    ):
        cup = lifecycle.open_entries(made(mine, entrance=entrance))
        assert cup.entry_code == code
    assert len(made(mine, entrance=Entrance("code")).entry_code) == 8


def test_a_form_sent_twice_makes_one_draft():
    mine = organiser()
    made(mine)
    with pytest.raises(lifecycle.LifecycleError, match="draft of this name"):
        made(mine)
    assert made(organiser())


@pytest.mark.django_db(transaction=True)
def test_a_form_sent_twice_at_once_makes_one_draft():
    def press(_number):
        try:
            return made(mine).name
        except lifecycle.LifecycleError:
            return ""

    mine = organiser()
    assert sorted(in_threads(press, range(4), threads=4)) == ["", "", "", "Club cup"]


def test_the_play_is_changed_in_a_draft_alone():
    cup = made(organiser())
    play = {"ruleset": PRESETS["pairs"], "players": 4, "deals": 5, "limits": Limits(bank=3.0)}
    words: dict[str, Any] = {"name": "Pairs", "description": "For us.", "entrance": Entrance(bots_a_user=2)}
    changed = organising.change(cup, **words, play=play)
    assert (changed.ruleset_name, changed.players, changed.limits["bank"]) == ("pairs", 4, 3.0)
    assert (changed.name, changed.bots_a_user) == ("Pairs", 2)
    lifecycle.open_entries(cup)
    with pytest.raises(lifecycle.LifecycleError):
        organising.change(cup, **words, play=play)


def test_pairs_of_three_are_refused_and_nothing_changes():
    cup = made(organiser())
    play = {"ruleset": PRESETS["pairs"], "players": 3, "deals": 5, "limits": Limits()}
    with pytest.raises(RulesetError):
        organising.change(cup, name="x", description="", entrance=Entrance(), play=play)
    cup.refresh_from_db()
    assert cup.name == "Club cup"


def test_the_entrance_is_fixed_once_it_runs():
    cup = factories.round_robin([factories.bot(), factories.bot()])
    changed = organising.change(cup, name="New name", description="", entrance=Entrance(bots_a_user=9))
    assert (changed.name, changed.bots_a_user) == ("New name", 1)


def test_an_organiser_enters_all_bots_or_none():
    cup = lifecycle.open_entries(made(organiser(), entrance=Entrance("organiser")))
    with pytest.raises(lifecycle.LifecycleError):
        organising.enter_bots(cup, [factories.bot(), factories.bot(ready=False)])
    assert cup.entries.count() == 0
    bots = [factories.bot(), factories.bot()]
    assert [bot.pk for bot in organising.candidates(cup) if bot in bots] == [bot.pk for bot in bots]
    assert len(organising.enter_bots(cup, bots)) == 2
    assert not set(organising.candidates(cup)) & set(bots)


# Entering


def opened(**entrance):
    return lifecycle.open_entries(made(organiser(), entrance=Entrance(**entrance)))


def test_an_owner_enters_his_bot_and_nobody_else_does():
    cup, bot = opened(), factories.bot()
    with pytest.raises(lifecycle.LifecycleError, match="owner"):
        entering.enter_own(cup, bot, factories.user())
    assert entering.enter_own(cup, bot, bot.owner).state == Entry.State.ACTIVE
    assert entering.enter_own(cup, bot, bot.owner).pk == cup.entries.get().pk


def test_no_user_has_more_bots_in_it_than_he_may():
    cup, owner = opened(bots_a_user=2), factories.user()
    first, second, third = (factories.bot(owner) for _ in range(3))
    entering.enter_own(cup, first, owner)
    entering.enter_own(cup, second, owner)
    with pytest.raises(lifecycle.LifecycleError, match="as many bots"):
        entering.enter_own(cup, third, owner)
    lifecycle.withdraw(cup.entries.get(bot=first))
    assert entering.enter_own(cup, third, owner)


@pytest.mark.parametrize("code", ["", "red door"])
def test_another_code_does_not_open(code):
    cup, bot = opened(rule="code", code="Blue Door"), factories.bot()
    with pytest.raises(entering.EntryCodeError):
        entering.enter_own(cup, bot, bot.owner, code)


def test_the_code_opens_whatever_its_capitals():
    cup, bot = opened(rule="code", code="Blue Door"), factories.bot()
    assert entering.enter_own(cup, bot, bot.owner, " blue door ")


def test_entries_are_closed_outside_their_time_and_where_the_organiser_enters():
    now, hour = timezone.now(), timedelta(hours=1)
    for entrance, words in (
        ({"opens_at": now + hour}, "not begun"),
        ({"closes_at": now - hour}, "is over"),
        ({"rule": "organiser"}, "organiser enters"),
    ):
        bot = factories.bot()
        with pytest.raises(lifecycle.LifecycleError, match=words):
            entering.enter_own(opened(**entrance), bot, bot.owner)
    assert entering.closed_to_authors(opened(opens_at=now - hour, closes_at=now + hour)) == ""


def test_a_draft_and_a_ladder_are_entered_by_nobody():
    assert entering.closed_to_authors(made(organiser()))
    assert entering.closed_to_authors(factories.ladder())


# Pausing


@pytest.fixture
def cup():
    return factories.round_robin([factories.bot() for _ in range(3)])


def test_no_match_is_begun_in_a_pause(cup):
    pausing.pause(cup)
    assert queue.take_due() == []
    match = cup.matches.first()
    assert queue.claim(match.pk, "host", 60) is None
    pausing.resume(cup)
    assert set(queue.take_due()) == {match.pk for match in cup.matches.all()}
    assert queue.claim(match.pk, "host", 60)


def test_others_are_played_while_one_is_paused(cup):
    other = factories.round_robin([factories.bot(), factories.bot()])
    pausing.pause(cup)
    assert queue.take_due() == [other.matches.get().pk]


def test_what_is_being_played_ends_and_counts_in_a_pause(cup):
    first = cup.matches.first()
    claim = queue.claim(first.pk, "host", 60)
    pausing.pause(cup)
    assert claim is not None
    assert queue.renew(claim, 1)


def test_a_pause_rings_no_alarm(cup):
    cache.clear()
    Match.objects.update(queued_at=timezone.now() - timedelta(hours=1))
    pausing.pause(cup)
    assert not sweep.ring_alarm()
    pausing.resume(cup)
    assert sweep.ring_alarm()
    cache.clear()


def test_pausing_twice_keeps_the_first_moment(cup):
    first = pausing.pause(cup).paused_at
    assert pausing.pause(cup).paused_at == first
    assert pausing.resume(pausing.resume(cup)).paused_at is None


def test_a_paused_tournament_can_be_cancelled_and_left(cup):
    pausing.pause(cup)
    assert lifecycle.withdraw(cup.entries.first()).state == Entry.State.WITHDRAWN
    assert lifecycle.cancel(cup).state == Tournament.State.CANCELLED


@pytest.mark.parametrize("step", [pausing.pause, pausing.resume])
def test_only_what_runs_is_paused(step):
    for tournament in (made(organiser()), opened(), lifecycle.cancel(opened())):
        with pytest.raises(lifecycle.LifecycleError):
            step(tournament)


# Cost


@pytest.mark.parametrize(
    ("entries", "players", "pairs"), [(2, 2, False), (9, 2, False), (6, 3, False), (12, 4, False), (5, 4, True)]
)
def test_the_plan_has_as_many_matches_as_was_said(entries, players, pairs):
    rules = "pairs" if pairs else "podkidnoy"
    bots = [factories.bot() for _ in range(entries)]
    cup = factories.round_robin(bots, players=players, ruleset=rules, deals=1)
    said, exact = cost.count_matches(entries, players, pairs=pairs)
    assert exact
    assert cup.matches.count() == said


@pytest.mark.parametrize(("entries", "players"), [(30, 4), (20, 5), (40, 3)])
def test_a_searched_plan_is_near_what_was_said(entries, players):
    from arena import plan

    said, exact = cost.count_matches(entries, players)
    assert not exact
    most = max(plan.MAX_MATCHES, plan.fewest_matches(entries, players, 1))
    assert abs(len(plan.tables(entries, players, most, 1)) - said) <= said * 0.1


def test_too_few_for_a_table_cost_nothing():
    assert cost.cost(3, players=4, deals=10, ruleset_name="podkidnoy").games == 0


def test_without_games_the_time_is_a_guess_that_says_so():
    found = cost.cost(10, players=2, deals=10, ruleset_name="podkidnoy")
    assert (found.matches, found.games, found.measured) == (45, 900, 0)
    assert found.seconds == pytest.approx(900 * cost.SECONDS_A_GAME)


def test_measured_games_tell_the_time_and_workers_share_it(cup, django_assert_max_num_queries):
    factories.play(cup)
    cup.matches.update(worker="host/1")
    Match.objects.filter(pk=cup.matches.first().pk).update(worker="host/2")
    for match in cup.matches.all():
        match.games.update(seconds=3.0)
    with django_assert_max_num_queries(3):
        found = cost.cost(4, players=2, deals=10, ruleset_name="podkidnoy")
    assert (found.workers, found.measured) == (2, 12)
    assert found.seconds == pytest.approx(120 * 3.0 / 2)
    assert cost.cost(4, players=2, deals=10, ruleset_name="perevodnoy").measured == 12
