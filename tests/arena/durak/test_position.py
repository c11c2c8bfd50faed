"""Positions that somebody describes."""

from dataclasses import FrozenInstanceError

import pytest

from arena.durak import Card, Event, Game, Position, RulesetError
from tests.arena.durak.tables import PAIRS, PEREVODNOY, PODKIDNOY, events, hand, legal, play, ruleset, table


def test_cards_may_be_texts_or_cards():
    by_text = table(PODKIDNOY, "7c Kd", "8c", talon="9c 6h", table="Ts/Js Td")
    by_card = Game.from_position(
        Position(
            PODKIDNOY,
            [(Card("7c"), "Kd"), [Card("8c")]],
            "h",
            talon=[Card("9c"), "6h"],
            table=[("Ts", "Js"), (Card("Td"), None)],
        )
    )
    for game in (by_text, by_card):
        assert (hand(game, 0), hand(game, 1)) == ("7c Kd", "8c")
        assert [str(card) for card in game.talon] == ["9c", "6h"]
        assert game.table == ((Card("Ts"), Card("Js")), (Card("Td"), None))
        assert game.actor == 1


def test_cards_named_nowhere_are_discarded():
    game = table(PODKIDNOY, "7c Kd", "8c", talon="9c 6h", table="Ts/Js Td")
    assert len(game.discard) == 36 - 8
    assert Card("7c") not in game.discard


def test_the_turn_up_is_the_last_of_the_talon():
    assert table(PODKIDNOY, "7c", "8c", talon="9c 6h").turn_up == Card("6h")
    assert table(PODKIDNOY, "7c", "8c").turn_up == Card("6h")
    assert table(PODKIDNOY, "7c", "8c", turn_up=Card("Jh")).turn_up == Card("Jh")


def test_the_cap_follows_from_the_hands():
    assert table(PODKIDNOY, "7c", "8c 9c", table="Ts/Js Td").cap == 3
    assert table(PODKIDNOY, "7c", "8c 9c", table="Ts/Js Td", cap=2).cap == 2
    assert table(PODKIDNOY, "7c", "8c 9c", table="Ts/Js Td", bout=1).cap == 3
    assert table(ruleset(first_bout_cap=2), "7c", "8c 9c", table="Ts/Js Td", bout=1).cap == 2


def test_a_throw_in_window_may_have_come_to_a_seat():
    game = table(PODKIDNOY, "7c Tc", "8c 9c", "Td 9d", table="Ts/Js", asked=2)
    assert (game.actor, legal(game)) == (2, "Td pass")
    play(game, "pass")
    assert game.bout == 3


def test_the_defender_may_have_taken():
    game = table(PODKIDNOY, "7c Tc", "8c 9c", "Td 9d", table="Ts", taking=True)
    assert (game.actor, legal(game), game.taking) == (0, "Tc pass", True)


def test_cards_of_the_rank_on_the_table_suit():
    assert legal(table(PODKIDNOY, "7c Tc Jd", "8c 9c", table="Ts/Js")) == "Tc Jd pass"
    lead_only = ruleset(throw_in_ranks="lead")
    assert legal(table(lead_only, "7c Tc Jd", "8c 9c", table="Ts/Js")) == "Tc pass"


def test_who_laid_the_cards_counts_for_the_draw():
    game = table(
        ruleset(draw_order="joining"),
        "7c Ks",
        "8c 9c",
        "9d Qs",
        "Qd 8s",
        talon="6c 6h",
        table="Ts/Js Td/Jd",
        laid_by=[0, 3],
        asked=3,
    )
    assert events(game) == ["lead 0 Ts", "throw 3 Td", "beat 1 Ts/Js", "beat 1 Td/Jd"]
    assert events(play(game, "pass"))[-2:] == ["beaten", "draw 0 2"]


def test_the_history_may_be_known():
    history = [Event.from_wire(["lead", 0, "Ts"]), Event.from_wire(["pass", 0]), Event.from_wire(["take", 1])]
    game = table(PODKIDNOY, "7c Tc", "8c 9c", table="Ts", taking=True, events=history)
    assert list(game.events) == history
    assert game.moves == [(event.seat, event.move) for event in history]
    before = [Event.from_wire(["lead", 1, "As"]), Event.from_wire(["take", 0]), Event.from_wire(["taken", 0])]
    assert list(table(PODKIDNOY, "7c Tc", "8c 9c", events=before).events) == before


