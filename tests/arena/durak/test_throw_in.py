"""Throw-in windows: who is asked, when, and what may come."""

import pytest

from tests.arena.durak.tables import FIRST_OUT, LEAD_RANK, PAIRS, PODKIDNOY, events, hand, legal, play, ruleset, table

ANSWER_FIRST = ruleset(throw_in_before_defence=False)


# What may be thrown in


def test_any_rank_on_the_table_may_be_thrown_in():
    game = table(PODKIDNOY, "8d Tc 9h Qs", "9d 9s Jd Js", table="8s/Ts")
    assert legal(game) == "8d Tc pass"


def test_only_the_rank_of_the_lead_may_be_thrown_in():
    rules = ruleset(throw_in_ranks="lead")
    assert legal(table(rules, "8d Tc 9h Qs", "9d 9s Jd Js", table="8s/Ts")) == "8d pass"
    assert legal(table(rules, "Tc 9h Qs", "9d 9s Jd Js", table="8s/Ts 8d/Qd")) == "pass"


def test_a_beat_brings_its_rank_unless_only_that_of_the_lead_counts():
    hands = ("Tc 9h Qs", "Qd 9s Jd Js")
    assert legal(play(table(PODKIDNOY, *hands, table="8d"), "8d/Qd")) == "Qs pass"
    assert legal(play(table(ruleset(throw_in_ranks="lead"), *hands, table="8d"), "8d/Qd")) == "pass"


def test_a_rank_that_came_twice_is_still_there():
    game = play(table(PODKIDNOY, "8s Tc 9h Qs", "Td Ts Jd Js", table="8d"), "8d/Td", "8s", "pass", "8s/Ts")
    assert legal(game) == "Tc pass"


def test_a_rank_that_came_by_beating_may_be_thrown_in():
    assert legal(table(PODKIDNOY, "Tc 9h Qs", "9d 9s Jd Js", table="8s/Ts 8d/Qd")) == "Tc Qs pass"


def test_lead_from_four_is_any_with_three_and_lead_with_four():
    rules = ruleset(throw_in_ranks="lead_from_four")
    hands = ["8d Tc 9h Qs", "9d 9s Jd Js", "6c", "6d"]
    assert legal(table(rules, *hands[:3], table="8s/Ts")) == "8d Tc pass"
    assert legal(table(rules, *hands, table="8s/Ts")) == "8d pass"


def test_the_number_of_players_is_that_of_the_deal():
    rules = ruleset(throw_in_ranks="lead_from_four", throw_in_who="attacker_below_four")
    game = table(rules, "8d Tc 9h", "9d 9s Jd Js", "8c", "", table="8s/Ts", out={3: 1})
    assert legal(game) == "8d pass"
    assert play(game, "pass").actor == 2


def test_after_a_take_what_lies_on_the_table_may_still_be_thrown_in():
    game = play(table(PODKIDNOY, "6s 9s Ts", "Kc Ks", table="6c/9c 9d", cap=6), "take")
    assert legal(game) == "6s 9s pass"


# Who is asked


def test_the_attacker_is_asked_first_then_clockwise_and_never_the_defender():
    game = play(table(PODKIDNOY, "7c 6c", "8c 8d", "9c 9d", "Tc Td", attacker=2), "9c")
    order = []
    for _ in range(3):
        order.append(game.actor)
        game.play("pass")
    assert order == [2, 0, 1]
    assert game.actor == 3 == game.defender


def test_who_has_nothing_suitable_is_asked_all_the_same():
    game = play(table(PODKIDNOY, "7c Ks", "8c 8d", "9c 9d"), "7c", "pass")
    assert (game.actor, legal(game)) == (2, "pass")


def test_who_has_no_cards_is_not_asked():
    game = play(table(PODKIDNOY, "7c", "8c 8d 8s", "9c 9d"), "7c")
    assert game.actor == 2
    game = play(table(PODKIDNOY, "7c 7d", "8c 8d 8s", "9c 9d"), "7c", "7d")
    assert game.actor == 2


def test_the_same_seat_is_asked_again_after_its_throw():
    game = play(table(PODKIDNOY, "7c 7d 7s 9c", "8c 8d 8s 9d"), "7c", "7d")
    assert (game.actor, legal(game)) == (0, "7s pass")


def test_a_pass_is_final_for_the_window():
    game = play(table(PODKIDNOY, "7c 7d Ks", "8c 8d 8s", "7s 9d"), "7c", "pass", "7s", "pass")
    assert game.actor == 1
    assert events(game) == ["lead 0 7c", "pass 0", "throw 2 7s", "pass 2"]


def test_passes_are_forgotten_after_a_beat():
    game = table(ANSWER_FIRST, "8d 7s Js", "Jc Qs Qd", "8c 6d", table="7c/8s")
    assert (game.actor, legal(game)) == (0, "7s 8d pass")
    play(game, "pass", "8c", "pass", "8c/Jc")
    assert (game.actor, legal(game)) == (0, "7s 8d Js pass")


def test_passes_are_forgotten_after_a_take():
    game = play(table(PODKIDNOY, "7c 7d", "8c 8d 8s", "7s 9d"), "7c", "pass", "pass", "take")
    assert (game.actor, legal(game)) == (0, "7d pass")
    play(game, "pass")
    assert (game.actor, legal(game)) == (2, "7s pass")


def test_neighbours_are_the_attacker_and_the_next_after_the_defender():
    rules = ruleset(throw_in_who="neighbours")
    game = play(table(rules, "7c 6c", "8c 8d", "9c 9d", "Tc Td", "Jc Jd"), "7c")
    assert game.actor == 0
    play(game, "pass")
    assert game.actor == 2
    play(game, "pass")
    assert game.actor == 1


