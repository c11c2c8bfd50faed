"""The end of the game."""

from dataclasses import FrozenInstanceError, replace

import pytest

from arena.durak import CARDS, PRESETS, Ending, Game, IllegalMove, Outcome
from tests.arena.durak.tables import FIRST_OUT, PAIRS, PODKIDNOY, play, ruleset, table

ALONE = ruleset(throw_in_before_defence=False, throw_in_who="attacker", throw_in_on_take=False)
FIRST_WINS = replace(ALONE, result="first_out_wins")


def test_the_last_two_out_in_one_bout_is_a_draw():
    game = play(table(ALONE, "9c", "Jc"), "9c", "9c/Jc")
    assert game.result == Outcome(Ending.DRAW, (1, 1), None)
    assert game.actor is None
    assert game.legal_moves() == []


def test_who_laid_his_last_card_first_wins_where_that_counts():
    game = play(table(FIRST_WINS, "9c", "Jc"), "9c", "9c/Jc")
    assert game.result == Outcome(Ending.WIN, (1, 2), None)


def test_the_defender_can_be_the_first_without_cards():
    rules = replace(FIRST_OUT, throw_in_before_defence=False)
    game = table(rules, "9c Jd", "Jc Qd Kd", "Js Ks")
    play(game, "9c", "9c/Jc", "Jd", "pass", "Jd/Qd", "pass")
    assert game.result == Outcome(Ending.WIN, (1, 2, 2), None)


def test_of_several_out_the_first_to_lay_his_last_card_wins():
    game = table(replace(FIRST_OUT, throw_in_before_defence=False), "9c Jd", "Jc Qd", "Js Ks")
    play(game, "9c", "9c/Jc", "Jd", "Jd/Qd")
    assert game.result == Outcome(Ending.WIN, (1, 2, 2), None)
    game = table(replace(FIRST_OUT, throw_in_before_defence=False), "9c Ks", "Jc Qs", "Js", cap=2)
    play(game, "9c", "9c/Jc", "pass", "Js", "Js/Qs")
    assert game.result == Outcome(Ending.WIN, (2, 2, 1), None)


def test_the_loser_who_takes_at_the_last_turn_is_the_fool():
    game = play(table(ALONE, "9c", "8d"), "9c", "take")
    assert game.result == Outcome(Ending.FOOL, (1, 2), 1)
    assert game.table == ()
    assert game.hand_counts == (0, 2)


def test_two_out_in_one_bout_share_the_first_place():
    game = play(table(ALONE, "9c", "Jc", "Ks Kd"), "9c", "9c/Jc")
    assert game.result == Outcome(Ending.FOOL, (1, 1, 3), 2)


def test_earlier_out_is_better():
    game = play(table(ALONE, "9c", "", "Jc Qd", "", out={1: 3, 3: 7}, bout=9), "9c", "take")
    assert game.result == Outcome(Ending.FOOL, (3, 1, 4, 2), 2)


def test_all_out_at_once():
    game = table(PODKIDNOY, "9c", "Jc Jd", "9d")
    play(game, "9c", "9d", "9c/Jc", "9d/Jd")
    assert game.result == Outcome(Ending.DRAW, (1, 1, 1), None)


def test_the_game_goes_on_while_two_have_cards():
    game = play(table(ALONE, "9c", "Jc Qd", "Ks Kd"), "9c", "9c/Jc")
    assert game.result is None
    assert game.actor == 1


# Stalemate and the bout limit


def take_once(game):
    play(game, game.legal_moves()[0], "take")


def stuck(**more):
    """Talon empty, and the defender always takes: with two players the attacker leads for ever."""
    cards = [str(card) for card in CARDS]
    return table(replace(ALONE, **more.pop("options", {})), " ".join(cards[:18]), " ".join(cards[18:]), **more)


def test_takes_with_the_talon_empty_end_in_a_stalemate():
    game = stuck(options={"stalemate_takes": 3})
    take_once(game)
    take_once(game)
    assert game.result is None
    take_once(game)
    assert game.result == Outcome(Ending.STALEMATE, (1, 1), None)


def test_forty_takes():
    game = stuck(takes_running=39)
    take_once(game)
    assert game.result == Outcome(Ending.STALEMATE, (1, 1), None)
    game = stuck(takes_running=38)
    take_once(game)
    assert game.result is None


def test_a_beaten_bout_resets_the_count():
    game = table(ALONE, "7c 8c Ks Qs", "9c Jd Kd Qd", "Js 6d 6s", takes_running=38)
    play(game, "7c", "take")
    assert game.actor == 2
    play(game, "Js", "Js/Qs", "pass")
    for lead in ("8c",):
        play(game, lead, "take")
    assert game.result is None


def test_an_exit_resets_the_count():
    game = table(ALONE, "7c", "9c Jd", "Js 6d", takes_running=39)
    play(game, "7c", "take")
    assert game.result is None
    play(game, "6d", "take")
    assert game.result is None


def test_the_count_begins_anew_at_nought():
    """Of two takes after an exit, or after a beaten bout, only the second is the second in a row."""
    two = replace(ALONE, stalemate_takes=2)
    exit_first = play(table(two, "7c", "9c Jd Kc", "Js 6d Ks"), "7c", "take", "Js", "take")
    assert exit_first.result is None
    take_once(exit_first)
    assert exit_first.result == Outcome(Ending.STALEMATE, (1, 2, 2), None)
    beaten_first = play(table(two, "7c 8c Ks Qs", "9c Jd Kd Qd"), "7c", "7c/9c", "pass", "Jd", "take")
    assert beaten_first.result is None
    take_once(beaten_first)
    assert beaten_first.result == Outcome(Ending.STALEMATE, (1, 1), None)


