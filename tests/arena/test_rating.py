"""What a game counts for, and Elo."""

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.durak import PRESETS, Ending, Outcome
from arena.rating import (
    GRID,
    START,
    expected_score,
    match_scores,
    opponents,
    pair_points,
    pair_scores,
    seat_points,
    seat_scores,
    update,
)

FOOL = PRESETS["podkidnoy"]
FIRST = PRESETS["podkidnoy-first-out"]
PAIRS = PRESETS["pairs"]


def outcome(ending, *places):
    fool = places.index(max(places)) if ending == "fool" else None
    return Outcome(Ending(ending), places, fool)


# --- what counts -------------------------------------------------------------------------------------------------


def test_the_fool_loses_to_everybody_and_the_others_share():
    game = outcome("fool", 1, 4, 2, 3)
    assert seat_points(game, FOOL) == (4, 0, 4, 4)
    assert seat_scores(game, FOOL) == (2 / 3, 0, 2 / 3, 2 / 3)
    assert pair_scores(game, FOOL)[0, 1] == 1
    assert pair_scores(game, FOOL)[1, 0] == 0
    assert pair_scores(game, FOOL)[0, 3] == 0.5


def test_nobody_is_the_fool_when_the_last_go_out_together():
    assert seat_points(outcome("draw", 1, 1), FOOL) == (1, 1)
    assert seat_points(outcome("draw", 1, 2, 2), FOOL) == (2, 2, 2)


@pytest.mark.parametrize("ending", ["stalemate", "bout_limit"])
def test_who_is_left_with_cards_loses_to_who_went_out(ending):
    assert seat_points(outcome(ending, 1, 2, 2), FOOL) == (4, 1, 1)
    assert seat_points(outcome(ending, 1, 1, 1), FOOL) == (2, 2, 2)


def test_the_first_out_beats_everybody_and_the_others_share():
    assert seat_points(outcome("win", 2, 2, 1), FIRST) == (1, 1, 4)


def test_a_side_beats_the_other_and_partners_are_no_opponents():
    game = outcome("win", 2, 1, 2, 1)
    assert seat_points(game, PAIRS) == (0, 4, 0, 4)
    assert seat_scores(game, PAIRS) == (0, 1, 0, 1)
    assert (0, 2) not in pair_points(game, PAIRS)
    assert seat_scores(outcome("draw", 1, 1, 1, 1), PAIRS) == (0.5, 0.5, 0.5, 0.5)


def test_pairs_win_alike_whatever_the_result_option():
    assert seat_points(outcome("win", 2, 1, 2, 1), replace(PAIRS, result="first_out_wins")) == (0, 4, 0, 4)


@pytest.mark.parametrize("ruleset", [FOOL, FIRST], ids=lambda r: r.name)
def test_a_failure_is_lost_for_the_failing_seat_alone(ruleset):
    assert seat_points(outcome("forfeit", 1, 2), ruleset) == (2, 0)
    assert seat_points(outcome("forfeit", 4, 1, 1, 1), ruleset) == (0, 4, 4, 4)


@pytest.mark.parametrize("ruleset", [FOOL, FIRST], ids=lambda r: r.name)
def test_when_all_fail_nobody_gains(ruleset):
    assert seat_points(outcome("forfeit", 1, 1), ruleset) == (1, 1)
    assert seat_points(outcome("forfeit", 2, 2), ruleset) == (1, 1)
    assert seat_points(outcome("forfeit", 3, 1, 3), ruleset) == (1, 4, 1)


def test_the_partner_of_who_failed_does_not_lose():
    assert seat_points(outcome("forfeit", 4, 1, 1, 1), PAIRS) == (0, 3, 2, 3)


games = st.sampled_from([2, 3, 4, 5, 6]).flatmap(
    lambda n: st.tuples(
        st.sampled_from(["fool", "draw", "stalemate", "bout_limit", "forfeit", "win"]),
        st.lists(st.integers(1, n), min_size=n, max_size=n).map(tuple),
        st.sampled_from([FOOL, FIRST] + ([PAIRS] if n == 4 else [])),
    )
)


@given(games)
def test_the_points_of_a_game_always_have_the_same_sum(game):
    ending, places, ruleset = game
    result = Outcome(Ending(ending), places, None)
    n = len(places)
    points = pair_points(result, ruleset)
    assert all(points[a, b] + points[b, a] == 2 for a, b in points)
    assert sum(seat_points(result, ruleset)) == n * opponents(ruleset, n)
    assert math.fsum(seat_scores(result, ruleset)) == pytest.approx(n / 2, abs=1e-12)
    assert all(0 <= score <= 1 for score in seat_scores(result, ruleset))


@given(games, st.integers(0, 5))
def test_points_go_with_the_seat_wherever_the_table_begins(game, turn):
    ending, places, ruleset = game
    turned = places[turn % len(places) :] + places[: turn % len(places)]
    points = seat_points(Outcome(Ending(ending), places, None), ruleset)
    assert seat_points(Outcome(Ending(ending), turned, None), ruleset) == (
        points[turn % len(places) :] + points[: turn % len(places)]
    )


def test_a_match_is_scored_by_entrant_not_by_seat():
    played = [((0, 1, 2), outcome("fool", 1, 2, 3)), ((1, 2, 0), outcome("fool", 3, 1, 2))]
    points, scores = match_scores(played, 3, FOOL)
    assert points == (6, 3, 3)
    assert scores == (0.75, 0.375, 0.375)


def test_a_match_without_games_has_no_score():
    with pytest.raises(ValueError, match="at least one deal"):
        match_scores([], 2, FOOL)


# --- Elo ---------------------------------------------------------------------------------------------------------


