"""The end of a bout: who leads next, who draws what, who is out."""

from arena.durak import Game
from tests.arena.durak.tables import PODKIDNOY, deck_of, events, hand, legal, play, ruleset, table

ANSWER_FIRST = ruleset(throw_in_before_defence=False)
ALONE = ruleset(throw_in_before_defence=False, throw_in_who="attacker", throw_in_on_take=False)


def roles(game):
    return (game.actor, game.attacker, game.defender)


# The next attacker


def test_who_beat_leads_next():
    game = play(table(ALONE, "7c Kd", "9c 9d", "8s 8d"), "7c", "7c/9c", "pass")
    assert roles(game) == (1, 1, 2)


def test_who_took_is_passed_over():
    game = play(table(ALONE, "7c Kd", "9c 9d", "8s 8d"), "7c", "take")
    assert roles(game) == (2, 2, 0)


def test_between_two_the_attacker_leads_again_after_a_take():
    game = play(table(ALONE, "7c Kd", "9c 9d"), "7c", "take")
    assert roles(game) == (0, 0, 1)


def test_when_who_beat_is_out_the_next_player_leads():
    game = play(table(ALONE, "7c Kd", "9c", "8s"), "7c", "7c/9c")
    assert events(game)[-2:] == ["beaten", "out 1"]
    assert roles(game) == (2, 2, 0)


def test_when_the_attacker_is_out_after_a_take_the_next_one_leads_against_the_taker():
    game = play(table(ALONE, "7c", "8d 9d", "Ks"), "7c", "take")
    assert events(game)[-2:] == ["taken 1", "out 0"]
    assert roles(game) == (2, 2, 1)


def test_when_the_thrower_is_out_after_a_take_the_one_after_him_leads():
    game = play(table(PODKIDNOY, "7c Ks", "8d 9d", "7d"), "7c", "pass", "7d", "take")
    assert events(game)[-2:] == ["taken 1", "out 2"]
    assert roles(game) == (0, 0, 1)


# Drawing


def draws(game):
    return [text for text in events(game) if text.startswith("draw")]


def test_one_seat_fills_its_hand_before_the_next_begins():
    game = table(ALONE, "7c 6c 6d 6s 8c", "Kc Ac Qd", "Td Jd Qs Ks As", talon="9c 9h")
    play(game, "7c", "take")
    assert draws(game) == ["draw 0 2"]
    assert {"9c", "9h"} <= set(hand(game, 0).split())
    assert game.talon_count == 0


def test_the_turn_up_is_drawn_last():
    game = table(ALONE, "7c 6c 6d 6s 8c 8d", "Kc Ac Qd", "Td Jd Qs Ks As", talon="9c 9h")
    play(game, "7c", "take")
    assert draws(game) == ["draw 0 1", "draw 2 1"]
    assert hand(game, 0) == "6c 6d 6s 8c 8d 9c"
    assert hand(game, 2) == "Td Jd Qs Ks As 9h"


ONE_SHORT = ("7c 6c 6s 8c 8s 9s", "8d 9d Td Jd Qd Kd", "7s Ts Js Qs Ks As", "7d Tc Jc Qc Kc Ac")


def test_clockwise_the_attacker_draws_first_then_round_the_table():
    game = table(ruleset(), *ONE_SHORT, talon="Ad 6h")
    play(game, "7c", "pass", "pass", "7d", "pass", "take", "pass", "7s", "pass", "pass")
    assert draws(game) == ["draw 0 1", "draw 2 1"]
    assert "Ad" in hand(game, 0)
    assert "6h" in hand(game, 2)


def test_joining_who_threw_in_earlier_draws_earlier():
    game = table(ruleset(draw_order="joining"), *ONE_SHORT, talon="Ad 6h")
    play(game, "7c", "pass", "pass", "7d", "pass", "take", "pass", "7s", "pass", "pass")
    assert draws(game) == ["draw 0 1", "draw 3 1"]
    assert "Ad" in hand(game, 0)
    assert "6h" in hand(game, 3)


