"""Transferring the attack to the next player."""

from dataclasses import replace

import pytest

from arena.durak import PRESETS, IllegalMove
from tests.arena.durak.tables import PEREVODNOY, PODKIDNOY, events, hand, legal, play, table

ANSWER_FIRST = replace(PEREVODNOY, throw_in_before_defence=False)


def test_a_card_of_the_rank_transfers_to_the_next_player():
    game = play(table(ANSWER_FIRST, "7c Kd", "7d 8d 9d", "9c Ts"), "7c")
    assert legal(game) == ">7d take"
    play(game, ">7d")
    assert (game.attacker, game.defender, game.actor) == (1, 2, 2)
    assert game.table[0][0].text == "7c"
    assert game.table[1][0].text == "7d"
    assert hand(game, 1) == "8d 9d"


def test_the_next_player_must_hold_as_many_cards_as_then_lie_on_the_table():
    game = play(table(ANSWER_FIRST, "7c Kd", "7d 8d 9d", "9c"), "7c")
    assert legal(game) == "take"
    with pytest.raises(IllegalMove, match=">7d is illegal: the next player holds fewer cards"):
        game.play(">7d")


def test_with_as_many_cards_as_the_new_defender_holds_nothing_more_is_thrown_in():
    game = play(table(PEREVODNOY, "7c 7s Kd", "7d 8d 9d", "9c Ts"), "7c", "pass", "pass", ">7d")
    assert game.cap == 2
    assert (game.actor, legal(game)) == (2, "7c/9c take")


def test_the_cap_after_a_transfer_is_the_new_defenders():
    game = play(table(ANSWER_FIRST, "7c 7s Kd", "7d 8d", "9c Ts Js"), "7c")
    assert game.cap == 2
    play(game, ">7d")
    assert game.cap == 3


def test_there_is_no_transfer_after_a_beat():
    game = play(table(PEREVODNOY, "7c 7s Kd", "7d 9c 9d", "9s Ts Js"), "7c", "7s", "pass", "pass", "7c/9c")
    assert legal(game) == "take"
    with pytest.raises(IllegalMove, match="already beaten"):
        game.play(">7d")


def test_there_is_no_transfer_after_taking():
    game = play(table(ANSWER_FIRST, "7c Kd", "7d 8d 9d", "9c Ts"), "7c", "take")
    assert (game.actor, legal(game)) == (0, "pass")


def test_no_transfer_in_podkidnoy():
    game = play(table(PODKIDNOY, "7c Kd", "7d 8d 9d"), "7c", "pass")
    assert legal(game) == "take"
    with pytest.raises(IllegalMove, match="the ruleset has no transfer"):
        game.play(">7d")


def test_two_players_transfer_to_and_fro():
    game = table(ANSWER_FIRST, "6c 6s Kd Qd", "6d 6h Jd 9d")
    play(game, "6c")
    assert legal(game) == ">6d 6c/6h >6h take"
    play(game, ">6d")
    assert (game.actor, game.attacker, game.defender) == (0, 1, 0)
    assert legal(game) == ">6s 6d/Qd 6d/Kd take"
    play(game, ">6s")
    assert (game.actor, game.attacker, game.defender) == (1, 0, 1)
    assert legal(game) == "6d/9d 6d/Jd 6c/6h 6d/6h 6s/6h take"


def test_two_players_need_cards_enough_to_answer():
    game = play(table(ANSWER_FIRST, "6c 6s Kd Qd", "6d 6h Jd 9d Td"), "6c", ">6d", ">6s")
    assert game.hand_counts == (2, 4)
    assert ">6h" not in legal(game)
    game = play(table(ANSWER_FIRST, "6c 6s Kd Qd 9s Ts", "6d 6h Jd 9d Td"), "6c", ">6d", ">6s")
    assert game.hand_counts == (4, 4)
    assert ">6h" in legal(game)
    play(game, ">6h")
    assert (game.actor, game.cap) == (0, 4)


