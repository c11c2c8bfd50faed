"""Leading: one card or a group, never a pass."""

from arena.durak import MoveKind
from tests.arena.durak.tables import LEAD_RANK, PODKIDNOY, legal, play, ruleset, table

HAND = "6c 6d 6s 9c Kh Ah"
GROUP = ruleset(lead="group")


def test_any_one_card_may_be_led():
    game = table(PODKIDNOY, HAND, "7c 7d 7s 8c 8d 8s")
    assert legal(game) == "6c 6d 6s 9c Kh Ah"


def test_a_group_of_one_rank_may_be_led():
    game = table(GROUP, HAND, "7c 7d 7s 8c 8d 8s")
    assert legal(game) == "6c 6d 6s 6c+6d 6c+6s 6d+6s 6c+6d+6s 9c Kh Ah"


def test_a_group_is_no_larger_than_the_defenders_hand():
    game = table(GROUP, HAND, "7c 7d")
    assert legal(game) == "6c 6d 6s 6c+6d 6c+6s 6d+6s 9c Kh Ah"


def test_a_group_is_no_larger_than_the_cap():
    game = table(ruleset(lead="group", attack_cap=2), HAND, "7c 7d 7s 8c 8d 8s")
    assert legal(game) == "6c 6d 6s 6c+6d 6c+6s 6d+6s 9c Kh Ah"
    game = table(ruleset(lead="group", first_bout_cap=1), HAND, "7c 7d 7s 8c 8d 8s", bout=1)
    assert legal(game) == "6c 6d 6s 9c Kh Ah"


def test_a_group_with_a_trump_costs_a_trump():
    game = table(GROUP, "6c 6h 7d", "8c 8d 8s")
    assert legal(game) == "6c 7d 6h 6c+6h"


def test_all_four_cards_of_a_rank_may_be_led():
    game = table(GROUP, "Kc Kd Kh Ks", "7c 7d 7s 8c 8d 8s")
    leads = game.legal_moves()
    assert len(leads) == len(set(leads)) == 15
    assert (
        legal(game) == "Kc Kd Ks Kc+Kd Kc+Ks Kd+Ks Kc+Kd+Ks Kh Kc+Kh Kd+Kh Kh+Ks Kc+Kd+Kh Kc+Kh+Ks Kd+Kh+Ks Kc+Kd+Kh+Ks"
    )


def test_the_cards_of_a_group_lie_on_the_table_as_written():
    game = play(table(GROUP, HAND, "7c 7d 7s 8c 8d 8s"), "6c+6d+6s")
    assert [str(attack) for attack, _ in game.table] == ["6c", "6d", "6s"]
    assert game.hand_counts == (3, 6)


def test_there_is_no_pass_before_the_lead():
    for rules in (PODKIDNOY, LEAD_RANK):
        game = table(rules, HAND, "7c 7d 7s 8c 8d 8s")
        assert all(move.kind is MoveKind.LAY for move in game.legal_moves())


def test_the_lead_is_against_the_next_player_still_in():
    assert table(PODKIDNOY, "6c", "", "7c").defender == 2
    assert table(PODKIDNOY, "6c", "7c", "", attacker=1).defender == 0
