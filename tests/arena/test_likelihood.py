"""The likelihood table: right against known answers, finite whatever was played, honest about what it does not know."""

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena._model import Data, _distinct_lines, _Model
from arena.durak import PRESETS, Ending, Outcome, RulesetError
from arena.likelihood import ELO, Games, Rated, fit, overlapping
from bench.coverage import SETTINGS, coverage

FOOL = PRESETS["podkidnoy"]
FIRST = PRESETS["podkidnoy-first-out"]
PAIRS = PRESETS["pairs"]
DRAW = Outcome(Ending.DRAW, (1, 1), None)


def beats(seats: int, winner: int) -> Outcome:
    return Outcome(Ending.WIN, tuple(1 if seat == winner else 2 for seat in range(seats)), None)


def fool(seats: int, loser: int) -> Outcome:
    return Outcome(Ending.FOOL, tuple(2 if seat == loser else 1 for seat in range(seats)), loser)


def forfeit(*places: int) -> Outcome:
    return Outcome(Ending.FORFEIT, places, None)


def duels(wins, ruleset=FIRST):
    """Games for two from {(winner, loser): times}; each is a deal of its own, and seats alternate."""
    games: Games[Any] = Games(ruleset, 2)
    for (a, b), times in wins.items():
        for n in range(times):
            seating = (a, b) if n % 2 == 0 else (b, a)
            outcome = beats(2, n % 2) if ruleset is FIRST else fool(2, 1 - n % 2)
            games.add((a, b, n), seating, outcome)
    return games


def strengths(table, bots):
    return [(table[bot].rating - 1500) / ELO for bot in bots]


# --- known answers -----------------------------------------------------------------------------------------------

WINS = {
    (0, 1): 7, (1, 0): 3, (0, 2): 8, (2, 0): 2, (0, 3): 9, (3, 0): 1,
    (1, 2): 6, (2, 1): 4, (1, 3): 7, (3, 1): 5, (2, 3): 11, (3, 2): 9,
}  # fmt: skip
# Of the choix package 0.4.1, `ilsr_pairwise(4, data, alpha=0, tol=1e-13)`, on the games of WINS.
CHOIX_PAIRWISE = [1.0515282469074623, -0.04731216106698943, -0.4030680246611532, -0.6011480611793196]

FIRSTS = {
    (0, 1, 2): 5, (1, 0, 2): 3, (2, 0, 1): 2, (0, 1, 3): 6, (1, 0, 3): 4, (3, 0, 1): 1,
    (0, 2, 3): 7, (2, 0, 3): 2, (3, 0, 2): 2, (1, 2, 3): 4, (2, 1, 3): 3, (3, 1, 2): 3,
}  # fmt: skip
# Of the same, `ilsr_top1(4, data, alpha=0, tol=1e-13)`, the first of each table as winner.
CHOIX_TOP1 = [0.7290556358120555, 0.147556620604182, -0.3441776388049913, -0.5324346176112462]


def test_duels_agree_with_choix():
    table = fit(duels(WINS), prior=1e-7, seat_effect=False)
    assert strengths(table, range(4)) == pytest.approx(CHOIX_PAIRWISE, abs=1e-6)


def test_being_the_fool_of_two_is_losing():
    one, other = (fit(duels(WINS, ruleset)) for ruleset in (FIRST, FOOL))
    for bot in range(4):
        assert one[bot].rating == pytest.approx(other[bot].rating, abs=1e-6)
        assert one[bot].low == pytest.approx(other[bot].low, abs=1e-6)


def test_tables_of_three_agree_with_choix():
    games: Games[Any] = Games(FIRST, 3)
    for (winner, a, b), times in FIRSTS.items():
        for n in range(times):
            seating = [winner, a, b][n % 3 :] + [winner, a, b][: n % 3]
            games.add((winner, a, b, n), seating, beats(3, seating.index(winner)))
    table = fit(games, prior=1e-7, seat_effect=False)
    assert strengths(table, range(4)) == pytest.approx(CHOIX_TOP1, abs=1e-6)