def test_the_count_of_a_dealt_game_begins_at_nought():
    game = Game(replace(ALONE, stalemate_takes=1), 2, CARDS)
    while game.talon_count or game.table:
        moves = [str(move) for move in game.legal_moves()]
        game.play("take" if "take" in moves else moves[0])
    assert game.result is None or game.result.ending is Ending.STALEMATE
    if game.result is None:
        take_once(game)
    assert game.result == Outcome(Ending.STALEMATE, (1, 1), None)


def test_takes_count_only_with_the_talon_empty():
    game = table(ALONE, "7c 8c 9c Tc Jc Qc", "6d 7d 8d 9d Td Jd", talon="6s 7s 6h", takes_running=39)
    play(game, "7c", "take")
    assert game.talon_count == 2
    assert game.result is None


def test_without_stalemate_the_takes_go_on():
    game = stuck(options={"stalemate_takes": None}, takes_running=300)
    take_once(game)
    assert game.result is None


def test_who_went_out_before_a_stalemate_keeps_his_place():
    game = table(ALONE, "7c 9c", "6d 7d", "", takes_running=39)
    play(game, "7c", "take")
    assert game.result == Outcome(Ending.STALEMATE, (2, 2, 1), None)


@pytest.mark.parametrize("players", [3, 5])
def test_who_always_takes_meets_the_bout_limit(players):
    game = Game(PODKIDNOY, players, CARDS)
    while game.actor is not None:
        moves = game.legal_moves()
        on_table = bool(game.table)
        game.play(moves[-1] if on_table else moves[0])
    assert game.result == Outcome(Ending.BOUT_LIMIT, (1,) * players, None)
    assert game.bout == 500
    assert game.talon_count > 0


def test_the_bout_limit_is_an_option():
    game = Game(ruleset(bout_limit=2), 3, CARDS)
    while game.actor is not None:
        game.play(game.legal_moves()[-1])
    assert game.result == Outcome(Ending.BOUT_LIMIT, (1, 1, 1), None)
    assert game.bout == 2


def test_a_game_decided_in_the_last_bout_is_decided():
    game = play(table(ruleset(bout_limit=7), "9c", "8d", bout=7), "9c", "take")
    assert game.result == Outcome(Ending.FOOL, (1, 2), 1)


# Forfeits


def test_a_forfeit_gives_the_last_place():
    game = Game(PODKIDNOY, 3, CARDS)
    game.forfeit([1])
    assert game.result == Outcome(Ending.FORFEIT, (1, 3, 1), None)
    assert game.actor is None
    assert game.legal_moves() == []


def test_all_who_failed_share_the_last_place():
    game = Game(PODKIDNOY, 3, CARDS)
    game.forfeit([1, 2])
    assert game.result == Outcome(Ending.FORFEIT, (1, 2, 2), None)
    game = Game(PODKIDNOY, 2, CARDS)
    game.forfeit([0, 1])
    assert game.result == Outcome(Ending.FORFEIT, (1, 1), None)


def test_a_partner_does_not_pay_for_a_failure():
    game = Game(PAIRS, 4, CARDS)
    game.forfeit([3])
    assert game.result == Outcome(Ending.FORFEIT, (1, 1, 1, 2), None)
    game = Game(PAIRS, 4, CARDS)
    game.forfeit([1, 2])
    assert game.result == Outcome(Ending.FORFEIT, (1, 2, 2, 1), None)
    game = Game(PAIRS, 4, CARDS)
    game.forfeit([0, 1, 2, 3])
    assert game.result == Outcome(Ending.FORFEIT, (1, 1, 1, 1), None)


def test_a_forfeit_counts_when_the_game_is_over():
    game = play(table(ALONE, "9c", "8d"), "9c", "take")
    game.forfeit([0])
    assert game.result == Outcome(Ending.FORFEIT, (2, 1), None)


@pytest.mark.parametrize("seats", [[], [3], [-1], [0, 7]])
def test_only_seats_of_the_game_forfeit(seats):
    game = Game(PODKIDNOY, 3, CARDS)
    with pytest.raises(ValueError, match="Seats 0 to 2 can forfeit"):
        game.forfeit(seats)
    assert game.result is None


def test_nothing_is_played_after_the_end():
    game = play(table(ALONE, "9c", "8d"), "9c", "take")
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play("8d")


@pytest.mark.parametrize("name", PRESETS)
def test_always_the_cheapest_move_ends_every_game(name):
    for players in PRESETS[name].players:
        game = Game(PRESETS[name], players, CARDS)
        while game.actor is not None:
            game.play(game.legal_moves()[0])
        assert game.result is not None
        assert game.result.ending in (Ending.FOOL, Ending.DRAW, Ending.WIN)


def test_an_outcome_cannot_be_changed():
    outcome = Outcome(Ending.DRAW, (1, 1), None)
    with pytest.raises(FrozenInstanceError):
        outcome.fool = 1  # type: ignore[misc]
    assert {outcome: "can be looked up"}[Outcome(Ending.DRAW, (1, 1), None)]
