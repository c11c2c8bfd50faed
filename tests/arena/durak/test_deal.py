"""The deal: who gets what, what shows trump, who leads."""

import pytest

from arena.durak import CARDS, DeckError, Game, RulesetError
from tests.arena.durak.tables import PAIRS, PODKIDNOY, deck_of, hand, ruleset

DECK = [str(card) for card in CARDS]


def test_cards_are_dealt_one_at_a_time_from_seat_0():
    game = Game(PODKIDNOY, 2, DECK)
    assert hand(game, 0) == "6c 8c Tc Qc Ac 7d"
    assert hand(game, 1) == "7c 9c Jc Kc 6d 8d"


def test_the_turn_up_shows_trump_and_is_drawn_last():
    game = Game(PODKIDNOY, 2, DECK)
    assert str(game.turn_up) == "9d"
    assert game.trump == "d"
    assert [str(card) for card in game.talon] == [*DECK[13:], "9d"]
    assert game.talon_count == 24


def test_five_players_leave_a_talon_of_six_with_the_turn_up():
    game = Game(PODKIDNOY, 5, DECK)
    assert [str(card) for card in game.talon] == ["Ts", "Js", "Qs", "Ks", "As", "9s"]
    assert game.talon_count == 6
    assert game.talon[-1] == game.turn_up
    assert game.hand_counts == (6, 6, 6, 6, 6)


def test_six_players_leave_no_talon_and_seat_5_shows_trump():
    game = Game(PODKIDNOY, 6, DECK)
    assert game.talon_count == 0
    assert game.talon == ()
    assert str(game.turn_up) == "As"
    assert game.turn_up in game.hand(5)
    assert game.trump == "s"


def test_the_lowest_trump_leads():
    game = Game(PODKIDNOY, 3, deck_of("Ah 6c 7c 8c 9c Tc", "9h 6d 7d 8d 9d Td", "Th Jh 6s 7s 8s 9s", talon="Qh"))
    assert (game.attacker, game.defender, game.actor) == (1, 2, 1)


def test_the_lowest_trump_in_hand_leads_though_the_turn_up_is_lower():
    game = Game(PODKIDNOY, 3, deck_of("Ah 6c 7c 8c 9c Tc", "6d 7d 8d 9d Td Jd", "7h 6s 7s 8s 9s Ts", talon="6h"))
    assert (game.attacker, game.defender) == (2, 0)


def test_seat_0_leads_when_nobody_holds_a_trump():
    game = Game(PODKIDNOY, 2, deck_of("6c 7c 8c 9c Tc Jc", "6d 7d 8d 9d Td Jd", talon="6h"))
    assert (game.attacker, game.defender) == (0, 1)


def test_left_of_the_dealer_is_seat_0_whatever_the_trumps():
    deck = deck_of("Ah 6c 7c 8c 9c Tc", "6d 7d 8d 9d Td Jd", "7h 6s 7s 8s 9s Ts", talon="6h")
    game = Game(ruleset(first_attacker="left_of_dealer"), 3, deck)
    assert (game.attacker, game.defender) == (0, 1)


def test_a_deck_may_be_cards_or_texts():
    assert Game(PODKIDNOY, 4, CARDS).hand(3) == Game(PODKIDNOY, 4, DECK).hand(3)


@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        (DECK[:-1], "A deck has 36 cards, this one has 35"),
        ([*DECK, "6c"], "A deck has 36 cards, this one has 37"),
        ([*DECK[:-1], "6c"], "A deck has each card once, this one has 6c 2 times"),
        ([*DECK[:7], "1c", *DECK[8:]], "Card 7 of the deck: '1c' is not a card"),
        ([*DECK[:7], None, *DECK[8:]], "Card 7 of the deck: None is not a card"),
        ([*DECK[:7], ["6c"], *DECK[8:]], "is not a card"),
    ],
)
def test_what_is_no_deck_is_refused(deck, sentence):
    with pytest.raises(DeckError, match=sentence):
        Game(PODKIDNOY, 2, deck)


@pytest.mark.parametrize("players", [0, 1, 7, True, "3", None, 2.0])
def test_durak_is_played_by_two_to_six(players):
    with pytest.raises(RulesetError, match="Durak is played by two to six"):
        Game(PODKIDNOY, players, DECK)


@pytest.mark.parametrize("players", [2, 3, 5, 6])
def test_pairs_are_played_by_four(players):
    with pytest.raises(RulesetError, match="pairs are played by exactly four"):
        Game(PAIRS, players, DECK)


def test_a_copy_goes_its_own_way():
    game = Game(PODKIDNOY, 2, CARDS)
    twin = game.copy()
    assert twin.legal_moves() == game.legal_moves()
    twin.play(twin.legal_moves()[0])
    assert (len(twin.events), len(game.events)) == (1, 0)
    assert len(twin.hand(twin.attacker)) == 5
    assert len(game.hand(game.attacker)) == 6
