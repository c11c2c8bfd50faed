"""The measured ladder: what it counts, that pieces add up, and the command that prints it."""

import json
import math

import pytest
from typer.testing import CliRunner

from arena.cli import app
from arena.limits import Limits
from arena.samples import SAMPLES
from arena.samples.ladder import PAIRS, Rung, climb

SECRET = bytes(32)
UNHURRIED = Limits(bank=1000.0, move_limit=1000.0)


def test_the_pairs_lead_from_the_weakest_to_the_strongest():
    names = list(SAMPLES)
    assert PAIRS[: len(names) - 1] == tuple((names[i + 1], names[i]) for i in range(len(names) - 1))
    assert ("search", "thrifty") in PAIRS


def test_the_interval_counts_deals_not_games():
    rung = Rung("a", "b", scores=[1.0, 0.5, 0.5, 0.0])
    assert rung.score == 0.5
    assert rung.error == pytest.approx(math.sqrt(0.5 / 3 / 4))
    low, high = rung.interval
    assert (low + high) / 2 == pytest.approx(0.5)
    assert high - low == pytest.approx(2 * 1.959964 * rung.error)
    assert math.isnan(Rung("a", "b", scores=[1.0]).error)


def test_the_interval_is_never_beyond_what_can_be_scored():
    assert Rung("a", "b", scores=[1.0, 1.0, 0.5]).interval[1] == 1.0
    assert Rung("a", "b", scores=[0.0, 0.0, 0.5]).interval[0] == 0.0


@pytest.mark.parametrize("deals", [2, 10, 100])
def test_who_won_every_deal_is_not_certain_to_win_the_next(deals):
    low, high = Rung("a", "b", scores=[1.0] * deals).interval
    assert high == 1.0
    # So strong a bot wins every deal in one of forty cases.
    assert low**deals == pytest.approx(0.025)
    assert list(Rung("b", "a", scores=[0.0] * deals).interval) == pytest.approx([0.0, 1 - low])


def test_pieces_add_up_to_the_whole():
    pairs = [("lowest", "random"), ("easy", "random")]
    whole = climb(SECRET, range(6), UNHURRIED, pairs)
    pieces = [climb(SECRET, deals, UNHURRIED, pairs) for deals in (range(4), range(4, 6))]
    for index, rung in enumerate(whole):
        assert rung.scores == [score for piece in pieces for score in piece[index].scores]
        assert rung.decisions == sum(piece[index].decisions for piece in pieces) > 0


def test_a_bot_against_itself_scores_a_half_on_every_deal():
    """Each deal is played from both seats: two that play alike cannot but share it."""
    (rung,) = climb(SECRET, range(5), UNHURRIED, [("lowest", "lowest")])
    assert rung.scores == [0.5] * 5
    assert rung.failures == 0


def test_who_fails_has_lost_and_is_counted():
    (rung,) = climb(SECRET, range(2), Limits(bank=1e-9), [("lowest", "random")])
    assert rung.failures == 4
    assert rung.seconds > 0


def test_progress_counts_games():
    told = []
    climb(SECRET, range(2), UNHURRIED, [("lowest", "random")], lambda done, total: told.append((done, total)))
    assert told == [(2, 4), (4, 4)]


def run(*words):
    return CliRunner().invoke(app, ["samples", "--ladder", *map(str, words)], env={"COLUMNS": "200"})


def test_the_command_prints_the_pairs_asked_for():
    result = run("--pair", "lowest:random", "--deals", 3, "--seed", "s")
    assert result.exit_code == 0, result.output
    assert result.stdout.split("\n")[1].split()[:3] == ["lowest", "random", "6"]


def test_the_command_as_json_holds_every_figure():
    result = run("--pair", "lowest:random", "--deals", 3, "--from", 5, "--json")
    found = json.loads(result.stdout)
    assert (found["first"], found["limits"]["bank"]) == (5, 3.0)
    (pair,) = found["pairs"]
    assert (pair["stronger"], pair["deals"], len(pair["scores"])) == ("lowest", 3, 3)


@pytest.mark.parametrize("pair", ["lowest", "lowest:nobody", "nobody:lowest"])
def test_a_pair_that_is_none_is_refused(pair):
    result = run("--pair", pair)
    assert result.exit_code == 2
    assert "lowest" in result.stderr