def test_players_without_cards_are_out():
    game = table(PODKIDNOY, "7c Tc", "", "8c 9c")
    assert (game.attacker, game.defender) == (0, 2)
    play(game, "7c", "pass", "take", "pass", "Tc", "take")
    assert game.result is not None
    assert game.result.places == (2, 1, 3)


def test_a_player_without_cards_may_be_in_in_mid_bout():
    game = play(table(PODKIDNOY, "7c", "8d 9d", "", table="Ts", out={}), "take", "pass")
    assert events(game)[-3:] == ["pass 0", "taken 1", "out 2"]
    assert game.actor == 0


def test_with_a_talon_nobody_is_out():
    game = table(PODKIDNOY, "7c", "", "9c", talon="6c 6d 6h", attacker=2, table="Ts", laid_by=[1])
    assert game.defender == 0
    assert game.hand_counts == (1, 0, 1)


def test_a_partner_may_attack_from_the_other_place():
    game = table(PAIRS, "7c 7d", "8c", "", "9c", attacker=2)
    assert (game.attacker, game.defender) == (0, 3)
    game = table(PAIRS, "7c 7d", "8c", "", "9c", attacker=1)
    assert (game.attacker, game.defender) == (1, 0)


def test_a_bout_in_which_nothing_is_left_to_do_ends_at_once():
    game = table(PODKIDNOY, "7c Tc", "8c", table="Ts/Js", cap=1)
    assert (game.bout, game.actor) == (3, 1)


def test_a_game_in_the_middle_of_transfers():
    game = table(PEREVODNOY, "7c Ks", "8c 9c", "9d Qs Td", attacker=0, table="Ts Th", laid_by=[2, 0], cap=2)
    assert (game.actor, legal(game)) == (1, "take")
    assert events(game) == ["lead 2 Ts", "throw 0 Th"]


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ({"hands": ["7c", "7c 8c"]}, "7c is in two places at once"),
        ({"hands": ["7c", "8c"], "talon": "8c 6h"}, "8c is in two places at once"),
        ({"hands": ["7c", "8c"], "table": "9c/7c"}, "7c is in two places at once"),
        ({"hands": ["7x", "8c"]}, "'7x' is not a card"),
        ({"hands": ["7c", "8c"], "table": "9c/"}, "'' is not a card"),
        ({"hands": ["7c", "8c"], "trump": "x"}, "trump is one of c, d, h, s, not 'x'"),
        ({"hands": ["7c", "8c"], "talon": "9c"}, "The turn-up 9c is not of the trump suit h"),
        ({"hands": ["7c", "8c"], "turn_up": Card("9c")}, "The turn-up 9c is not of the trump suit h"),
        ({"hands": ["7c", ""]}, "Two players are left to play in a position"),
        ({"hands": ["", "7c", "8c"]}, "Two players are left to play in a position"),
        ({"hands": ["7c", "8c"], "attacker": 2}, "attacker is a place from 0 to 1, not 2"),
        ({"hands": ["", "8c"], "talon": "6h"}, "Seat 0 is to attack or defend and has no cards"),
        ({"hands": ["7c", ""], "talon": "6h"}, "Seat 1 is to attack or defend and has no cards"),
        ({"ruleset": PAIRS, "hands": ["", "7c", "", "8c"], "attacker": 1}, "Seat 0 is to attack or defend"),
        ({"hands": ["7c", "8c"], "table": "9c", "laid_by": [0, 0]}, "laid_by names a seat for each attack card"),
        ({"hands": ["7c", "8c"], "table": "9c", "events": [Event.from_wire(["take", 1])]}, "begins with a lead"),
        ({"hands": ["7c", "8c"], "table": "9c", "asked": 1}, "Seat 1 is not asked to throw in here"),
        ({"hands": ["7c", "8c", ""], "table": "9c", "asked": 2}, "Seat 2 is not asked to throw in here"),
    ],
)
def test_what_is_no_position_is_refused(position, sentence):
    with pytest.raises(ValueError, match=sentence):
        Game.from_position(Position(**{"ruleset": PODKIDNOY, "trump": "h", **position}))


def test_the_number_of_hands_is_that_of_players():
    with pytest.raises(RulesetError, match="two to six"):
        table(PODKIDNOY, "7c")


def test_a_position_cannot_be_changed():
    position = Position(PODKIDNOY, ["7c", "8c"], "h")
    with pytest.raises(FrozenInstanceError):
        position.trump = "c"  # type: ignore[misc]