def test_two_bots_with_draws_have_davidsons_closed_form():
    games: Games[Any] = Games(FIRST, 2)
    for n in range(60):
        seating = ("a", "b") if n % 2 == 0 else ("b", "a")
        winner = "a" if n < 24 else "b" if n < 40 else None
        games.add(n, seating, DRAW if winner is None else beats(2, seating.index(winner)))
    table = fit(games, prior=1e-7, seat_effect=False)
    assert table["a"].rating - table["b"].rating == pytest.approx(400 * math.log10(24 / 16), abs=1e-3)
    ratio = 20 / math.sqrt(24 * 16)
    assert table.draw == pytest.approx(ratio / (2 + ratio), abs=1e-6)


def test_the_seat_takes_what_it_gives():
    games: Games[Any] = Games(FIRST, 2)
    for n in range(100):
        # Seat 0 wins three games of four, whoever sits there.
        games.add(n, ("a", "b") if n % 2 == 0 else ("b", "a"), beats(2, 0 if n // 2 % 4 < 3 else 1))
    table = fit(games, prior=1e-7)
    (first, low, high), (second, _, _) = table.seats
    assert first - second == pytest.approx(400 * math.log10(38 / 12), abs=1e-3)
    assert first + second == pytest.approx(0, abs=1e-9)
    assert low < first < high
    assert table["a"].rating == pytest.approx(table["b"].rating)
    without = fit(games, seat_effect=False)
    assert without.seats == ((0, 0, 0), (0, 0, 0))


def test_the_most_likely_parameters_are_where_the_slope_vanishes():
    rng = np.random.default_rng(5)
    for seats, members in ((2, 1), (3, 1), (4, 1), (2, 2)):
        games = 60
        line_ups = np.array([rng.permutation(6)[: seats * members] for _ in range(games)]).reshape(
            games, seats, members
        )
        picked = np.eye(seats + 1)[rng.integers(seats + 1, size=games)][:, :seats]
        data = Data(bots=6, members=line_ups, picked=picked, deal=np.arange(games) // 3, sign=-1.0)
        model = _Model(data, 1.0, slot_effect=True)
        at = rng.normal(0, 0.5, model.size)
        chances = model._chances(at)
        slope, bend = model._gradient(at, chances), model._information(at, chances)
        for i in range(model.size):
            step = np.zeros(model.size)
            step[i] = 1e-5
            ahead, behind = at + step, at - step
            assert slope[i] == pytest.approx((model._value(ahead) - model._value(behind)) / 2e-5, abs=1e-5)
            differences = model._gradient(ahead, model._chances(ahead)) - model._gradient(
                behind, model._chances(behind)
            )
            assert bend[i] == pytest.approx(-differences / 2e-5, abs=1e-5)
        best = model.maximum()
        assert model._gradient(best, model._chances(best)) == pytest.approx(np.zeros(model.size), abs=1e-6)


def test_line_ups_are_told_apart_however_many_bots_there_are():
    rng = np.random.default_rng(0)
    for bots in (3, 1000, 10**6):
        members = rng.integers(bots, size=(500, 6, 1)) % 3 + bots - 3
        first, line = _distinct_lines(members, bots)
        assert (members[first][line] == members).all()
        assert len(first) == len(np.unique(members.reshape(500, 6), axis=0))


# --- what counts -------------------------------------------------------------------------------------------------


def test_ratings_have_mean_1500_and_come_best_first():
    table = fit(duels(WINS))
    assert [row.bot for row in table.rows] == [0, 1, 2, 3]
    assert sum(row.rating for row in table.rows) == pytest.approx(6000)
    assert all(row.low < row.rating < row.high for row in table.rows)
    with pytest.raises(KeyError):
        table["nobody"]


def test_the_more_often_the_fool_the_lower():
    games: Games[Any] = Games(FOOL, 4)
    rng = random.Random(1)
    for n in range(400):
        seating = rng.sample("abcd", 4)
        games.add(n, seating, fool(4, seating.index(rng.choices("abcd", [1, 2, 4, 8])[0])))
    table = fit(games)
    assert [row.bot for row in table.rows] == list("abcd")
    assert table["a"].rating - table["d"].rating == pytest.approx(400 * math.log10(8), abs=100)


def test_a_failure_counts_against_the_failing_bot_alone():
    games: Games[Any] = Games(FIRST, 3)
    seatings = [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    for n in range(27):
        games.add(n, seatings[n % 3], beats(3, n // 3 % 3))
    before = fit(games)
    for n in range(12):
        games.add(27 + n, seatings[n % 3], forfeit(*(3 if bot == "a" else 1 for bot in seatings[n % 3])))
    after = fit(games)
    assert {round(row.rating, 6) for row in before.rows} == {1500}
    assert after["a"].rating < 1450
    assert after["b"].rating == pytest.approx(after["c"].rating)


def test_the_partner_of_who_failed_neither_wins_nor_loses():
    games: Games[Any] = Games(PAIRS, 4)
    for n in range(12):
        seating = ("a", "b", "c", "d") if n % 2 == 0 else ("b", "c", "d", "a")
        games.add(n, seating, forfeit(*(4 if bot == "a" else 1 for bot in seating)))
    table = fit(games)
    assert table["a"].rating < 1400
    assert table["b"].rating == pytest.approx(table["d"].rating)
    assert table["c"].rating < table["b"].rating
    assert table["c"].deals == 0


def test_in_pairs_sides_that_both_fail_are_drawn():
    games: Games[Any] = Games(PAIRS, 4)
    for n in range(8):
        games.add(n, ("a", "b", "c", "d"), forfeit(3, 3, 1, 1))
    assert {round(row.rating, 6) for row in fit(games).rows} == {1500}


def test_strong_partners_do_not_lift_a_weak_bot():
    # "a" wins with every partner, "d" loses with every partner, "b" and "c" go with the side they are on.
    games: Games[Any] = Games(PAIRS, 4)
    for n in range(90):
        partner = "bcd"[n % 3]
        x, y = [bot for bot in "bcd" if bot != partner]
        seating = ("a", x, partner, y) if n % 2 == 0 else (x, partner, y, "a")
        winner = seating.index("a") if n % 10 else 1 - seating.index("a") % 2
        games.add(n, seating, Outcome(Ending.WIN, tuple(1 + ((s - winner) % 2) for s in range(4)), None))
    table = fit(games)
    assert table.rows[0].bot == "a"
    assert max(table[bot].rating for bot in "bcd") - min(table[bot].rating for bot in "bcd") < 60


def test_nobody_out_at_the_end_is_a_draw():
    games: Games[Any] = Games(FOOL, 3)
    for n in range(5):
        games.add(n, ("a", "b", "c"), Outcome(Ending.BOUT_LIMIT, (1, 1, 1), None))
    table = fit(games)
    assert {round(row.rating, 6) for row in table.rows} == {1500}
    assert table.draw > 0.8


# --- finite and honest, whatever was played ----------------------------------------------------------------------


def test_who_lost_everything_or_won_everything_still_has_a_rating():
    table = fit(duels({("best", "mid"): 20, ("mid", "worst"): 20, ("best", "worst"): 20}))
    assert [row.bot for row in table.rows] == ["best", "mid", "worst"]
    assert all(math.isfinite(row.low) and math.isfinite(row.high) for row in table.rows)
    assert 1500 < table["best"].rating < 3000
    # Nobody knows how much better it is: the interval is wide, and wider than that of a bot with an even score.
    even = fit(duels({("a", "b"): 20, ("b", "a"): 20}))
    assert table["best"].high - table["best"].low > 2 * (even["a"].high - even["a"].low)


def test_who_never_played_is_at_1500_and_might_be_anywhere():
    table = fit(duels(WINS), bots=["newcomer"])
    newcomer = table["newcomer"]
    assert newcomer.rating == pytest.approx(1500, abs=60)
    assert newcomer.deals == 0
    assert newcomer.high - newcomer.low > 1000


def test_groups_that_never_met_are_compared_with_wide_intervals():
    apart = fit(duels({(1, 2): 300, (2, 1): 200, (3, 4): 300, (4, 3): 200}))
    joined = fit(duels({(1, 2): 300, (2, 1): 200, (3, 4): 300, (4, 3): 200, (1, 4): 250, (4, 1): 250}))
    assert all(math.isfinite(row.high) for row in apart.rows)
    assert apart[1].high - apart[1].low > 3 * (joined[1].high - joined[1].low)


def test_no_games_at_all():
    assert fit(Games(FOOL, 2)).rows == ()
    table = fit(Games(FOOL, 2), bots=["a", "b"])
    assert [row.rating for row in table.rows] == [1500, 1500]
    assert table.not_told_apart() == [("a", "b")]


def test_one_game_says_little():
    table = fit(duels({("a", "b"): 1}))
    assert table["a"].rating > table["b"].rating
    assert table.not_told_apart() == [("a", "b")]


@given(
    st.integers(2, 4).flatmap(
        lambda n: st.lists(st.tuples(st.permutations(range(5)).map(lambda p: p[:n]), st.integers(0, n)), max_size=30)
    ),
    st.sampled_from([FOOL, FIRST]),
    st.randoms(use_true_random=False),
)
@settings(max_examples=60, deadline=None)
def test_any_results_give_finite_numbers_whatever_the_order_of_play(results, ruleset, rng):
    seats = len(results[0][0]) if results else 2
    outcomes = [fool(seats, s) if ruleset is FOOL else beats(seats, s) for s in range(seats)]
    outcomes.append(Outcome(Ending.DRAW, (1,) * seats, None))
    played = [(number // 2, seating, outcomes[picked]) for number, (seating, picked) in enumerate(results)]
    shuffled = rng.sample(played, len(played))
    tables = []
    for order in (played, shuffled):
        games: Games[Any] = Games(ruleset, seats)
        for game in order:
            games.add(*game)
        tables.append(fit(games, range(5)))
    for row in tables[0].rows:
        assert -5000 < row.low < row.rating < row.high < 8000
        again = tables[1][row.bot]
        assert (again.rating, again.low, again.high) == pytest.approx((row.rating, row.low, row.high), abs=1e-4)


def test_names_decide_nothing():
    results = [("a", "b", 0), ("b", "c", 1), ("c", "a", 0), ("a", "b", 1), ("a", "c", 0)]
    tables = []
    for naming in ({"a": 1, "b": 2, "c": 3}, {"a": "z", "b": "y", "c": "x"}):
        games: Games[Any] = Games(FIRST, 2)
        for n, (x, y, winner) in enumerate(results):
            games.add(n, (naming[x], naming[y]), beats(2, winner))
        tables.append([fit(games)[naming[bot]].rating for bot in "abc"])
    assert tables[0] == pytest.approx(tables[1])


def new_games() -> Games[Any]:
    return Games(FIRST, 2)


# --- deals -------------------------------------------------------------------------------------------------------


def test_the_deal_is_the_unit_not_the_game():
    """Where all games of a deal go the same way, twice as many games tell nothing more."""
    once, twice, apart = new_games(), new_games(), new_games()
    for n in range(200):
        winner = "a" if n % 5 < 3 else "b"
        seating = ("a", "b") if n % 2 == 0 else ("b", "a")
        once.add(n, seating, beats(2, seating.index(winner)))
        for again in range(4):
            twice.add(n, seating, beats(2, seating.index(winner)))
            apart.add((n, again), seating, beats(2, seating.index(winner)))
    width = {name: fit(g)["a"].high - fit(g)["a"].low for name, g in (("1", once), ("4", twice), ("4*", apart))}
    assert width["4"] == pytest.approx(width["1"], rel=0.03)
    assert width["4*"] == pytest.approx(width["1"] / 2, rel=0.05)


def test_duplicate_deals_that_cancel_luck_narrow_the_intervals():
    """Where the cards decide, both rotations of a deal share the luck, and a bot's score hardly varies."""
    cancelled, independent = new_games(), new_games()
    for n in range(100):
        for rotation, seating in enumerate((("a", "b"), ("b", "a"))):
            cancelled.add(n, seating, beats(2, n % 2))
            independent.add((n, rotation), seating, beats(2, n % 2))
    wide = fit(independent)["a"]
    narrow = fit(cancelled)["a"]
    assert narrow.rating == pytest.approx(wide.rating)
    assert narrow.high - narrow.low < (wide.high - wide.low) / 3


def test_many_deals_are_worked_through_in_stretches(monkeypatch):
    games = duels({pair: 3 * times for pair, times in WINS.items()})
    at_once = fit(games).rows
    monkeypatch.setattr("arena._model._DEALS_AT_ONCE", 7)
    for one, other in zip(at_once, fit(games).rows, strict=True):
        assert (other.low, other.high, other.deals) == pytest.approx((one.low, one.high, one.deals))


# Each setting plays a few hundred tournaments with a fixed seed; `bench/coverage.py` plays many more.
@pytest.mark.parametrize(
    "setting",
    [s for s in SETTINGS if s.luck and s.bots <= 8],
    ids=lambda s: f"{s.ruleset}-{s.seats}x{s.bots}-{s.spread:.0f}",
)
def test_intervals_hold_the_truth_as_often_as_they_say(setting):
    found = coverage(setting, 250, seed=2)
    assert 0.93 <= found.share <= 0.97
    assert found.least >= 0.90
    assert found.bias < 12


def test_confidence_widens_the_intervals():
    games = duels(WINS)
    narrow, wide = fit(games, confidence=0.5)[0], fit(games, confidence=0.99)[0]
    assert narrow.rating == wide.rating
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)


# --- not told apart ----------------------------------------------------------------------------------------------


def rows(*intervals):
    return [Rated(name, (low + high) / 2, low, high, 10) for name, low, high in intervals]


def test_groups_are_bots_whose_intervals_all_overlap():
    assert overlapping(rows(("a", 9, 11), ("b", 5, 8), ("c", 1, 3))) == []
    assert overlapping(rows(("a", 7, 11), ("b", 4, 8), ("c", 1, 5))) == [("a", "b"), ("b", "c")]
    assert overlapping(rows(("a", 4, 11), ("b", 4, 8), ("c", 1, 5), ("d", 0, 0.5))) == [("a", "b", "c")]
    assert overlapping(rows(("a", 0, 20), ("b", 8, 9), ("c", 1, 2))) == [("a", "b"), ("a", "c")]
    assert overlapping([]) == []


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20)), max_size=12))
def test_two_bots_share_a_group_exactly_if_their_intervals_overlap(spans):
    table = rows(*((n, low, low + size) for n, (low, size) in enumerate(spans)))
    groups = [set(group) for group in overlapping(table)]
    for one in table:
        for other in table:
            if one.bot < other.bot:
                together = any({one.bot, other.bot} <= group for group in groups)
                assert together == (one.low <= other.high and other.low <= one.high)
    assert not any(a < b for a in groups for b in groups)


# --- bad input ---------------------------------------------------------------------------------------------------


def test_games_that_cannot_be_rated_are_refused():
    with pytest.raises(RulesetError):
        Games(FOOL, 7)
    games: Games[Any] = Games(FOOL, 2)
    with pytest.raises(ValueError, match="has 2 seats, not 3"):
        games.add(0, ("a", "b", "c"), fool(3, 0))
    with pytest.raises(ValueError, match="against itself"):
        games.add(0, ("a", "a"), fool(2, 0))
    assert len(games) == 0


def test_settings_out_of_range_are_refused():
    with pytest.raises(ValueError, match="weight above 0"):
        fit(Games(FOOL, 2), prior=0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        fit(Games(FOOL, 2), confidence=95)
