"""The plan as rows: everyone meets everyone, nobody twice in a round, and the same plan for the same tournament."""

from collections import Counter
from functools import partial
from itertools import combinations

import pytest

from tests.web import factories
from tests.web.tournaments.made import in_threads
from tournaments import lifecycle, planning, queue
from tournaments.models import Match, Seat, Tournament
from tournaments.sweep import sweep

pytestmark = pytest.mark.django_db


def tables(tournament: Tournament) -> list[tuple[int, ...]]:
    """The bots at each table, in the order of the plan and of the seats."""
    found = Match.objects.filter(tournament=tournament).order_by("number").prefetch_related("seats__entry")
    return [tuple(seat.entry.bot_id for seat in sorted(match.seats.all(), key=_index)) for match in found]


def _index(seat):
    return seat.index


def test_everyone_meets_everyone_once_and_plays_once_a_round():
    bots = [factories.bot() for _ in range(7)]
    tournament = factories.round_robin(bots)
    assert {frozenset(pair) for pair in tables(tournament)} == {
        frozenset(pair) for pair in combinations([bot.pk for bot in bots], 2)
    }
    rounds = Counter((match.round, seat.entry_id) for match in tournament.matches.all() for seat in match.seats.all())
    assert set(rounds.values()) == {1}
    assert [match.number for match in tournament.matches.order_by("id")] == list(range(1, 22))


def test_the_plan_is_the_same_for_the_same_tournament():
    bots = [factories.bot() for _ in range(8)]
    plans = []
    for turn in range(2):
        tournament = factories.round_robin(bots, players=4, slug="the-cup")
        plans.append(tables(tournament))
        Tournament.objects.filter(pk=tournament.pk).update(slug=f"an-old-cup-{turn}")
    assert plans[0] == plans[1]


def test_tables_that_come_again_are_other_rounds():
    tournament = factories.round_robin([factories.bot() for _ in range(4)], players=4, ruleset="pairs")
    matches = list(tournament.matches.order_by("number"))
    assert len(matches) == 3  # each of the three ways to make two sides of four
    assert [match.round for match in matches] == [1, 2, 3]
    assert len({match.table_key for match in matches}) == 1


def test_more_entries_than_the_usual_number_of_matches_can_bring_together_still_meet():
    tournament = factories.round_robin([factories.bot() for _ in range(20)], players=4)
    met = {frozenset(pair) for table in tables(tournament) for pair in combinations(table, 2)}
    assert len(met) == 190


