"""Every line of play of small endgames, by both engines; and endgames whose outcome one can see."""

from dataclasses import replace
from itertools import combinations

import pytest

from arena.durak import PRESETS, Game, Position
from tests.arena.durak.naive import NaiveGame
from tests.arena.durak.tables import PODKIDNOY, ruleset, table
from tests.arena.durak.test_naive import check_same


def start(rules, hands, attacker):
    """The same endgame in both engines, the talon empty and the table clear."""
    game = Game.from_position(Position(rules, hands, "h", attacker=attacker))
    return game, NaiveGame(rules, len(hands), hands=hands, trump="h", attacker=attacker)


def walk(rules, hands, attacker):
    """Play every line in both engines and compare every state; the number of states, and the places that best play of
    everyone for himself leads to, by each engine on its own."""
    states = 0

    def visit(game, moves):
        nonlocal states
        states += 1
        naive = start(rules, hands, attacker)[1]
        for move in moves:
            naive.play(move)
        check_state(game, naive)
        if game.actor is None:
            return game.result.places, naive.result[1]
        best = best_naive = None
        for move in sorted(map(str, game.legal_moves())):
            after = game.copy()
            after.play(move)
            places, naive_places = visit(after, [*moves, move])
            if best is None or places[game.actor] < best[game.actor]:
                best = places
            if best_naive is None or naive_places[naive.actor] < best_naive[naive.actor]:
                best_naive = naive_places
        return best, best_naive

    result = visit(start(rules, hands, attacker)[0], [])
    return states, result


def check_state(game, naive):
    """As in whole games, but the cards that the naive engine was never given do not count as discarded."""
    missing = {str(card) for card in game.discard} - set(naive.discard)
    naive.discard += sorted(missing)
    check_same(game, naive)


def splits(cards, sizes):
    """Every way of dealing `cards` in hands of these sizes."""
    if not sizes:
        yield []
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in splits(rest, sizes[1:]):
            yield [" ".join(hand), *others]


def walk_all(name, cards, sizes, attackers=(0,), every=1, **options):
    """Walk from the splits of `cards`, or from every third, say; the number of states."""
    rules = replace(PRESETS[name], **options)
    states = 0
    for hands in list(splits(cards.split(), sizes))[::every]:
        for attacker in attackers:
            count, (places, naive_places) = walk(rules, hands, attacker)
            assert places == naive_places
            states += count
    return states


ALONE = [name for name in PRESETS if name != "pairs"]


@pytest.mark.parametrize("name", ALONE)
def test_two_players_with_three_cards_each(name):
    assert walk_all(name, "6c 6d 6h 7c 7d 7h", (3, 3), stalemate_takes=1, bout_limit=4) > 1500


@pytest.mark.parametrize("name", ALONE)
def test_two_players_with_unequal_hands(name):
    assert walk_all(name, "6d 6s 7d 6h", (1, 3), (0, 1), stalemate_takes=2, bout_limit=6) > 150
    assert walk_all(name, "6d 6s 7d 6h", (3, 1), (0, 1), stalemate_takes=2, bout_limit=6) > 150


@pytest.mark.parametrize("name", ["podkidnoy", "podkidnoy-first-out", "perevodnoy-lead-rank"])
def test_three_players(name):
    assert walk_all(name, "6c 6d 6h 7c 7d 7h", (2, 2, 2), every=4, stalemate_takes=1, bout_limit=4) > 1000


@pytest.mark.parametrize("transfer", [False, True])
def test_pairs(transfer):
    options = {"transfer": transfer, "stalemate_takes": 1, "bout_limit": 4}
    assert walk_all("pairs", "6c 6d 6h 7c 7d 7h", (1, 2, 2, 1), every=7, **options) > 500


# Endgames whose outcome one can see


def solve(game):
    """The places that best play of everyone for himself leads to."""
    if game.actor is None:
        return game.result.places
    outcomes = []
    for move in game.legal_moves():
        after = game.copy()
        after.play(move)
        outcomes.append(solve(after))
    return min(outcomes, key=lambda places: places[game.actor])


QUIET = ruleset(throw_in_before_defence=False, throw_in_on_take=False, stalemate_takes=4)


@pytest.mark.parametrize(
    ("hands", "places"),
    [
        # The last card cannot be beaten: the attacker is out.
        (("As", "Ks Kd"), (1, 2)),
        # It is beaten with the defender's last card.
        (("Ks", "As"), (1, 1)),
        # The defender beats and has a card left.
        (("Ks", "As Kd"), (1, 2)),
        # Two cards, both unbeatable: one after the other, the defender takes.
        (("As Ac", "6c 6d"), (1, 2)),
        # Leading the ace of trumps first gets rid of it, the six of trumps then cannot be answered by a plain card.
        (("Ah 6h", "Kc Kd"), (1, 2)),
        # Whatever is led is beaten, and both are out together or the defender first.
        (("6c", "7c"), (1, 1)),
    ],
)
def test_who_wins(hands, places):
    assert solve(table(QUIET, *hands)) == places


def test_throwing_in_the_twin_wins():
    """6c and 6d against 7c and Kd: after 6c/7c the six of diamonds follows and is beaten, so both are out; led alone
    first, the king beats it as well. With 7s instead of the king the defender is left with cards."""
    assert solve(table(PODKIDNOY, "6c 6d", "7c Kd")) == (1, 1)
    assert solve(table(PODKIDNOY, "6c 6d", "7c 7s")) == (1, 2)
