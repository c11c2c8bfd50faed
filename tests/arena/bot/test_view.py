"""A view holds what a player with a perfect memory knows, and nothing else."""

from collections import Counter
from dataclasses import FrozenInstanceError
from random import Random

import pytest
from hypothesis import assume, given, settings

from arena import Bot, Card, GameInfo, Move, View
from arena.bot import Observer
from arena.durak import CARDS, PRESETS, Event, EventKind, Game
from arena.limits import Limits
from arena.table import info_for
from tests.arena.durak.strategies import choose, deals
from tests.arena.durak.tables import deck_of, play

EXAMPLES = settings(max_examples=100, deadline=None)


def info_of(game, seat):
    return info_for(game, seat, Limits())


class Watched:
    """A game and an observer at each seat, told of events as they happen."""

    def __init__(self, ruleset, players, deck):
        self.game = Game(ruleset, players, deck)
        self.observers = [Observer(info_of(self.game, seat)) for seat in range(players)]
        self.told = 0

    def play(self, *moves):
        play(self.game, *moves)

    def view(self):
        """The actor's view."""
        game = self.game
        assert game.actor is not None
        for event in game.events[self.told :]:
            for observer in self.observers:
                # Through the wire, as a bot in a sandbox gets it.
                observer.observe(Event.from_wire(event.to_wire()))
        self.told = len(game.events)
        return self.observers[game.actor].view(game.hand(game.actor), game.legal_moves(), 7.5)


def views_of(deal):
    """A random game with the actor's view, before each of its moves."""
    ruleset, players, deck, rng = deal
    watched = Watched(ruleset, players, deck)
    boldness = rng.choice([0.0, 0.5, 0.9, 1.0])
    while watched.game.actor is not None:
        yield watched.game, watched.view()
        watched.play(choose(rng, watched.game, boldness))


@EXAMPLES
@given(deals())
def test_a_view_tells_what_lies_open(deal):
    for game, view in views_of(deal):
        assert view.seat == game.actor
        assert view.hand == game.hand(view.seat)
        assert list(view.legal) == game.legal_moves()
        assert (view.trump, view.turn_up, view.talon_count) == (game.trump, game.turn_up, game.talon_count)
        assert (view.hand_counts, view.table, view.discard) == (game.hand_counts, game.table, game.discard)
        assert (view.attacker, view.defender, view.bout) == (game.attacker, game.defender, game.bout)
        assert (view.cap, view.taking) == (game.cap, game.taking)
        assert list(view.history) == list(game.events)
        assert (view.ruleset, view.players, view.partner) == (game.ruleset, game.players, game.partner(view.seat))
        assert view.clock == 7.5


@EXAMPLES
@given(deals())
def test_known_and_unseen(deal):
    """Whatever was laid once, or showed trump, is seen; wherever it lies now, everybody knows."""
    for game, view in views_of(deal):
        seen = {game.turn_up, *(card for _, move in game.moves for card in move.cards)}
        for seat in range(game.players):
            assert set(view.known(seat)) == seen & set(game.hand(seat))
        assert set(view.unseen) == set(CARDS) - seen - set(game.hand(view.seat))


@EXAMPLES
@given(deals())
def test_a_view_does_not_depend_on_hidden_cards(deal):
    """Deal the cards that the actor has not seen in another way, play the same moves: all his views are the same."""
    ruleset, players, deck, rng = deal
    watched = Watched(ruleset, players, deck)
    views = []
    for _ in range(rng.randrange(200)):
        if watched.game.actor is None:
            break
        views.append(watched.view())
        watched.play(choose(rng, watched.game, 0.6))
    assume(views)
    view = views[-1]
    hidden = list(view.unseen)
    renamed = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    twin = Watched(ruleset, players, [renamed.get(card, card) for card in deck])
    assume(twin.game.attacker == watched.observers[0]._info.first_attacker)
    for before in views:
        again = twin.view()
        if before.seat == view.seat:
            assert again == before
        twin.play(watched.game.moves[len(twin.game.moves)][1])


@EXAMPLES
@given(deals())
def test_to_game_deals_what_fits(deal):
    rng = Random(1)
    for _, view in views_of(deal):
        if rng.random() < 0.8:
            continue
        guess = view.to_game(rng)
        assert guess.legal_moves() == list(view.legal)
        assert guess.actor == view.seat
        assert guess.hand(view.seat) == view.hand
        assert guess.hand_counts == view.hand_counts
        assert (guess.table, guess.discard, guess.talon_count) == (view.table, view.discard, view.talon_count)
        assert (guess.attacker, guess.defender, guess.bout, guess.cap) == (
            view.attacker,
            view.defender,
            view.bout,
            view.cap,
        )
        assert tuple(guess.events) == view.history
        assert (guess.turn_up, guess.trump) == (view.turn_up, view.trump)
        assert guess.talon[-1:] == ((view.turn_up,) if view.talon_count else ())
        for seat in range(view.players):
            assert set(view.known(seat)) <= set(guess.hand(seat))
        everywhere = [card for seat in range(view.players) for card in guess.hand(seat)]
        everywhere += [*guess.talon, *guess.discard, *(card for pair in guess.table for card in pair if card)]
        assert sorted(everywhere) == list(CARDS)


