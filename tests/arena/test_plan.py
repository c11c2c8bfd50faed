"""Plans: everyone meets everyone equally often, and any beginning of a plan is balanced."""

from collections import Counter
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.plan import WARM_POOL, additions, fewest_matches, hit_rate, round_robin, tables


def meetings(plan, entries):
    met = Counter(frozenset(two) for table in plan for two in combinations(table, 2))
    return [met[frozenset(two)] for two in combinations(entries, 2)]


def partnerships(plan, entries):
    count = Counter(frozenset(side) for table in plan for side in (table[::2], table[1::2]))
    return [count[frozenset(two)] for two in combinations(entries, 2)]


def left_neighbours(plan, entries):
    count = Counter(two for table in plan for two in zip(table, table[1:] + table[:1], strict=True))
    return [count[two] for two in permutations(entries, 2)]


def unevenness(plan, entries):
    """The largest difference between the numbers of matches that two entries have played, at any moment."""
    played = dict.fromkeys(entries, 0)
    worst = 0
    for table in plan:
        for entry in table:
            played[entry] += 1
        worst = max(worst, max(played.values()) - min(played.values()))
    return worst


def flat(rounds):
    return [pair for matches in rounds for pair in matches]


# --- two at a table ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [*range(2, 62), 100])
@pytest.mark.parametrize("pool", [0, 6, WARM_POOL])
def test_everyone_meets_everyone_once(n, pool):
    plan = flat(round_robin(n, pool))
    assert len(plan) == comb(n, 2)
    assert set(meetings(plan, range(n))) == {1}


