"""The sample bots: files that could be uploaded, deterministic where they say so, each stronger than the last."""

import ast
import itertools
import random
import sys

import pytest

from arena.archive import read_upload
from arena.bot.info import GameInfo
from arena.bot.view import Observer
from arena.durak import CARDS, PRESETS, Card, Ending, Game
from arena.limits import Limits
from arena.local import LocalPlayer
from arena.match import play_match
from arena.samples import SAMPLES, endgame, search
from arena.samples.counting import can_beat
from arena.samples.endgame import Solver

PODKIDNOY = PRESETS["podkidnoy"]
QUICK = [name for name in SAMPLES if name not in ("endgame", "search")]
"""Bots that need no more than a millisecond a decision."""


def decks(count, seed=""):
    return [random.Random(f"{seed}{number}").sample(CARDS, 36) for number in range(count)]


def play(names, count, ruleset=PODKIDNOY, limits=None, seed=""):
    players = [LocalPlayer(SAMPLES[name].load(), name) for name in names]
    return play_match(players, ruleset, decks(count, seed), limits)


def score(one, other, count):
    """The share of points that ``one`` gets from ``other``."""
    games = play([one, other], count).games
    return sum(1 + (game.place_of(0) < game.place_of(1)) - (game.place_of(0) > game.place_of(1)) for game in games) / (
        2 * len(games)
    )


def test_there_are_eight_of_them_weakest_first():
    assert list(SAMPLES) == ["random", "easy", "hoarder", "lowest", "thrifty", "counting", "endgame", "search"]


@pytest.mark.parametrize("name", SAMPLES)
def test_each_is_a_lone_file_that_could_be_uploaded(name):
    sample = SAMPLES[name]
    assert dict(read_upload(f"{name}.py", sample.source).files) == {"bot.py": sample.source}
    assert sample.files.digest == read_upload("bot.py", sample.source).digest


@pytest.mark.parametrize("name", SAMPLES)
def test_each_imports_the_standard_library_and_arena_alone(name):
    tree = ast.parse(SAMPLES[name].source)
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    assert imported <= sys.stdlib_module_names | {"arena"}
    assert "samples" not in SAMPLES[name].source.decode().split("class")[0]


@pytest.mark.parametrize("name", SAMPLES)
def test_each_says_what_its_idea_is(name):
    sample = SAMPLES[name]
    assert (ast.get_docstring(ast.parse(sample.source)) or "").startswith(sample.title + ":")
    assert sample.load().__doc__
    assert sample.idea.endswith(".")


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.deterministic])
def test_deterministic_ones_play_the_same_deal_the_same_way_twice(name):
    unhurried = Limits(bank=100_000.0, move_limit=100_000.0)
    one, two = (play([name, "easy"], 2, limits=unhurried) for _ in range(2))
    assert [game.record.moves for game in one.games] == [game.record.moves for game in two.games]


def test_chance_differs_from_deal_to_deal_and_from_seat_to_seat():
    moves = {
        tuple(str(move) for seat, move in game.record.moves if game.seating[seat] == 0)
        for game in play(["random", "random"], 5).games
    }
    assert len(moves) == 10


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", QUICK)
def test_each_plays_every_preset_at_every_table_without_failing(preset, name):
    ruleset = PRESETS[preset]
    for players in (2, 3, 4, 6):
        if players in ruleset.players:
            for game in play([name, *["easy"] * (players - 1)], 2, ruleset).games:
                assert not game.failures


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ["endgame", "search"])
def test_the_slow_ones_play_every_preset_without_failing(preset, name, monkeypatch):
    monkeypatch.setattr(endgame, "POSITIONS", 1000)
    monkeypatch.setattr(search.Search, "time_for", lambda *_: 0.001)
    ruleset = PRESETS[preset]
    for players in (2, 3, 4):
        if players in ruleset.players:
            names = [name, *["lowest"] * (players - 1)]
            for game in play(names, 1, ruleset, Limits(bank=1000, move_limit=1000)).games:
                assert not game.failures


def test_search_keeps_to_the_clock_however_much_there_is_to_try():
    """By a clock that every look at it moves on by a millisecond, it spends its share and hardly more."""
    now = [0.0]

    def tick():
        now[0] += 0.001
        return now[0]

    bank = 1.0
    spent = []

    class Timed(search.Search):
        def act(self, view):
            before = now[0]
            move = super().act(view)
            spent.append(now[0] - before)
            return move

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.samples.search.time.perf_counter", tick)
        game = Game(PODKIDNOY, 2, decks(1)[0])
        seat = game.attacker
        told = GameInfo(PODKIDNOY, 2, seat, None, game.trump, game.turn_up, seat, bank, 2.0)
        bot, observer, clock, seen = Timed(told), Observer(told), bank, 0
        while game.result is None:
            legal = game.legal_moves()
            if game.actor != seat or len(legal) == 1:
                game.play(legal[0])
                continue
            for event in game.events[seen:]:
                observer.observe(event)
            seen = len(game.events)
            game.play(bot.act(observer.view(game.hand(seat), legal, clock)))
            clock -= spent[-1]
    assert clock > 0
    assert sum(spent) > 0.2