@EXAMPLES
@given(deals())
def test_a_guess_plays_on_by_the_same_rules(deal):
    """A guess that happens to be right plays on exactly as the game does."""
    rng = Random(2)
    for game, view in views_of(deal):
        if rng.random() < 0.9:
            continue
        unseen = set(view.unseen)
        truth = [
            card for seat in range(game.players) if seat != view.seat for card in game.hand(seat) if card in unseen
        ]
        truth += [card for card in game.talon if card in unseen]
        guess, twin = view.to_game(NoShuffle(truth)), game.copy()
        while twin.actor is not None:
            assert guess.actor == twin.actor
            assert guess.legal_moves() == twin.legal_moves()
            move = choose(rng, twin, 0.7)
            guess.play(move)
            twin.play(move)
        assert guess.result == twin.result
        assert list(guess.events) == list(twin.events)


class NoShuffle(Random):
    """Puts things in the order that it was told."""

    def __init__(self, order):
        super().__init__(0)
        self.order = order

    def shuffle(self, things):
        assert sorted(things) == sorted(self.order)
        things[:] = self.order


def test_each_unseen_card_is_equally_likely_everywhere():
    deck = deck_of("6h 6c 7c 8c 9c Tc", "6d 7d 8d 9d Td Jd", talon="Qh")
    watched = Watched(PRESETS["podkidnoy"], 2, deck)
    view = watched.view()
    rng = Random(3)
    deals = 3000
    counts = Counter(card for _ in range(deals) for card in view.to_game(rng).hand(1))
    assert set(counts) == set(view.unseen)
    expected = deals * 6 / 29
    deviation = (deals * 6 / 29 * 23 / 29) ** 0.5
    assert all(abs(count - expected) < 5 * deviation for count in counts.values())


def test_what_a_taker_picked_up_is_known():
    deck = deck_of("6h 6c 7c 8c 9c Tc", "6d 7d 8d 9d Td Jd", talon="7h 8h Qh")
    watched = Watched(PRESETS["podkidnoy"], 2, deck)
    watched.play("6c", "pass", "take", "pass")
    view = watched.view()
    assert [str(card) for card in view.known(1)] == ["6c"]
    assert view.known(0) == ()
    assert Card("6c") not in view.unseen
    assert view.hand_counts == (6, 7)
    watched.play("7c", "pass", "take", "pass")
    assert [str(card) for card in watched.view().known(1)] == ["6c", "7c"]


def test_the_turn_up_is_seen_and_belongs_to_who_draws_it():
    watched = Watched(PRESETS["podkidnoy"], 5, CARDS)
    game = watched.game
    rng = Random(4)
    while game.talon_count:
        view = watched.view()
        assert game.turn_up not in view.unseen
        assert all(game.turn_up not in view.known(seat) for seat in range(5))
        watched.play(choose(rng, game, 0.8))
    (holder,) = (seat for seat in range(5) if game.turn_up in game.hand(seat))
    assert game.turn_up in watched.view().known(holder)


def test_the_card_that_shows_trump_to_six_is_known():
    watched = Watched(PRESETS["podkidnoy"], 6, CARDS)
    view = watched.view()
    assert view.known(5) == (view.turn_up,)
    assert view.turn_up not in view.unseen
    assert view.turn_up in view.to_game(Random(5)).hand(5)


def test_a_view_cannot_be_changed():
    view = Watched(PRESETS["podkidnoy"], 2, CARDS).view()
    with pytest.raises(FrozenInstanceError):
        view.hand = ()


def test_a_view_stays_as_it_was():
    watched = Watched(PRESETS["podkidnoy"], 2, CARDS)
    view = watched.view()
    before = (view.table, view.history, view.hand_counts, view.discard, view.unseen)
    watched.play(view.legal[0])
    watched.view()
    assert (view.table, view.history, view.hand_counts, view.discard, view.unseen) == before


def test_game_info_goes_over_the_wire():
    for ruleset in PRESETS.values():
        info = info_of(Game(ruleset, 4, CARDS), 2)
        assert GameInfo.from_wire(info.to_wire()) == info
    with pytest.raises(TypeError, match="colour"):
        GameInfo.from_wire({**info.to_wire(), "colour": 1})


def test_an_event_that_nobody_did_is_refused():
    observer = Observer(info_of(Game(PRESETS["podkidnoy"], 2, CARDS), 0))
    broken = object.__new__(Event)
    for name, value in {"kind": EventKind.DRAW, "seat": None, "move": None, "count": 2}.items():
        object.__setattr__(broken, name, value)
    with pytest.raises(ValueError, match="Nobody did this"):
        observer.observe(broken)


class Lowest(Bot):
    """The example of the documentation."""

    def act(self, view: View) -> Move:
        return view.legal[0]


def test_the_example_bot_plays():
    watched = Watched(PRESETS["perevodnoy"], 3, CARDS)
    bots = [Lowest(info_of(watched.game, seat)) for seat in range(3)]
    while watched.game.actor is not None:
        watched.play(bots[watched.game.actor].act(watched.view()))
    assert watched.game.result is not None
    assert bots[0].game.seat == 0


def test_a_bot_without_act_is_told_so():
    class Idle(Bot):
        pass

    watched = Watched(PRESETS["podkidnoy"], 2, CARDS)
    with pytest.raises(NotImplementedError, match="Idle has no method act"):
        Idle(info_of(watched.game, 0)).act(watched.view())
