"""The lists of moves that are remembered."""

from arena.durak import CARDS, Card, Move
from arena.durak._choices import REMEMBERED, Choices, beaters_of
from arena.durak.cards import cards_of, mask_of


def mask(text):
    return mask_of(map(Card, text.split()))


def test_a_list_is_made_once():
    choices = Choices("h")
    assert choices.throws[mask("6c 7d")] is choices.throws[mask("6c 7d")]
    assert choices.throws[mask("6c 7d")] == [Move.parse("6c"), Move.parse("7d"), Move.parse("pass")]
    assert choices.defences[mask("6c")] is choices.defences[mask("6c")]


def test_memory_is_bounded():
    choices = Choices("h")
    for number in range(REMEMBERED + 10):
        assert choices.throws[number]
        assert len(choices.throws) <= REMEMBERED
    assert choices.throws[3] == [Move.parse("6c"), Move.parse("6d"), Move.parse("pass")]
    for number in range(1, REMEMBERED + 10):
        assert choices.defences[number]
        assert len(choices.defences) <= REMEMBERED


def test_what_is_full_is_emptied_and_what_is_not_is_kept():
    choices = Choices("h")
    first = choices.throws[0]
    assert all(choices.throws[number] for number in range(REMEMBERED))
    assert choices.throws[0] is first
    assert len(choices.throws) == REMEMBERED
    assert choices.throws[REMEMBERED]
    assert len(choices.throws) == 1
    defence = choices.defences[1]
    assert all(choices.defences[number] for number in range(1, REMEMBERED + 1))
    assert choices.defences[1] is defence
    assert len(choices.defences) == REMEMBERED
    assert choices.defences[REMEMBERED + 1]
    assert len(choices.defences) == 1


def test_what_beats_what():
    for trump in "cdhs":
        for target in CARDS:
            beaters = cards_of(beaters_of(target, trump), trump)
            for card in CARDS:
                higher = card.suit == target.suit and card.index > target.index
                trumped = card.suit == trump and target.suit != trump
                assert (card in beaters) is (higher or trumped)
