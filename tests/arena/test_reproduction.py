"""The file of a failed game: it asks the bot exactly what it was asked, and is refused when it is not whole."""

import json
import math
import random
from typing import Any

import pytest

from arena.bot import Bot
from arena.durak import CARDS, PRESETS
from arena.failure import Reason
from arena.limits import Limits
from arena.local import LocalPlayer
from arena.match import play_match
from arena.reproduction import Reproduction, ReproductionError, decisions, info_of, reproduction_of
from arena.samples import SAMPLES


class Witness(Bot):
    """Plays its cheapest move, remembers what it saw, and fails at its seventh decision."""

    seen: list[Any] = []  # noqa: RUF012 - shared on purpose: the objects of a bot are out of reach

    def __init__(self, game):
        super().__init__(game)
        self.asked = 0
        self.seen.append((game, []))

    def act(self, view):
        self.asked += 1
        self.seen[-1][1].append(view)
        if self.asked == 7:
            raise IndexError("the seventh")
        return view.legal[0]


def play(players=3, preset="podkidnoy", seed=2):
    Witness.seen.clear()
    deck = random.Random(seed).sample(CARDS, 36)
    others = [LocalPlayer(SAMPLES["lowest"].load(), "lowest") for _ in range(players - 1)]
    result = play_match([LocalPlayer(Witness, "witness", 4), *others], PRESETS[preset], [deck], Limits(bank=9.0))
    return result.games[0]


@pytest.mark.parametrize(("players", "preset"), [(2, "podkidnoy"), (3, "perevodnoy"), (4, "pairs"), (5, "podkidnoy")])
def test_the_bot_is_asked_what_it_was_asked(players, preset):
    found = reproduction_of(play(players, preset), 0)
    game, views = Witness.seen[0]
    asked = list(decisions(Reproduction.loads(found.dumps())))
    assert info_of(found) == game
    assert len(asked) == 7
    for decision, view in zip(asked, views, strict=True):
        assert decision.view.clock == pytest.approx(view.clock, abs=1e-3)
        for name in set(view.__slots__) - {"clock"}:
            assert getattr(decision.view, name) == getattr(view, name), name
    assert [decision.answer for decision in asked[:-1]] == [view.legal[0] for view in views[:-1]]
    assert asked[-1].answer is None


def test_the_file_says_who_failed_why_and_when():
    game = play()
    found = Reproduction.loads(reproduction_of(game, 0).dumps())
    assert (found.bot, found.version, found.seat, found.reason) == ("witness", 4, 0, Reason.CRASH)
    assert found.at == len(found.record.moves) == game.failures[0].at
    assert "the seventh" in found.message
    assert found.view["legal"] == [str(move) for move in Witness.seen[0][1][-1].legal]
    assert found.limits.bank == 9.0
    assert found.use["decisions"] == 7


def test_who_did_not_fail_has_no_file():
    assert reproduction_of(play(), 1) is None


def test_a_game_that_was_not_played_has_no_file():
    class Fails(Bot):
        def act(self, _view):
            return "nothing"

    decks = [random.Random(seed).sample(CARDS, 36) for seed in range(2)]
    players = [LocalPlayer(Fails), LocalPlayer(SAMPLES["lowest"].load())]
    games = play_match(players, PRESETS["podkidnoy"], decks, Limits(forfeit_after=1)).games
    assert [reproduction_of(game, 0) is None for game in games] == [False, True, True, True]


def test_a_bot_that_did_not_start_was_asked_nothing():
    class Broken(Bot):
        def __init__(self, _game):
            raise KeyError("no")

    players = [LocalPlayer(Broken), LocalPlayer(SAMPLES["lowest"].load())]
    game = play_match(players, PRESETS["podkidnoy"], [random.Random(1).sample(CARDS, 36)]).games[0]
    found = reproduction_of(game, 0)
    assert found.reason is Reason.LOAD
    assert [decision.answer for decision in decisions(found)] in ([], [None])


def spoil(change):
    data = json.loads(reproduction_of(play(), 0).dumps())
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda data: data.pop("view") and data.pop("seat"), "lacks 'seat'"),
        (lambda data: data.update(format="durak-record/1"), "durak-failure/1"),
        (lambda data: data.update(seat=3), "no seat 3"),
        (lambda data: data.update(at=2), "after 2 moves"),
        (lambda data: data.update(reason="boredom"), "boredom"),
        (lambda data: data["record"].update(deck=[]), "damaged"),
        (lambda data: data.update(view=5), "view is an object"),
        (lambda data: data.update(view={}), "lacks 'clock'"),
        (lambda data: data.update(view={"clock": []}), "damaged"),
        (lambda data: data.update(view={"clock": math.nan}), "clock"),
        (lambda data: data.update(detail=7), "detail is an object"),
        (lambda data: data.update(version=math.inf), "damaged"),
        (lambda data: data["record"]["limits"].update(bank=-1), "bank"),
    ],
)
def test_a_file_that_is_not_whole_is_refused_with_a_sentence(change, told):
    with pytest.raises(ReproductionError, match=told):
        Reproduction.loads(spoil(change))


@pytest.mark.parametrize("content", ["", "[" * 100_000, "[]", "{}", "null", b"\xff", '{"format": "durak-failure/1"}'])
def test_what_is_no_such_file_is_refused(content):
    with pytest.raises(ReproductionError):
        Reproduction.loads(content)
