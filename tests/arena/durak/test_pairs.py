"""Two against two: 0 and 2 play against 1 and 3."""

from dataclasses import replace

from arena.durak import Ending, Outcome
from tests.arena.durak.tables import PAIRS, events, legal, play, table

HANDS = ("7c 7s Ks", "8c 8d Qs", "7d 9d Js", "Tc Td Ts")


def roles(game):
    return (game.attacker, game.defender)


def test_partners_sit_opposite():
    game = table(PAIRS, *HANDS)
    assert [game.partner(seat) for seat in range(4)] == [2, 3, 0, 1]


def test_the_partner_of_the_attacker_may_throw_in_and_the_defenders_may_not():
    game = play(table(PAIRS, *HANDS), "7c", "7c/8c")
    assert (game.actor, legal(game)) == (0, "7s pass")
    play(game, "pass")
    assert (game.actor, legal(game)) == (2, "7d pass")
    play(game, "pass")
    assert events(game)[-1] == "beaten"


def test_after_a_take_the_next_place_leads():
    game = play(table(PAIRS, *HANDS), "7c", "take", "pass", "pass")
    assert roles(game) == (2, 3)


def test_after_a_beaten_bout_the_defender_leads():
    game = play(table(PAIRS, *HANDS), "7c", "7c/8c", "pass", "pass")
    assert roles(game) == (1, 2)


def test_who_is_out_is_played_for_by_his_partner_as_defender():
    game = play(table(PAIRS, "7c 7s Ks", "8c 8d Qs", "", "Tc Td Ts"), "7c", "7c/8c", "pass")
    assert roles(game) == (1, 0)
    assert game.actor == 1


def test_who_is_out_is_played_for_by_his_partner_as_attacker():
    game = play(table(PAIRS, "7c 7s Ks", "8c 8d Qs", "", "Tc Td Ts"), "7c", "take", "pass")
    assert roles(game) == (0, 3)
    assert game.actor == 0


def test_the_turn_passes_place_by_place():
    game = table(PAIRS, "7c 7s Ks Ac", "8c 8d Qs Jc", "", "Tc Td Ts Qc")
    play(game, "7c", "take", "pass")
    assert roles(game) == (0, 3)
    play(game, "Ks", "take", "pass")
    assert roles(game) == (0, 1)
    play(game, "Ac", "take", "pass")
    assert roles(game) == (0, 3)
    assert game.result is None


def test_partners_never_attack_each_other_with_two_left():
    game = table(PAIRS, "7c 7s Ks", "8c 8d Qs", "", "")
    play(game, "7c", "7c/8c", "pass")
    assert roles(game) == (1, 0)
    play(game, "8d", "take", "pass")
    assert roles(game) == (1, 0)
    play(game, "Qs", "Qs/Ks")
    assert game.result == Outcome(Ending.WIN, (2, 1, 2, 1), None)


def test_the_side_whose_players_are_both_out_wins():
    game = play(table(PAIRS, "7c", "8d", "", "Tc"), "7c", "take")
    assert game.result == Outcome(Ending.WIN, (1, 2, 1, 2), None)


def test_one_of_a_side_out_does_not_end_the_game():
    game = play(table(PAIRS, "7c", "8d Kd", "9d Js", "Tc Ts"), "7c", "take", "pass")
    assert game.result is None
    assert events(game)[-1] == "out 0"
    assert roles(game) == (2, 3)


def test_both_sides_out_in_one_bout_is_a_draw():
    game = play(table(PAIRS, "7c", "8c", "", ""), "7c", "7c/8c")
    assert game.result == Outcome(Ending.DRAW, (1, 1, 1, 1), None)


def test_first_out_wins_for_both_partners():
    game = play(table(replace(PAIRS, result="first_out_wins"), "7c", "8d Kd", "9d Js", "Tc Ts"), "7c", "take", "pass")
    assert game.result == Outcome(Ending.WIN, (1, 2, 1, 2), None)


def test_a_transfer_goes_to_the_attackers_side():
    rules = replace(PAIRS, transfer=True)
    game = play(table(rules, "7c 7s Ks", "7d 8d Qs", "9d Js Jd", "Tc Td Ts"), "7c", ">7d")
    assert roles(game) == (1, 2)
    play(game, "take")
    assert game.actor == 1
    play(game, "pass")
    assert game.actor == 3


def test_a_transfer_to_the_place_of_who_is_out_goes_to_his_partner():
    rules = replace(PAIRS, transfer=True)
    game = play(table(rules, "7c Ks As", "7d 8d Qs", "", "Tc Td Ts"), "7c", ">7d")
    assert roles(game) == (1, 0)
    assert game.actor == 0


def test_neighbours_of_a_player_at_both_places():
    rules = replace(PAIRS, throw_in_who="neighbours")
    game = play(table(rules, "7c 7s Ks", "8c 8d Qs", "", "Tc Td Ts"), "7c", "7c/8c", "pass")
    assert events(game)[-1] == "beaten"


def test_a_stalemate_is_shared():
    game = table(replace(PAIRS, stalemate_takes=1), "7c 7s Ks", "8c 8d Qs", "9d Js", "Tc Td")
    play(game, "7c", "take", "pass", "pass")
    assert game.result == Outcome(Ending.STALEMATE, (1, 1, 1, 1), None)


def test_a_stalemate_is_shared_by_who_went_out_as_well():
    game = table(replace(PAIRS, stalemate_takes=1), "7c 7s Ks", "", "9d Js", "Tc Td", attacker=2)
    play(game, "9d", "take", "pass", "pass")
    assert game.result == Outcome(Ending.STALEMATE, (1, 1, 1, 1), None)


def test_the_bout_limit_is_shared():
    game = table(replace(PAIRS, bout_limit=2), "7c 7s Ks", "", "9d Js", "Tc Td", attacker=2)
    play(game, "9d", "take", "pass", "pass")
    assert game.result == Outcome(Ending.BOUT_LIMIT, (1, 1, 1, 1), None)