def test_the_neighbour_of_a_player_is_the_next_one_still_in():
    rules = ruleset(throw_in_who="neighbours")
    game = play(table(rules, "7c 6c", "8c 8d", "", "Tc Td", "Jc Jd"), "7c", "pass")
    assert game.actor == 3


def test_between_two_the_neighbour_is_the_attacker_once():
    game = play(table(ruleset(throw_in_who="neighbours"), "7c 6c", "8c 8d"), "7c", "pass")
    assert game.actor == 1


def test_the_attacker_alone_may_throw_in():
    game = play(table(ruleset(throw_in_who="attacker"), "7c 6c", "8c 8d", "9c 9d", "Tc Td"), "7c", "pass")
    assert game.actor == 1


def test_attacker_below_four_is_everyone_from_four():
    rules = ruleset(throw_in_who="attacker_below_four")
    hands = ["7c 6c", "8c 8d", "9c 9d", "Tc Td"]
    assert play(table(rules, *hands[:3]), "7c", "pass").actor == 1
    assert play(table(rules, *hands), "7c", "pass").actor == 2


def test_nobody_throws_in_against_his_partner():
    game = play(table(PAIRS, "7c 6c", "8c 8d", "9c 9d", "Tc Td"), "7c", "7c/8c", "pass")
    assert game.actor == 2
    play(game, "pass")
    assert game.bout == 3


# When a window opens


def test_the_attackers_pile_on_before_the_defender_answers():
    game = play(table(PODKIDNOY, "7c 7d 9c", "8c 8d 8s"), "7c")
    assert (game.actor, legal(game)) == (0, "7d pass")


def test_the_defender_answers_first():
    game = play(table(ANSWER_FIRST, "7c 7d 9c", "8c 8d 8s"), "7c")
    assert (game.actor, legal(game)) == (1, "7c/8c take")
    assert (play(game, "7c/8c").actor, legal(game)) == (0, "7d pass")


def test_no_window_opens_when_the_defender_takes_where_the_rules_say_so():
    game = play(table(ruleset(throw_in_on_take=False, throw_in_before_defence=False), "7c 7d", "8c 8d"), "7c", "take")
    assert (game.bout, hand(game, 1)) == (3, "7c 8c 8d")


def test_a_window_that_closes_without_a_throw_ends_the_bout():
    game = play(table(ANSWER_FIRST, "7c 7d 9c", "8c 8d 8s"), "7c", "7c/8c", "pass")
    assert events(game)[-2:] == ["pass 0", "beaten"]


# The cap


def test_the_first_bout_has_five_attack_cards():
    game = table(PODKIDNOY, "9d 9s Ks", "Tc", table="6c/7c 6d/7d 6s/7s 9c/Jc Jd", bout=1, cap=5)
    play(game, "take")
    assert game.bout == 2
    game = table(PODKIDNOY, "9d 9s Ks", "Qd Tc", table="6c/7c 6d/7d 6s/7s 9c/Jc Jd", bout=1)
    play(game, "Jd/Qd")
    assert (game.bout, game.actor) == (2, 1)


def test_the_second_bout_has_six():
    game = table(PODKIDNOY, "9d 9s Ks", "Qd Tc", table="6c/7c 6d/7d 6s/7s 9c/Jc Jd")
    play(game, "Jd/Qd")
    assert (game.actor, legal(game)) == (0, "9d 9s pass")
    play(game, "9d")
    assert game.actor == 1


def test_six_in_the_first_bout_where_the_rules_say_so():
    game = table(FIRST_OUT, "9d 9s Ks", "Qd Tc", table="6c/7c 6d/7d 6s/7s 9c/Jc Jd", bout=1)
    play(game, "Jd/Qd")
    assert (game.actor, legal(game)) == (0, "9d 9s pass")


def test_nobody_is_asked_when_the_defender_has_beaten_all_his_cards_away():
    game = table(ANSWER_FIRST, "7c 7d 7s 8d", "8c 9d 9s", "8h Kc")
    play(game, "7c", "7c/8c", "7d", "pass", "pass", "7d/9d")
    play(game, "7s", "7s/9s")
    assert game.bout == 3
    assert events(game)[-3:] == ["beat 1 7s/9s", "beaten", "out 1"]


def test_no_throw_in_beyond_the_hand_the_defender_began_with():
    game = table(PODKIDNOY, "9d Js Ks", "Qh", table="9c/Jc Jd")
    assert game.cap == 2
    play(game, "take")
    assert game.bout == 3
    assert hand(game, 1) == "9c Jc Jd Qh"


def test_the_cap_does_not_shrink_with_the_hand():
    game = table(ANSWER_FIRST, "7c 7d 7s 8d", "8c 9d 9s", "Kc")
    play(game, "7c", "7c/8c")
    assert game.cap == 3
    assert legal(game) == "7d 7s 8d pass"


@pytest.mark.parametrize("who", ["all", "neighbours", "attacker", "attacker_below_four"])
def test_the_window_after_a_lead_that_reaches_the_cap_is_closed(who):
    game = play(table(ruleset(throw_in_who=who, attack_cap=1), "7c 7d", "8c 8d", "7s 6d"), "7c")
    assert (game.actor, legal(game)) == (1, "7c/8c take")


def test_no_group_is_thrown_in():
    assert legal(play(table(LEAD_RANK, "7c 7d 7s", "8c 8d 8s"), "7c", "7c/8c")) == "7d 7s pass"
