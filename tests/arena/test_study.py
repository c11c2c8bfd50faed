"""The published study, played again."""

import math
import random
from pathlib import Path

import pytest

from arena.bot import GameInfo
from arena.bot.view import Observer
from arena.deal import derive_deck
from arena.durak import PRESETS, Ending, Game, Move, Outcome
from arena.samples.easy import Easy
from arena.study import (
    PUBLISHED,
    Comparison,
    Figure,
    Tally,
    compare,
    easy_move,
    play_game,
    play_study,
    share,
)


class Dice(dict[str, float]):
    """Dice that keep for each occasion what was thrown for it."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.rng = rng

    def __missing__(self, occasion: str) -> float:
        self[occasion] = self.rng.random()
        return self[occasion]


class Diced(Easy):
    """The sample bot with dice from outside."""

    dice: Dice

    def chance(self, occasion: str) -> float:
        return self.dice[occasion]


def play_bots(game: Game, rng: random.Random) -> int:
    """Play ``game`` by sample bots that see their views, and return how often they had a choice."""
    info = [
        GameInfo(game.ruleset, game.players, seat, None, game.trump, game.turn_up, game.attacker, 10, 2)
        for seat in range(game.players)
    ]
    observers, bots = [Observer(one) for one in info], [Diced(one) for one in info]
    dice = Dice(rng)
    seen = choices = 0
    while game.actor is not None:
        legal = game.legal_moves()
        if len(legal) == 1:
            game.play(legal[0])
            continue
        for observer in observers:
            for event in game.events[seen:]:
                observer.observe(event)
        seen = len(game.events)
        bots[game.actor].dice = dice
        game.play(bots[game.actor].act(observers[game.actor].view(game.hand(game.actor), tuple(legal), 10)))
        choices += 1
    return choices


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_study_plays_as_the_sample_bot_with_the_same_dice(players):
    choices = 0
    for number in range(20):
        deck = derive_deck(bytes(32), number, 0)
        bots, study = (Game(PRESETS["podkidnoy"], players, deck) for _ in range(2))
        choices += play_bots(bots, random.Random(number))
        play_game(study, random.Random(number))
        assert study.moves == bots.moves
    assert choices > 500


def test_dice_are_thrown_only_for_what_comes_up():
    lead, take, beat, skip = (Move.parse(text) for text in ("6c", "take", "6c/7c", "pass"))

    def never() -> float:
        raise AssertionError("no such decision comes up")

    assert easy_move([lead, Move.parse("9c")], never, never) == lead
    assert easy_move([beat, take], lambda: 0.49, never) == take
    assert easy_move([beat, take], lambda: 0.5, never) == beat
    assert easy_move([lead, skip], never, lambda: 0.69) == skip
    assert easy_move([lead, skip], never, lambda: 0.7) == lead


@pytest.fixture(scope="module")
def tallies():
    return play_study(seed=1)


def test_the_trump_columns_agree_with_the_study(tallies):
    for tally, line in zip(tallies, PUBLISHED, strict=True):
        assert (tally.players, len(tally.bouts)) == (line.players, line.games)
        for comparison in compare(tally, line):
            assert comparison.agrees or not comparison.judged, comparison
            if comparison.judged and comparison.published is not None:
                assert abs(comparison.measured.value - comparison.published) < 3 * comparison.measured.error


def test_hands_are_dealt_as_often_as_chance_deals_them(tallies):
    # Six of the 35 cards beside the turn-up, eight of them trumps.
    chance = math.comb(27, 6) / math.comb(35, 6)
    for tally in tallies:
        hands = sum(tally.dealt.values())
        assert hands == tally.players * len(tally.bouts)
        assert tally.dealt[0] / hands == pytest.approx(chance, abs=4 * math.sqrt(chance / hands))
        assert sum(tally.fools.values()) == tally.endings["fool"]


def test_the_page_shows_what_the_command_prints(tallies):
    page = (Path(__file__).parents[2] / "docs" / "study.md").read_text(encoding="utf-8")
    for tally, line in zip(tallies, PUBLISHED, strict=True):
        cells = [f"{line.players}"]
        for found in compare(tally, line):
            there = "-" if found.published is None else _cell(found, found.published, 0 if found.published > 1 else 1)
            here = _cell(found, found.measured.value, 1)
            cells.append(f"{there} / {here} ± {_cell(found, found.measured.error, 1)}")
        assert f"| {' | '.join(cells)} |" in page


def _cell(found, value, digits):
    return f"{100 * value:.1f} %" if found.is_share else f"{value:.{digits}f}"


def test_more_trumps_make_a_better_hand():
    tally = play_study(seed=2, scale=0.2)[0]
    assert tally.fool_with_trumps(0).value > tally.fool_with_trumps(3).value + 0.03


def test_the_same_seed_plays_the_same_games():
    one, again, other = (play_study(seed, scale=0.01) for seed in (1, 1, 2))
    assert [tally.to_json() for tally in one] == [tally.to_json() for tally in again]
    assert [tally.bouts for tally in one] != [tally.bouts for tally in other]


def test_progress_is_told_up_to_the_end():
    told = []
    play_study(scale=0.05, on_progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (345, 345)
    assert told == sorted(told)


def test_figures_have_the_errors_of_the_textbook():
    assert share(25, 100) == Figure(0.25, math.sqrt(0.25 * 0.75 / 100), 100)
    assert math.isnan(share(0, 0).value)
    tally = Tally(2)
    game = Game(PRESETS["podkidnoy"], 2, derive_deck(bytes(32), 0, 0))
    for bout, fool in ((10, 0), (14, 1), (18, None)):
        game.bout = bout
        game.result = Outcome(Ending.DRAW if fool is None else Ending.FOOL, (1, 2), fool)
        tally.add(game, (0, 3), leader=1)
    assert (tally.mean_bouts().value, tally.mean_bouts().cases) == (14, 3)
    assert tally.mean_bouts().error == pytest.approx(4 / math.sqrt(3))
    assert tally.draws().value == pytest.approx(1 / 3)
    assert tally.fool_leading().value == pytest.approx(1 / 3)
    assert tally.fool_with_trumps(3).value == pytest.approx(1 / 3)
    assert tally.fool_with_trumps(0).cases == 3


def test_distance_is_in_standard_errors_of_the_difference():
    def comparison(published, ratio=1.0):
        return Comparison("x", published, Figure(0.5, 0.01, 100), judged=True, ratio=ratio)

    assert comparison(0.5 - 3 * math.sqrt(2) * 0.01).apart == pytest.approx(3)
    # With ten times as many games as the study our error is small, and the study's own counts more.
    assert comparison(0.5 + 3 * math.sqrt(11) * 0.01, ratio=10).apart == pytest.approx(-3)
    assert (comparison(0.46).agrees, comparison(0.44).agrees) == (True, False)
    assert comparison(None).apart is None
    assert not comparison(None).agrees
    assert not Comparison("x", 0.1, Figure(0.0, 0.0, 3), judged=True).agrees
