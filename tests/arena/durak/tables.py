"""Short ways of setting up a table in tests."""

from dataclasses import replace

from arena.durak import CARDS, PRESETS, Card, Game, Position

PODKIDNOY = PRESETS["podkidnoy"]
PEREVODNOY = PRESETS["perevodnoy"]
FIRST_OUT = PRESETS["podkidnoy-first-out"]
LEAD_RANK = PRESETS["podkidnoy-lead-rank"]
PAIRS = PRESETS["pairs"]


def ruleset(**options):
    """Podkidnoy with some options changed."""
    return replace(PODKIDNOY, **options)


def table(rules, *hands, trump="h", **more):
    """A game in the middle, each seat holding the cards of a text."""
    return Game.from_position(Position(rules, hands, trump, **more))


def legal(game):
    """What the actor may do, in writing and in order."""
    return " ".join(str(move) for move in game.legal_moves())


def play(game, *moves):
    """Play several moves, and return the game."""
    for move in moves:
        game.play(move)
    return game


def hand(game, seat):
    """A seat's hand in writing."""
    return " ".join(map(str, game.hand(seat)))


def events(game):
    """What happened, as it is written on the wire, one text an event."""
    return [" ".join(str(part) for part in event.to_wire()) for event in game.events]


def deck_of(*hands, talon=""):
    """A deck that deals each seat the hand written, then has the turn-up and the cards drawn, in the order of drawing:
    the last of `talon` is the turn-up. Cards named nowhere come in between."""
    dealt = [[Card(text) for text in hand.split()] for hand in hands]
    drawn = [Card(text) for text in talon.split()]
    named = [card for hand in dealt for card in hand] + drawn
    rest = [card for card in CARDS if card not in named]
    for cards in dealt:
        while len(cards) < 6:
            cards.append(rest.pop())
    deck = [cards[number] for number in range(6) for cards in dealt]
    if drawn:
        turn_up = drawn.pop()
        return [*deck, turn_up, *drawn, *rest]
    return [*deck, *rest]
