"""What holds in every game under every ruleset."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.durak import (
    CARDS,
    PRESETS,
    RANKS,
    SUITS,
    Card,
    EventKind,
    Game,
    GameRecord,
    IllegalMove,
    MoveKind,
    replay,
    verify,
)
from arena.durak.moves import MOVES
from tests.arena.durak.strategies import choose, deals, random_game

EXAMPLES = settings(max_examples=100, deadline=None)


def state(game):
    """Everything that can be asked of a game."""
    return (
        game.actor,
        game.attacker,
        game.defender,
        game.bout,
        game.cap,
        game.taking,
        game.result,
        [game.hand(seat) for seat in range(game.players)],
        game.talon,
        game.table,
        game.discard,
        game.legal_moves(),
        list(game.events),
    )


@EXAMPLES
@given(deals())
def test_36_distinct_cards(deal):
    for game in random_game(*deal):
        everywhere = [card for seat in range(game.players) for card in game.hand(seat)]
        everywhere += [*game.talon, *game.discard, *(card for pair in game.table for card in pair if card)]
        assert len(everywhere) == 36
        assert set(everywhere) == set(CARDS)
        assert game.hand_counts == tuple(len(game.hand(seat)) for seat in range(game.players))
        assert game.talon_count == len(game.talon)


@EXAMPLES
@given(deals())
def test_one_seat_to_move_until_the_end(deal):
    for game in random_game(*deal):
        moves = game.legal_moves()
        if game.result is None:
            assert game.actor in range(game.players)
            assert game.hand_counts[game.actor] > 0 or game.actor == game.defender
            assert moves
            assert len(moves) == len(set(moves))
            kinds = {move.kind for move in moves}
            if not game.table:
                assert kinds == {MoveKind.LAY}
            elif game.actor == game.defender:
                assert moves[-1] is MOVES["take"]
                assert kinds <= {MoveKind.BEAT, MoveKind.TRANSFER, MoveKind.TAKE}
            else:
                assert moves[-1] is MOVES["pass"]
                assert kinds <= {MoveKind.LAY, MoveKind.PASS}
        else:
            assert game.actor is None
            assert moves == []
    assert game.result is not None


@EXAMPLES
@given(deals())
def test_legal_moves_go_from_cheap_to_dear(deal):
    for game in random_game(*deal):
        costs = [
            max((card.suit == game.trump, RANKS.index(card.rank)) for card in move.cards)
            for move in game.legal_moves()
            if move.cards
        ]
        assert costs == sorted(costs)


@EXAMPLES
@given(deals(), st.data())
def test_an_illegal_move_changes_nothing(deal, data):
    for game in random_game(*deal):
        if data.draw(st.integers(0, 9)):
            continue
        before = state(game)
        legal = set(game.legal_moves())
        text = data.draw(st.sampled_from(sorted(MOVES)) | st.text(max_size=6))
        if MOVES.get(text) in legal:
            continue
        with pytest.raises(IllegalMove, match=r"is illegal: |is not a move: "):
            game.play(text)
        assert state(game) == before


@settings(max_examples=12, deadline=None)
@given(deals())
def test_every_move_that_is_not_legal_is_refused_with_a_reason(deal):
    for number, game in enumerate(random_game(*deal)):
        if number % 7:
            continue
        before = state(game)
        for move in set(MOVES.values()) - set(game.legal_moves()):
            with pytest.raises(IllegalMove, match=r"is illegal: \w+ ?"):
                game.play(move)
        assert state(game) == before


@EXAMPLES
@given(deals())
def test_the_attack_keeps_to_its_cap(deal):
    ruleset = deal[0]
    began = None
    for game in random_game(*deal):
        if game.actor is None:
            break
        limit = ruleset.first_bout_cap if game.bout == 1 else ruleset.attack_cap
        if began != (game.bout, game.defender):
            began = (game.bout, game.defender)
            assert game.cap == min(limit, game.hand_counts[game.defender])
        assert len(game.table) <= game.cap <= limit
        if len(game.table) == game.cap:
            assert game.actor == game.defender
        unbeaten = [attack for attack, answer in game.table if answer is None]
        if not game.taking:
            assert len(unbeaten) <= game.hand_counts[game.defender]


@EXAMPLES
@given(deals())
def test_transfers(deal):
    """Who transfers becomes the attacker, the next player the defender, and nothing is beaten then."""
    game = None
    for game in random_game(*deal):
        assume(deal[0].transfer)
        for move in game.legal_moves():
            if move.kind is not MoveKind.TRANSFER:
                continue
            after = game.copy()
            after.play(move)
            assert not any(answer for _, answer in game.table)
            assert after.attacker == game.defender
            assert after.defender != game.defender
            assert after.bout == game.bout
            assert {card.rank for card, _ in after.table} == {move.cards[0].rank}
            assert after.hand_counts[after.defender] >= len(after.table)


@EXAMPLES
@given(deals())
def test_a_game_ends_within_the_bout_limit(deal):
    for game in random_game(*deal):
        assert 1 <= game.bout <= deal[0].bout_limit


@EXAMPLES
@given(deals())
def test_partners_never_attack_each_other(deal):
    ruleset, _, deck, rng = deal
    for game in random_game(replace(ruleset, teams="pairs"), 4, deck, rng):
        if game.actor is not None:
            assert {game.attacker % 2, game.defender % 2} == {0, 1}
            if game.actor != game.defender:
                assert game.actor % 2 == game.attacker % 2


@EXAMPLES
@given(deals())
def test_a_copy_is_a_game_of_its_own(deal):
    rng = deal[3]
    for game in random_game(*deal):
        if game.actor is None or rng.random() < 0.8:
            continue
        before = state(game)
        twin = game.copy()
        assert state(twin) == before
        for _ in range(20):
            if twin.actor is not None:
                twin.play(choose(rng, twin, 0.5))
        assert state(game) == before


@EXAMPLES
@given(deals())
def test_the_moves_replayed_give_the_same_states(deal):
    ruleset, players, deck, _ = deal
    states = [state(game) for game in random_game(*deal)]
    game = Game(ruleset, players, deck)
    moves = [event for event in states[-1][-1] if event.move]
    assert state(game) == states[0]
    for event, expected in zip(moves, states[1:], strict=True):
        assert game.actor == event.seat
        game.play(str(event.move))
        assert state(game) == expected


@EXAMPLES
@given(deals())
def test_the_record_replayed_gives_the_same_states(deal):
    ruleset, players, deck, _ = deal
    states = []
    for game in random_game(*deal):
        states.append(state(game))
    seats = tuple({"bot": "x", "version": seat} for seat in range(players))
    record = GameRecord(ruleset, seats, tuple(deck), tuple(game.moves), game.result)
    assert [state(replayed) for replayed in replay(record)] == states
    assert verify(record) == game.result
    assert GameRecord.from_compact(record.compact()).moves == record.moves


@EXAMPLES
@given(deals(), st.permutations(SUITS))
def test_renaming_the_suits_changes_nothing_but_names(deal, names):
    ruleset, players, deck, rng = deal
    rename = dict(zip(SUITS, names, strict=True))

    def renamed(text):
        text = "".join(rename.get(letter, letter) for letter in text)
        return "+".join(sorted(text.split("+")))

    game = Game(ruleset, players, deck)
    twin = Game(ruleset, players, [renamed(card.text) for card in deck])
    while game.actor is not None:
        assert {renamed(move.text) for move in game.legal_moves() if move.cards} == {
            move.text for move in twin.legal_moves() if move.cards
        }
        move = choose(rng, game, 0.7)
        game.play(move)
        twin.play(renamed(move.text) if move.cards else move)
        assert (twin.actor, twin.attacker, twin.defender) == (game.actor, game.attacker, game.defender)
        assert twin.hand_counts == game.hand_counts
        assert [Card(renamed(card.text)) for card in game.talon] == list(twin.talon)
    assert twin.result == game.result


@EXAMPLES
@given(deals(), st.integers(1, 5))
def test_rotating_the_seats_changes_nothing_but_seats(deal, turn):
    ruleset, players, deck, rng = deal
    # Six players show the last card dealt, and it must lie in seat 5's hand: no rotation keeps that.
    assume(players < 6)
    dealt = 6 * players
    rotated = [deck[number - number % players + (number - turn) % players] for number in range(dealt)]
    game = Game(ruleset, players, deck)
    twin = Game(ruleset, players, rotated + deck[dealt:])
    # Without trumps in hand, or at the dealer's left, seat 0 leads whoever sits there.
    assume(twin.attacker == (game.attacker + turn) % players)
    while game.actor is not None:
        assert twin.actor == (game.actor + turn) % players
        assert twin.legal_moves() == game.legal_moves()
        move = choose(rng, game, 0.7)
        game.play(move)
        twin.play(move)
        assert twin.hand_counts == tuple(game.hand_counts[(seat - turn) % players] for seat in range(players))
    assert twin.result is not None
    assert game.result is not None
    assert twin.result.ending == game.result.ending
    assert twin.result.places == tuple(game.result.places[(seat - turn) % players] for seat in range(players))


@EXAMPLES
@given(deals())
def test_the_events_tell_the_whole_story(deal):
    """Hand counts, talon, table and exits follow from the events alone."""
    players = deal[1]
    counts = [6] * players
    talon = 36 - 6 * players
    on_table = 0
    *_, game = random_game(*deal)
    out = set()
    for event in game.events:
        if event.move:
            assert event.seat not in out
            counts[event.seat] -= len(event.move.cards)
            on_table += len(event.move.cards)
        elif event.kind is EventKind.BEATEN:
            on_table = 0
        elif event.kind is EventKind.TAKEN:
            counts[event.seat] += on_table
            on_table = 0
        elif event.kind is EventKind.DRAW:
            counts[event.seat] += event.count
            talon -= event.count
        else:
            out.add(event.seat)
            assert counts[event.seat] == 0
        assert min(counts) >= 0
    assert talon == game.talon_count
    assert tuple(counts) == game.hand_counts
    assert on_table == 0


@pytest.mark.parametrize("name", PRESETS)
def test_random_games_end(name):
    rng = Random(name)
    for players in PRESETS[name].players:
        for _ in range(20):
            deck = list(CARDS)
            rng.shuffle(deck)
            *_, game = random_game(PRESETS[name], players, deck, rng)
            assert game.result is not None