@pytest.mark.parametrize("n", range(2, 41))
def test_on_the_circle_nobody_plays_twice_in_a_round(n):
    rounds = round_robin(n, pool=0)
    assert len(rounds) == (n - 1 if n % 2 == 0 else n)
    for matches in rounds:
        assert len(matches) == n // 2
        assert len({entry for pair in matches for entry in pair}) == 2 * (n // 2)


@pytest.mark.parametrize("n", range(2, 41))
def test_on_the_circle_any_beginning_is_balanced(n):
    rounds = round_robin(n, pool=0)
    assert unevenness(flat(rounds), range(n)) <= (1 if n % 2 == 0 else 2)
    for done in range(1, len(rounds) + 1):
        played = Counter(i for pair in flat(rounds[:done]) for i in pair)
        counts = [played[i] for i in range(n)]
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("n", [*range(13, 62), 100])
def test_in_groups_any_beginning_is_balanced_within_the_pool(n):
    rounds = round_robin(n)
    groups = -(-n // (WARM_POOL // 2))
    assert unevenness(flat(rounds), range(n)) <= WARM_POOL
    for done in range(1, len(rounds) + 1):
        played = Counter(i for pair in flat(rounds[:done]) for i in pair)
        counts = [played[i] for i in range(n)]
        assert max(counts) - min(counts) <= (1 if n % groups == 0 else groups)


def test_small_fields_go_round_the_plain_circle():
    assert round_robin(12) == round_robin(12, pool=0)
    assert round_robin(4) == [[(3, 0), (2, 1)], [(3, 1), (0, 2)], [(3, 2), (1, 0)]]


@pytest.mark.parametrize("n", [*range(7, 62), 100, 200])
def test_the_order_keeps_a_pool_warm(n):
    assert hit_rate(flat(round_robin(n)), WARM_POOL) > 0.8
    # Nothing can do better than to start every bot once.
    assert hit_rate(flat(round_robin(n)), pool=n) == pytest.approx(1 - 1 / (n - 1))


def test_on_the_plain_circle_a_pool_that_is_too_small_is_useless():
    assert hit_rate(flat(round_robin(30, pool=0)), WARM_POOL) == 0
    assert hit_rate(flat(round_robin(30)), WARM_POOL) > 0.83


def test_hit_rate_counts_the_bots_that_are_still_there():
    assert hit_rate([]) == 1
    assert hit_rate([(1, 2), (1, 2)], pool=2) == 0.5
    assert hit_rate([(1, 2), (3, 1), (2, 3)], pool=2) == 0
    # Using a bot again keeps it: 1 outlives 2.
    assert hit_rate([(1, 2), (1, 3), (1, 2)], pool=2) == pytest.approx(2 / 6)


# --- more at a table ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "k"), [(3, 3), (4, 3), (10, 3), (18, 3), (4, 4), (12, 4), (5, 5), (11, 5), (6, 6), (12, 6)]
)
def test_every_table_is_played_once_while_there_are_few(n, k):
    plan = tables(n, k)
    assert Counter(frozenset(table) for table in plan) == Counter(map(frozenset, combinations(range(n), k)))
    assert unevenness(plan, range(n)) <= 2
    assert len(set(Counter(i for table in plan for i in table).values())) == 1


@pytest.mark.parametrize("k", [3, 4, 5, 6])
@pytest.mark.parametrize("n", [*range(20, 60, 7), 60])
def test_a_design_lets_everyone_meet_everyone_equally_often(n, k):
    plan = tables(n, k)
    assert len(plan) <= 1000
    assert all(len(set(table)) == k for table in plan)
    met = meetings(plan, range(n))
    assert min(met) >= 1
    assert max(met) - min(met) <= 1
    assert len(set(Counter(i for table in plan for i in table).values())) == 1
    assert unevenness(plan, range(n)) <= 3


@pytest.mark.parametrize("k", [3, 4, 5, 6])
def test_the_smallest_designs_are_balanced_up_to_60_entries(k):
    for n in [*range(k + 1, 34), *range(36, 61, 4)]:
        fewest = fewest_matches(n, k)
        plan = tables(n, k, max_matches=fewest)
        assert len(plan) == fewest
        met = meetings(plan, range(n))
        assert min(met) >= 1, n
        assert max(met) - min(met) <= 1, n
        # Up to five where any two tables share somebody, as the lines of a projective plane do (31 entries, 6 seats).
        assert unevenness(plan, range(n)) <= 5, n
        assert len(set(Counter(i for table in plan for i in table).values())) == 1, n


def test_a_limit_in_between_is_used_up_as_far_as_it_goes():
    for limit in (200, 333, 500):
        plan = tables(40, 4, max_matches=limit)
        assert limit - 40 < len(plan) <= limit
        met = meetings(plan, range(40))
        assert max(met) - min(met) <= 1


@pytest.mark.parametrize(("n", "k"), [(10, 3), (12, 4), (40, 4), (30, 5), (12, 6), (60, 6)])
def test_everyone_sits_to_the_left_of_everyone_about_equally_often(n, k):
    left = left_neighbours(tables(n, k), range(n))
    assert max(left) - min(left) <= 4


@pytest.mark.parametrize("n", [4, 5, 8, 11])
def test_pairs_play_every_table_in_each_pairing_while_there_are_few(n):
    plan = tables(n, 4, pairs=True)
    sides = Counter(frozenset({frozenset(table[::2]), frozenset(table[1::2])}) for table in plan)
    assert len(sides) == len(plan) == 3 * comb(n, 4)
    assert len(set(partnerships(plan, range(n)))) == 1
    assert unevenness(plan, range(n)) <= 2


@pytest.mark.parametrize(("n", "limit"), [(8, 100), (12, 1000), (20, 1000), (40, 1000), (40, 200), (60, 400)])
def test_pairs_in_larger_fields_still_share_partners_evenly(n, limit):
    plan = tables(n, 4, max_matches=limit, pairs=True)
    partners = partnerships(plan, range(n))
    assert max(partners) - min(partners) <= 1
    met = meetings(plan, range(n))
    assert max(met) - min(met) <= 1


@given(st.integers(3, 6), st.integers(3, 25), st.integers(0, 10**6), st.integers(30, 300))
@settings(max_examples=25, deadline=None)
def test_any_plan_is_balanced(k, n, seed, limit):
    if n < k or fewest_matches(n, k, seed) > limit:
        return
    plan = tables(n, k, max_matches=limit, seed=seed)
    assert 1 <= len(plan) <= limit
    met = meetings(plan, range(n))
    assert max(met) - min(met) <= 1
    assert min(met) >= 1
    assert unevenness(plan, range(n)) <= 5


def test_a_plan_depends_on_its_arguments_alone():
    assert tables(25, 4, seed=3) == tables(25, 4, seed=3)
    assert tables(25, 4, seed=3) != tables(25, 4, seed=4)
    assert tables(12, 4, seed=3) != tables(12, 4, seed=4)


def test_two_at_a_table_is_the_round_robin():
    assert tables(9, 2) == flat(round_robin(9))
    assert len(tables(60, 2)) == fewest_matches(60, 2) == 1770


def test_impossible_plans_are_refused():
    with pytest.raises(ValueError, match="3 entries cannot fill a table of 4"):
        tables(3, 4)
    with pytest.raises(ValueError, match="1 entries cannot fill a table of 2"):
        round_robin(1)
    with pytest.raises(ValueError, match="at least two seats, not 1"):
        tables(5, 1)
    with pytest.raises(ValueError, match="four at a table, not by 3"):
        tables(8, 3, pairs=True)
    fewest = fewest_matches(60, 6)
    with pytest.raises(ValueError, match=f"at least {fewest} matches .* allow more than 100"):
        tables(60, 6, max_matches=100)
    assert len(tables(60, 6, max_matches=fewest)) == fewest


# --- ladders -----------------------------------------------------------------------------------------------------


def test_a_newcomer_meets_everyone_for_two_at_a_table():
    assert additions(["a", "b", "c"], "n") == [("n", "a"), ("n", "b"), ("n", "c")]
    assert additions([], "n") == []


@pytest.mark.parametrize("k", [3, 4, 5, 6])
@pytest.mark.parametrize("m", [2, 3, 4, 5, 6, 9, 17, 40])
def test_a_newcomer_meets_everyone_equally_often_at_larger_tables(m, k):
    existing = [f"bot {i}" for i in range(m)]
    plan = additions(existing, "new", k)
    if m < k - 1:
        assert plan == []
        return
    assert all(len(set(table)) == k and "new" in table for table in plan)
    assert len(plan) == m
    met = Counter(entry for table in plan for entry in table)
    assert {met[entry] for entry in existing} == {k - 1}


@pytest.mark.parametrize("wanted", [1, 2, 3, 5])
def test_tables_that_do_not_come_out_even_give_some_one_meeting_more(wanted):
    existing = list(range(10))
    plan = additions(existing, 99, 5, meetings=wanted)
    met = Counter(entry for table in plan for entry in table)
    assert {met[i] for i in existing} <= {wanted, wanted + 1}


@pytest.mark.parametrize("k", [3, 4, 6])
def test_who_else_sits_at_a_newcomers_tables_is_spread_out(k):
    others = range(29)
    plan = [[entry for entry in table if entry != 99] for table in additions(list(others), 99, k)]
    assert max(meetings(plan, others)) <= (1 if k < 6 else 2)


def test_a_newcomer_to_pairs_is_once_the_partner_of_everyone():
    existing = list(range(7))
    plan = additions(existing, 99, 4, pairs=True)
    assert sorted(table[2] for table in plan if table[0] == 99) == existing
    against = Counter(entry for table in plan for entry in table[1::2])
    assert {against[i] for i in existing} == {2}


def test_a_ladder_that_grew_has_everybody_against_everybody():
    ladder: list[int] = []
    plan = []
    for newcomer in range(12):
        plan += additions(ladder, newcomer)
        ladder.append(newcomer)
    assert set(meetings(plan, ladder)) == {1}


def test_additions_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="on the ladder already"):
        additions([1, 2], 2)
    with pytest.raises(ValueError, match="twice"):
        additions([1, 1], 2)
    with pytest.raises(ValueError, match="two seats or more"):
        additions([1], 2, 1)
    with pytest.raises(ValueError, match="four for pairs"):
        additions([1, 3], 2, 3, pairs=True)