def test_a_ladder_for_three_at_a_table_grows():
    ladder = lifecycle.ensure_ladder()
    Tournament.objects.update(players=3)
    for count in range(1, 6):
        lifecycle.join_ladder(ladder, factories.bot().versions.get())
        met = {frozenset(pair) for table in tables(ladder) for pair in combinations(table, 2)}
        assert len(met) == (count * (count - 1) // 2 if count >= 3 else 0)


# ---------------------------------------------------------------------------------------------------------------------
# Plans that are made in pieces


@pytest.fixture
def small(monkeypatch):
    """Whatever has more than three matches is a large plan."""
    monkeypatch.setattr(planning, "AT_ONCE", 3)


def entered(count: int, slug: str = "the-cup", **options) -> Tournament:
    tournament = lifecycle.open_entries(lifecycle.create_round_robin("Cup", slug=slug, deals=1, **options))
    for _ in range(count):
        lifecycle.enter(tournament, factories.bot())
    return tournament


def numbers(tournament: Tournament) -> list[tuple[int, int, list[int]]]:
    """The plan by the numbers of the entries: match, round, and who sits where."""
    found = tournament.matches.order_by("number").prefetch_related("seats__entry")
    return [
        (match.number, match.round, [seat.entry.plan_index for seat in sorted(match.seats.all(), key=_index)])
        for match in found
    ]


def test_a_large_plan_is_not_made_by_the_start(small):
    started = lifecycle.start(entered(6))
    assert (started.state, started.planning, started.matches.count()) == ("running", True, 0)
    assert list(started.entries.order_by("id").values_list("plan_index", flat=True)) == list(range(6))


@pytest.mark.parametrize(("players", "ruleset", "count"), [(2, "podkidnoy", 7), (3, "podkidnoy", 5), (4, "pairs", 5)])
def test_a_plan_in_pieces_is_the_plan_at_once(monkeypatch, players, ruleset, count):
    at_once = lifecycle.start(entered(count, players=players, ruleset=ruleset))
    expected = numbers(at_once)
    assert not at_once.planning
    Tournament.objects.filter(pk=at_once.pk).update(slug="an-old-cup")
    monkeypatch.setattr(planning, "AT_ONCE", 0)
    pieces = lifecycle.start(entered(count, players=players, ruleset=ruleset))
    assert not planning.make_piece(pieces.pk, limit=4)
    assert numbers(pieces) == expected[:4]
    # Somebody else goes on: what was computed is gone with the worker that died.
    planning._tables.cache_clear()
    while not planning.make_piece(pieces.pk, limit=4):
        pass
    pieces.refresh_from_db()
    assert numbers(pieces) == expected
    assert (pieces.planning, pieces.plan_total) == (False, len(expected))
    assert planning.make_piece(pieces.pk)
    assert numbers(pieces) == expected


def test_a_piece_that_fails_leaves_nothing_and_is_made_again(small, monkeypatch):
    started = lifecycle.start(entered(5))
    with monkeypatch.context() as broken:
        broken.setattr(Seat.objects, "bulk_create", None)
        with pytest.raises(TypeError):
            planning.make_piece(started.pk)
    assert started.matches.count() == 0
    assert planning.make_piece(started.pk)
    assert started.matches.count() == 10


def test_no_match_is_begun_before_the_plan_is_whole(small, monkeypatch, announced):
    monkeypatch.setattr(planning, "make_piece", partial(planning.make_piece, limit=4))
    started = lifecycle.start(entered(5))
    for planned, begun in ((4, 0), (8, 0), (10, 10)):
        sweep()
        assert started.matches.count() == planned
        mine = set(started.matches.values_list("pk", flat=True))
        assert len(mine.intersection(announced("tournaments.tasks.play_match"))) == begun
        first = queue.claim(started.matches.earliest("id").pk, "host/1", 60)
        assert (first is not None) == bool(begun)


def test_a_tournament_does_not_end_between_two_pieces_of_its_plan(small):
    started = lifecycle.start(entered(5))
    planning.make_piece(started.pk, limit=2)
    for match in started.matches.all():
        queue.park(match, "by staff")
    with pytest.raises(lifecycle.LifecycleError, match="still has matches"):
        lifecycle.finish(started)
    planning.make_piece(started.pk)
    assert started.matches.filter(state="queued").count() == 8


def test_who_leaves_while_the_plan_is_made_keeps_his_place_in_it_and_plays_nothing(small):
    started = lifecycle.start(entered(5))
    planning.make_piece(started.pk, limit=4)
    leaver = started.entries.get(plan_index=0)
    lifecycle.withdraw(leaver)
    while not planning.make_piece(started.pk, limit=3):
        pass
    assert started.matches.count() == 10
    assert set(leaver.seats.values_list("match__state", flat=True)) == {"cancelled"}
    assert started.matches.filter(state="queued").count() == 6
    factories.play(started)
    assert lifecycle.finish(Tournament.objects.get(pk=started.pk)).state == "finished"


def test_a_tournament_that_is_cancelled_while_its_plan_is_made_gets_no_more_of_it(small):
    started = lifecycle.start(entered(5))
    planning.make_piece(started.pk, limit=4)
    cancelled = lifecycle.cancel(started)
    assert planning.make_piece(started.pk)
    sweep()
    assert (cancelled.planning, started.matches.count()) == (False, 4)
    assert set(started.matches.values_list("state", flat=True)) == {"cancelled"}


@pytest.mark.django_db(transaction=True)
def test_sweeps_at_the_same_moment_make_one_plan(small):
    started = lifecycle.start(entered(9))
    in_threads(lambda _: planning.make_piece(started.pk, limit=10), range(6), threads=3)
    started.refresh_from_db()
    assert (started.planning, started.matches.count()) == (False, 36)
    assert [match.number for match in started.matches.order_by("id")] == list(range(1, 37))
