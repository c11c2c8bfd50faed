"""The searching sample: its solver against brute force under every ruleset, its worth of hands, its clock."""

import math
import random
from collections.abc import Iterator

import pytest

from arena.bot.info import GameInfo
from arena.bot.view import Observer, View
from arena.durak import CARDS, PRESETS, EventKind, Game, Ruleset
from arena.samples.search import OutOfSightError, Search, Solver, is_behind, worth, worths_at

LAST_TWOS = [
    (name, players)
    for name, ruleset in PRESETS.items()
    for players in (2, 4)
    if ruleset.teams == "none" and (players == 2 or ruleset.result == "last_is_fool")
]
"""Where a game comes to two who are left, each for himself."""


def brute_force(game: Game, seat: int) -> float:
    """The exact worth of a position, by trying everything with the engine."""
    if game.result is not None:
        return worth(game.result, seat)
    values = []
    for move in game.legal_moves():
        after = game.copy()
        after.play(move)
        values.append(brute_force(after, seat))
    return max(values) if game.actor == seat else min(values)


def last_twos(ruleset: Ruleset, players: int, most: int, seed: str = "") -> Iterator[tuple[Game, GameInfo, View]]:
    """Positions of random games with the talon empty, two left and at most ``most`` cards, each with a choice."""
    for number in range(1000):
        rng = random.Random(f"{seed}{ruleset.name} {players} {number}")
        game = Game(ruleset, players, rng.sample(CARDS, 36))
        infos = [
            GameInfo(ruleset, players, seat, None, game.trump, game.turn_up, game.attacker, 10.0, 2.0)
            for seat in range(players)
        ]
        observers = [Observer(info) for info in infos]
        seen = 0
        while game.actor is not None:
            for event in game.events[seen:]:
                for observer in observers:
                    observer.observe(event)
            seen = len(game.events)
            legal = game.legal_moves()
            out = sum(event.kind is EventKind.OUT for event in game.events)
            cards = sum(game.hand_counts) + 2 * len(game.table)
            if game.talon_count == 0 and out == players - 2 and cards <= most and len(legal) > 1:
                seat = game.actor
                yield game.copy(), infos[seat], observers[seat].view(game.hand(seat), legal, 10.0)
            game.play(rng.choice(legal))


@pytest.mark.parametrize(("preset", "players"), LAST_TWOS)
def test_the_solver_agrees_with_brute_force(preset, players):
    seen = set()
    positions = last_twos(PRESETS[preset], players, 6)
    for _ in range(12):
        game, info, view = next(positions)
        solver = Solver(info)
        solver.deadline = math.inf
        for move in view.legal:
            after = game.copy()
            after.play(move)
            expected = brute_force(after, info.seat)
            found = 1.0 if solver.reaches(view, move, True) else 0.5 if solver.reaches(view, move, False) else 0.0
            assert found == expected, (move, view.table, view.hand, view.unseen)
            seen.add(expected)
    assert {0.0, 1.0} <= seen


def test_the_best_move_is_one_that_wins_where_one_does():
    wins = 0
    positions = last_twos(PRESETS["podkidnoy"], 2, 6, "best")
    for _ in range(20):
        game, info, view = next(positions)
        best = brute_force(game, info.seat)
        move = Solver(info).best_move(view, math.inf)
        assert (move is None) == (best == 0.0)
        if move is not None:
            game.play(move)
            assert brute_force(game, info.seat) == best
            wins += best == 1.0
    assert wins


def test_the_solver_gives_up_when_there_is_no_time():
    _, info, view = next(last_twos(PRESETS["podkidnoy"], 2, 30))
    solver = Solver(info)
    assert solver.best_move(view, -math.inf) is None
    with pytest.raises(OutOfSightError):
        solver.lead(1, 2, True)


def test_hands_are_weighed_alike_from_both_sides():
    """What one side's chance is, the other's lacks to one; more trumps are better at every stage."""
    game = Game(PRESETS["podkidnoy"], 2, random.Random(5).sample(CARDS, 36))
    infos = [GameInfo(game.ruleset, 2, seat, None, game.trump, game.turn_up, 0, 10.0, 2.0) for seat in (0, 1)]
    chances = [Search(info).weigh(game, info.seat) for info in infos]
    assert sum(chances) == pytest.approx(1.0)
    for count in range(25):
        cards, lead = worths_at(count, "h")
        by_text = {str(card): value for card, value in cards.items()}
        assert by_text["6c"] < by_text["Ac"] < by_text["Ah"]
        assert by_text["6c"] < by_text["6h"] < by_text["Ah"]
        assert lead > 0


def test_a_move_is_given_up_when_it_is_worse_by_more_than_chance():
    assert is_behind([0.0] * 16, [1.0] * 16)
    assert not is_behind([0.5] * 16, [0.5] * 16)
    assert not is_behind([1.0, 0.0] * 8, [0.0, 1.0] * 8)
    assert not is_behind([0.0], [1.0])
