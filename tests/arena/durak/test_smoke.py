"""Whole games end, under every preset."""

import random

import pytest

from arena.durak import CARDS, PRESETS, Game


@pytest.mark.parametrize("name", PRESETS)
def test_random_games_end(name):
    rng = random.Random(name)
    for players in PRESETS[name].players:
        deck = list(CARDS)
        rng.shuffle(deck)
        game = Game(PRESETS[name], players, deck)
        while game.actor is not None:
            game.play(rng.choice(game.legal_moves()))
        assert game.result is not None
        assert len(game.result.places) == players