@pytest.mark.parametrize(
    ("stronger", "weaker", "count", "least"),
    [
        ("lowest", "random", 100, 0.88),
        ("easy", "random", 300, 0.51),
        ("hoarder", "easy", 60, 0.8),
        ("lowest", "hoarder", 150, 0.55),
        ("thrifty", "lowest", 250, 0.52),
        ("counting", "thrifty", 250, 0.51),
        ("endgame", "counting", 25, 0.5),
    ],
)
def test_each_is_stronger_than_the_one_before(stronger, weaker, count, least):
    """Decks and bots are fixed, so this is one computation with one result; the bounds are well below what a long
    measurement gives."""
    assert score(stronger, weaker, count) >= least


@pytest.fixture
def counted_clock(monkeypatch):
    """A clock that each look at it moves on by two milliseconds: the searching sample does the same work anywhere."""
    ticks = itertools.count()
    monkeypatch.setattr("arena.samples.search.time.perf_counter", lambda: next(ticks) / 500)


@pytest.mark.parametrize(("weaker", "least"), [("lowest", 0.75), ("thrifty", 0.6)])
@pytest.mark.usefixtures("counted_clock")
def test_search_is_stronger_by_far(weaker, least):
    """By a counted clock this is one computation with one result too."""
    assert score("search", weaker, 8) >= least


@pytest.mark.usefixtures("counted_clock")
@pytest.mark.parametrize("preset", PRESETS)
def test_search_never_fails_on_a_slow_clock_with_half_a_second(preset):
    """It has time for a handful of worlds a decision, and for none when a game is long."""
    ruleset = PRESETS[preset]
    for players in (2, 4, 6):
        if players in ruleset.players:
            names = ["search", *["easy"] * (players - 1)]
            for game in play(names, 1, ruleset, Limits(bank=0.5), seed="slow").games:
                assert not game.failures


# counting


@pytest.mark.parametrize(
    ("attack", "hand", "beaten"),
    [
        ("7c", "8c", True),
        ("7c", "6c 8d", False),
        ("7c", "6h", True),
        ("Ah", "6h", False),
        ("7c 7d", "8c 6h", True),
        ("7c 7d", "8c", False),
        ("7c Ac", "8c 6h", True),
        ("Ac 7c", "6h 8c", True),
        ("7c 8c", "9c 6d", False),
    ],
)
def test_can_beat_finds_an_answer_for_every_card_or_none(attack, hand, beaten):
    assert can_beat([*map(Card, attack.split())], [*map(Card, hand.split())], "h") is beaten


# endgame


def brute_force(game, seat):
    """The exact worth of a position, by trying everything."""
    if game.result is not None:
        if game.result.ending is not Ending.FOOL:
            return 0.5
        return 1.0 if game.result.places[seat] < max(game.result.places) else 0.0
    values = []
    for move in game.legal_moves():
        after = game.copy()
        after.play(move)
        values.append(brute_force(after, seat))
    return max(values) if game.actor == seat else min(values)


def endgames(count, most):
    """Positions with the talon empty, two left and few cards."""
    for number in range(10_000):
        rng = random.Random(number)
        game = Game(PODKIDNOY, 2, rng.sample(CARDS, 36))
        while game.result is None:
            if (
                game.talon_count == 0
                and sum(game.hand_counts) + 2 * len(game.table) <= most
                and len(game.legal_moves()) > 1
            ):
                yield game.copy()
                count -= 1
                break
            game.play(rng.choice(game.legal_moves()))
        if count == 0:
            return


def test_the_solver_agrees_with_brute_force():
    seen = set()
    for game in endgames(60, 6):
        seat = game.actor
        assert seat is not None
        best = brute_force(game, seat)
        seen.add(best)
        move = Solver(seat).best_move(game, 10**9, 1e9)
        if best == 0.0:
            assert move is None
        else:
            assert move is not None
            game.play(move)
            assert brute_force(game, seat) == best
    assert {0.0, 1.0} <= seen


def test_the_solver_gives_up_when_the_end_is_out_of_sight():
    game = next(endgames(1, 16))
    assert game.actor is not None
    assert Solver(game.actor).best_move(game, 3, 1e9) is None
