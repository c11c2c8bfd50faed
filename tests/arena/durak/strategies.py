"""What hypothesis draws from: rulesets, decks and ways of choosing moves."""

from random import Random

from hypothesis import strategies as st

from arena.durak import CARDS, PRESETS, Game, Ruleset


@st.composite
def rulesets(draw):
    """Any valid ruleset, presets now and then."""
    if draw(st.booleans()):
        return draw(st.sampled_from(list(PRESETS.values())))
    return Ruleset(
        teams=draw(st.sampled_from(["none", "none", "none", "pairs"])),
        transfer=draw(st.booleans()),
        lead=draw(st.sampled_from(["single", "group"])),
        throw_in_who=draw(st.sampled_from(["all", "neighbours", "attacker", "attacker_below_four"])),
        throw_in_ranks=draw(st.sampled_from(["any", "lead", "lead_from_four"])),
        throw_in_before_defence=draw(st.booleans()),
        throw_in_on_take=draw(st.booleans()),
        attack_cap=draw(st.integers(1, 8)),
        first_bout_cap=draw(st.integers(1, 8)),
        draw_order=draw(st.sampled_from(["clockwise", "joining"])),
        first_attacker=draw(st.sampled_from(["lowest_trump", "left_of_dealer"])),
        result=draw(st.sampled_from(["last_is_fool", "first_out_wins"])),
        stalemate_takes=draw(st.sampled_from([None, 1, 3, 40])),
        bout_limit=draw(st.sampled_from([3, 40, 120])),
    )


@st.composite
def deals(draw):
    """A ruleset, a number of players it allows, a deck, and a source of choices."""
    ruleset = draw(rulesets())
    players = draw(st.sampled_from(ruleset.players))
    rng = Random(draw(st.integers(0, 2**32)))
    deck = list(CARDS)
    rng.shuffle(deck)
    return ruleset, players, deck, rng


def choose(rng, game, boldness):
    """A legal move: with `boldness` one that lays a card where there is one, else any. Bold play empties hands, timid
    play fills them, and both meet other corners of the rules."""
    moves = game.legal_moves()
    laying = [move for move in moves if move.cards]
    return rng.choice(laying if laying and rng.random() < boldness else moves)


def random_game(ruleset, players, deck, rng):
    """A game before each of its moves, and at its end."""
    game = Game(ruleset, players, deck)
    boldness = rng.choice([0.0, 0.5, 0.9, 1.0])
    yield game
    while game.actor is not None:
        game.play(choose(rng, game, boldness))
        yield game