def test_textbook_figures():
    assert expected_score(1500, 1500) == 0.5
    assert expected_score(1900, 1500) == pytest.approx(10 / 11)
    assert update({1: START, 2: START}, {1: 1.0, 2: 0.0}) == {1: 1516.0, 2: 1484.0}
    assert update({1: START, 2: START}, {1: 0.5, 2: 0.5}) == {1: START, 2: START}
    moved = update({1: 1900.0, 2: 1500.0}, {1: 1.0, 2: 0.0})
    assert moved[1] - 1900 == pytest.approx(32 / 11, abs=GRID)


def test_at_a_table_of_four_the_fool_loses_as_much_as_at_a_table_of_two():
    moved = update(dict.fromkeys("abcd", START), {"a": 0.0, "b": 2 / 3, "c": 2 / 3, "d": 2 / 3})
    assert moved["a"] == 1484
    assert moved["b"] == pytest.approx(1500 + 16 / 3, abs=GRID)


def test_every_pair_counts_with_its_own_expectation():
    ratings = {1: 1700.0, 2: 1500.0, 3: 1400.0}
    scores = {1: 0.5, 2: 0.75, 3: 0.25}
    moved = update(ratings, scores)
    for i in ratings:
        expected = sum(expected_score(ratings[i], ratings[j]) for j in ratings if j != i) / 2
        assert moved[i] - ratings[i] == pytest.approx(32 * (scores[i] - expected), abs=2 * GRID)


def test_partners_move_alike_by_the_mean_of_their_side():
    ratings = {1: 1700.0, 2: 1500.0, 3: 1500.0, 4: 1500.0}
    moved = update(ratings, {1: 1.0, 2: 0.0, 3: 1.0, 4: 0.0}, sides=[(1, 3), (2, 4)])
    gain = 32 * (1 - expected_score(1600, 1500))
    assert moved[1] - 1700 == pytest.approx(gain, abs=GRID)
    assert moved[3] - 1500 == pytest.approx(gain, abs=GRID)
    assert moved[2] == moved[4] == pytest.approx(1500 - gain, abs=GRID)


@st.composite
def tables(draw):
    n = draw(st.integers(2, 6))
    ids = draw(st.lists(st.integers(1, 10**6), min_size=n, max_size=n, unique=True))
    ratings = {i: draw(st.integers(0, 3000 * 2**20)) * GRID for i in ids}
    games = draw(st.integers(1, 60))
    total = dict.fromkeys(ids, 0)
    for i in ids:
        for j in ids:
            if i < j:
                points = draw(st.integers(0, 2 * games))
                total[i] += points
                total[j] += 2 * games - points
    return ratings, {i: total[i] / (2 * games * (n - 1)) for i in ids}


@given(tables())
def test_the_sum_never_changes_not_by_a_bit(table):
    ratings, scores = table
    assert sum(update(ratings, scores).values()) == sum(ratings.values())


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_a_mapping_changes_nothing(table, random):
    ratings, scores = table
    ids, others = list(ratings), list(ratings)
    random.shuffle(ids)
    random.shuffle(others)
    assert update({i: ratings[i] for i in ids}, {i: scores[i] for i in others}) == update(ratings, scores)


@given(tables())
def test_no_match_moves_a_rating_by_more_than_k(table):
    ratings, scores = table
    moved = update(ratings, scores)
    assert all(abs(moved[i] - ratings[i]) <= 32 for i in ratings)


@given(tables())
def test_equal_entries_with_equal_scores_stay_equal_to_a_millionth(table):
    ratings, scores = table
    assume(len(ratings) > 2)
    a, b, *_ = ratings
    ratings[b] = ratings[a]
    scores[a] = scores[b] = (scores[a] + scores[b]) / 2
    moved = update(ratings, scores)
    assert abs(moved[a] - moved[b]) <= GRID


def test_a_long_history_keeps_its_sum():
    ratings = dict.fromkeys(range(50), START)
    for step in range(5000):
        table = [(step * 7 + 11 * seat) % 50 for seat in range(3)]
        scores = dict(zip(table, [(0.5, 0.75, 0.25), (1 / 3, 1.0, 1.5 - 1 / 3 - 1.0)][step % 2], strict=True))
        ratings.update(update({i: ratings[i] for i in table}, scores))
    assert sum(ratings.values()) == 50 * START
    assert max(ratings.values()) > START + 20


@pytest.mark.parametrize(
    ("ratings", "scores", "message"),
    [
        ({1: 1500.0, 2: 1500.0}, {1: 1.0, 3: 0.0}, "same entries"),
        ({1: 1500.0}, {1: 0.5}, "at least two"),
        ({1: 1500.0, 2: 1500.0}, {1: 2.0, 2: -1.0}, "from 0 to 1"),
        ({1: 1500.0, 2: 1500.0}, {1: 1.0, 2: 1.0}, "must add up to 1"),
        ({1: 1500.0, 2: 1500.0}, {1: math.nan, 2: 0.5}, "from 0 to 1"),
    ],
)
def test_scores_that_no_match_gives_are_refused(ratings, scores, message):
    with pytest.raises(ValueError, match=message):
        update(ratings, scores)


@pytest.mark.parametrize("sides", [[(1, 2)], [(1, 2), (3,)], [(1, 2), (3, 3)], [(1, 2), (3, 5)]])
def test_sides_that_are_not_two_halves_of_the_table_are_refused(sides):
    with pytest.raises(ValueError, match="Two sides of equal size"):
        update(dict.fromkeys([1, 2, 3, 4], START), dict.fromkeys([1, 2, 3, 4], 0.5), sides=sides)
