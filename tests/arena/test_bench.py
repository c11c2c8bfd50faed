"""The times of a bot, taken from its games."""

import random

import pytest

from arena.bench import ENDING, PHASES, Times, decisions, measure, quantile
from arena.durak import CARDS, PRESETS
from arena.local import LocalPlayer
from arena.match import play_match
from arena.samples import SAMPLES


@pytest.fixture(scope="module")
def result():
    players = [LocalPlayer(SAMPLES[name].load(), name) for name in ("thrifty", "lowest")]
    return play_match(players, PRESETS["podkidnoy"], [random.Random(seed).sample(CARDS, 36) for seed in range(3)])


def test_every_decision_is_measured_once(result):
    found = measure(result, 0)
    assert len(found.decided) == sum(game.uses[0].decisions for game in result.games)
    assert sum(one.ms for one in found.decided) == pytest.approx(
        1000 * sum(game.uses[0].seconds for game in result.games), abs=0.01 * len(found.decided)
    )
    assert found.games == 6
    assert found.failures == []


def test_a_decision_tells_its_position(result):
    for game in result.games:
        seat = game.seat_of(0)
        for one in decisions(game, 0):
            assert game.record.moves[one.moves] == (seat, type(game.record.moves[0][1]).parse(one.played))
            assert one.played in one.legal
            assert len(one.legal) > 1
            assert one.ms == game.record.times_ms[one.moves]


def test_phases_stand_in_the_order_of_the_game_and_hold_everything(result):
    found = measure(result, 1)
    assert list(found.phases) == list(PHASES)
    assert sum(times.decisions for times in found.phases.values()) == found.whole.decisions
    first = [one.phase for one in found.decided if one.deal == 0 and one.rotation == 0]
    assert first == sorted(first, key=PHASES.index)
    assert first[-1] == ENDING


def test_the_slowest_come_first(result):
    found = measure(result, 0)
    slowest = [one.ms for one in found.slowest(3)]
    assert slowest == sorted((one.ms for one in found.decided), reverse=True)[:3]
    assert found.whole.slowest == slowest[0]


@pytest.mark.parametrize(("share", "value"), [(0, 1), (0.5, 2.5), (1, 4), (0.95, 3.85)])
def test_quantiles_lie_between_the_values(share, value):
    assert quantile([1, 2, 3, 4], share) == pytest.approx(value)


def test_one_decision_is_all_its_figures(result):
    one = measure(result, 0).decided[0]
    times = Times.of([one.ms])
    assert {times.mean, times.median, times.p95, times.slowest} == {one.ms}
