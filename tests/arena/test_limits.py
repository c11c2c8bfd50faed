"""Limits of a match: documented, checked, stored with each game."""

import pytest

from arena.limits import Limits, LimitsError


def test_the_defaults_are_those_of_the_contract():
    limits = Limits()
    assert (limits.bank, limits.move_limit, limits.start_limit, limits.memory_mb, limits.forfeit_after) == (
        10.0, 2.0, 5.0, 256, 3,
    )  # fmt: skip


def test_json_round_trips():
    limits = Limits(bank=3, memory_mb=64)
    assert Limits.from_json(limits.to_json()) == limits
    assert Limits.from_json({"bank": 3}).move_limit == 2.0


@pytest.mark.parametrize(
    "values",
    [
        {"bank": 0},
        {"bank": -1},
        {"bank": "3"},
        {"bank": True},
        {"bank": float("nan")},
        {"bank": float("inf")},
        {"memory_mb": 1.5},
        {"forfeit_after": 0},
        {"bonk": 1},
    ],
)
def test_senseless_limits_are_refused_by_name(values):
    with pytest.raises(LimitsError, match=next(iter(values))):
        Limits.from_json(values)


def test_a_match_is_bounded_by_the_clocks_of_all_its_games():
    limits = Limits(bank=10, start_limit=5, overhead=5)
    assert limits.game_seconds(2) == 40
    assert limits.match_seconds(players=3, deals=10) == 30 * 60


def test_cpu_is_compared_with_the_time_charged():
    limits = Limits(pondering_seconds=0.5, pondering_share=0.1)
    assert limits.allows_cpu(used=1.59, charged=1.0)
    assert not limits.allows_cpu(used=1.61, charged=1.0)
