"""The plan as rows: everyone meets everyone, nobody twice in a round, and the same plan for the same tournament."""

from collections import Counter
from itertools import combinations

import pytest

from tests.web import factories
from tournaments import lifecycle
from tournaments.models import Match, Tournament

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
