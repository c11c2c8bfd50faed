"""The engine and the naive one agree on every state of random games under random rulesets."""

from hypothesis import given, settings

from arena.durak import Game
from tests.arena.durak.naive import NaiveGame
from tests.arena.durak.strategies import choose, deals


def cards(some):
    return sorted(map(str, some))


def check_same(game, naive):
    assert game.actor == naive.actor
    moves = [str(move) for move in game.legal_moves()]
    assert sorted(moves) == sorted(naive.legal)
    assert [cards(game.hand(seat)) for seat in range(game.players)] == [sorted(hand) for hand in naive.hands]
    assert [str(card) for card in game.talon] == naive.talon
    assert [[str(attack), answer and str(answer)] for attack, answer in game.table] == naive.table
    assert cards(game.discard) == sorted(naive.discard)
    assert [event.to_wire() for event in game.events] == naive.log
    result = game.result and (game.result.ending, game.result.places, game.result.fool)
    assert result == naive.result
    if game.actor is not None:
        assert (game.attacker, game.defender) == (naive.attacker, naive.defender)
        assert (game.bout, game.cap) == (naive.bout, naive.cap)


@settings(max_examples=250, deadline=None)
@given(deals())
def test_both_engines_play_the_same_game(deal):
    ruleset, players, deck, rng = deal
    game = Game(ruleset, players, deck)
    naive = NaiveGame(ruleset, players, deck)
    boldness = rng.choice([0.0, 0.5, 0.9, 1.0])
    check_same(game, naive)
    while game.actor is not None:
        move = choose(rng, game, boldness)
        game.play(move)
        naive.play(str(move))
        check_same(game, naive)