def test_a_trump_of_the_rank_beats_or_transfers():
    game = play(table(ANSWER_FIRST, "7c Kd", "7h 8d", "9c Ts"), "7c")
    assert legal(game) == "7c/7h >7h take"


def test_the_cheapest_card_comes_first_whatever_it_does():
    game = play(table(ANSWER_FIRST, "7c Kd", "8c 7s 6h", "9c Ts"), "7c")
    assert legal(game) == ">7s 7c/8c 7c/6h take"


def test_the_old_attacker_may_throw_in_and_the_new_defender_may_not():
    game = play(table(PEREVODNOY, "7c 7s Kd", "7d 8d", "9c Ts Js Jd"), "7c", "pass", "pass", ">7d")
    assert (game.actor, legal(game)) == (1, "pass")
    play(game, "pass")
    assert (game.actor, legal(game)) == (0, "7s pass")
    play(game, "7s", "pass")
    assert game.actor == 2


def test_after_a_transfer_the_passes_are_forgotten():
    game = play(table(ANSWER_FIRST, "7c 7s Kd", "7d 8d", "9c Ts Js Jd"), "7c", ">7d")
    assert game.actor == 2
    play(game, "take", "pass")
    assert (game.actor, legal(game)) == (0, "7s pass")


def test_who_transferred_draws_first():
    hands = ("7c Kd 8s 9s Ts", "7d 8d 9d Td Jd", "9c Js Qs Ks As")
    game = table(ANSWER_FIRST, *hands, talon="6c 6d 6s 8c 8h 6h")
    play(game, "7c", ">7d", "take", "pass", "pass")
    assert [text for text in events(game) if text.startswith("draw")] == ["draw 1 2", "draw 0 2"]


def test_the_next_player_leads_after_the_transferred_attack_is_taken():
    game = play(table(ANSWER_FIRST, "7c Kd", "7d 8d", "9c Ts Js", "Jc Qs"), "7c", ">7d", "take")
    assert game.actor == 1
    play(game, "pass", "pass", "pass")
    assert (game.attacker, game.defender) == (3, 0)


def test_the_new_defender_who_beats_leads():
    game = play(table(ANSWER_FIRST, "7c Kd", "7d 8d", "9c 9d Ts", "Jc Js"), "7c", ">7d", "7c/9c", "7d/9d")
    play(game, "pass", "pass", "pass")
    assert (game.attacker, game.defender) == (2, 3)


def test_transferring_the_last_card_away():
    game = play(table(ANSWER_FIRST, "7c Kd", "7d", "9c Ts"), "7c", ">7d", "take")
    assert events(game) == ["lead 0 7c", "transfer 1 >7d", "take 2", "taken 2", "out 1"]
    assert (game.attacker, game.defender) == (0, 2)


def test_players_that_are_out_are_passed_over():
    game = play(table(ANSWER_FIRST, "7c Kd", "7d 8d", "", "9c Ts"), "7c", ">7d")
    assert (game.attacker, game.defender) == (1, 3)


def test_the_first_bout_may_be_transferred():
    game = play(table(ANSWER_FIRST, "7c Kd", "7d 8d", "9c Ts", bout=1), "7c")
    assert legal(game) == ">7d take"


def test_a_transfer_keeps_to_the_cap_of_the_bout():
    game = play(table(replace(ANSWER_FIRST, attack_cap=1), "7c Kd", "7d 8d", "9c Ts"), "7c")
    assert legal(game) == "take"


def test_a_group_may_be_transferred():
    rules = PRESETS["perevodnoy-lead-rank"]
    game = play(table(rules, "7c 7s Kd", "7d 8d", "9c Ts Js", "Jc Qc Kc"), "7c+7s")
    assert legal(game) == ">7d take"
    play(game, ">7d")
    assert (game.defender, len(game.table)) == (2, 3)


def test_piling_on_before_the_defence_can_make_the_transfer_impossible():
    game = play(table(PEREVODNOY, "7c 7s Kd", "7d 8d 9d", "9c Ts"), "7c", "7s", "pass", "pass")
    assert (game.actor, legal(game)) == (1, "take")