def test_joining_the_others_follow_clockwise_and_the_defender_is_last():
    hands = ("7c 6c 6s 8c 8s", "8d 9d Td Jd Qd", "7s Ts Js Qs Ks", "7d Tc Jc Qc Kc", "9c 9s Ac As Kd")
    game = table(ruleset(draw_order="joining"), *hands, talon="Ad 6d 7h 8h 9h 6h")
    play(game, "7c", "pass", "pass", "7d", "pass", "pass", "take", "pass", "pass", "pass", "pass")
    assert draws(game) == ["draw 0 2", "draw 3 2", "draw 2 1", "draw 4 1"]


def test_joining_counts_attack_cards_alone():
    """Who beat, and then attacked by a transfer, joined with the transfer."""
    rules = ruleset(transfer=True, draw_order="joining", throw_in_before_defence=False)
    game = table(rules, "7c 6c 6s 8c", "7d 9d Td Jd", "9c 9s Ts Qs", "7s Js Qd Qc", talon="Ad 6d 7h 8h 9h Th Jh 6h")
    play(game, "7c", ">7d", "take", "pass", "7s", "pass", "pass")
    assert draws(game) == ["draw 0 3", "draw 1 3", "draw 3 2"]


def test_the_defender_draws_last_though_his_hand_is_empty():
    game = table(ALONE, "7c 8d 9d Td Jd Qd", "9c", talon="6h")
    play(game, "7c", "7c/9c")
    assert events(game)[-3:] == ["beaten", "draw 0 1", "out 1"]
    assert game.result is not None
    assert game.result.fool == 0


def test_who_drew_his_only_card_is_in():
    game = table(ALONE, "7c", "9c 8d 9d Td Jd Qd", talon="6h")
    play(game, "7c", "7c/9c")
    assert events(game)[-2:] == ["beaten", "draw 0 1"]
    assert hand(game, 0) == "6h"
    assert roles(game) == (1, 1, 0)


def test_the_last_cards_go_to_who_draws_first():
    game = table(ALONE, "7c 6c 6d 6s", "9c 8d 9d Td", talon="7d 8c 6h")
    play(game, "7c", "7c/9c", "pass")
    assert draws(game) == ["draw 0 3"]
    assert game.hand_counts == (6, 3)


def test_a_taker_with_enough_cards_draws_none():
    game = table(ALONE, "7c 6c", "9c 8d 9d Td Jd Qd Kd Ad", talon="7d 8c 7s 8s Ts 6h")
    play(game, "7c", "take")
    assert draws(game) == ["draw 0 5"]
    assert game.hand_counts == (6, 9)
    assert game.talon_count == 1


def test_a_full_hand_draws_nothing():
    game = table(ALONE, "7c 6c 6d 6s 8c 8s 9s", "9c 8d 9d Td Jd Qd", talon="7d 6h")
    play(game, "7c", "7c/9c", "pass")
    assert draws(game) == ["draw 1 1"]


# Going out


def test_an_empty_hand_with_a_talon_left_is_not_out():
    game = play(table(ALONE, "7c", "8d 9d Td Jd Qd Kd", "8s 9s Ts Js Qs", talon="6c 6d 6h"), "7c", "take")
    assert [text for text in events(game) if text.startswith("out")] == []
    assert game.hand_counts == (3, 7, 5)


def test_nobody_goes_out_in_mid_bout():
    game = play(table(PODKIDNOY, "7c", "8d 8c 9d", "7d Ks"), "7c")
    assert [text for text in events(game) if text.startswith("out")] == []
    assert (game.attacker, game.actor) == (0, 2)
    play(game, "pass", "7c/8c", "pass")
    assert events(game)[-2:] == ["beaten", "out 0"]


def test_the_first_bout_of_a_dealt_game():
    deck = deck_of("6c 7c 8c 9c Tc 6h", "Kc 6d 7d 8d 9d Td", talon="Jc Qc 7h")
    game = Game(PODKIDNOY, 2, deck)
    play(game, "6c", "pass", "6c/Kc", "pass")
    assert events(game) == ["lead 0 6c", "pass 0", "beat 1 6c/Kc", "pass 0", "beaten", "draw 0 1", "draw 1 1"]
    assert hand(game, 0) == "7c 8c 9c Tc Jc 6h"
    assert hand(game, 1) == "6d 7d 8d 9d Td Qc"
    assert (game.bout, game.actor, game.talon_count) == (2, 1, 22)
    assert legal(game) == "6d 7d 8d 9d Td Qc"
