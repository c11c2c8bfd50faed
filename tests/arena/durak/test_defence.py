"""Beating and taking."""

from tests.arena.durak.tables import LEAD_RANK, PODKIDNOY, hand, legal, play, ruleset, table

ANSWER_FIRST = ruleset(throw_in_before_defence=False)


def defend(trump, attack, cards):
    """The defender's choices against one attack card."""
    return legal(play(table(ANSWER_FIRST, f"{attack} 6s", cards, trump=trump), attack))


def test_a_higher_card_of_the_suit_or_any_trump_beats():
    assert defend("d", "8s", "Ts 6d Ah 9c") == "8s/Ts 8s/6d take"


def test_a_trump_is_beaten_by_a_higher_trump_alone():
    assert defend("h", "Kh", "Ah Qh As") == "Kh/Ah take"


def test_nothing_beats_the_ace_of_trumps():
    assert defend("h", "Ah", "Kh Qh As Ac") == "take"


def test_the_lowest_trump_beats_a_plain_ace():
    assert defend("h", "Ac", "6h Kc") == "Ac/6h take"


def test_a_lower_card_of_the_suit_does_not_beat():
    assert defend("h", "9c", "8c 6c Td") == "take"


def test_each_unbeaten_card_may_be_beaten_next():
    game = play(table(LEAD_RANK, "8s 8h 6c", "Ts 6d", trump="d"), "8h+8s")
    assert legal(game) == "8s/Ts 8h/6d 8s/6d take"
    assert legal(play(game, "8s/6d")) == "take"


def test_one_card_beats_one_card():
    game = play(table(LEAD_RANK, "8s 8h 6c", "Ts 6d", trump="d"), "8h+8s", "8s/Ts")
    assert legal(game) == "8h/6d take"


def test_taking_takes_the_beating_cards_too():
    game = play(table(LEAD_RANK, "8s 8h 6c", "Ts 6d", trump="d"), "8h+8s", "8s/6d", "take")
    assert hand(game, 1) == "8h 8s Ts 6d"


def test_the_defender_goes_on_until_all_is_beaten():
    game = play(table(PODKIDNOY, "7c 7d 9s", "8c 8d Ts"), "7c", "7d", "pass", "7c/8c")
    assert game.actor == 1
    assert legal(play(game, "7d/8d")) == "pass"
    assert game.actor == 0


def test_beaten_cards_go_to_the_discard():
    game = play(table(PODKIDNOY, "7c 9s Ks", "8c Ts Td"), "7c", "pass", "7c/8c", "pass")
    assert {"7c", "8c"} <= {str(card) for card in game.discard}
    assert game.table == ()
    assert (game.bout, game.actor) == (3, 1)
