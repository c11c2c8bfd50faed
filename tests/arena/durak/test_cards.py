"""Cards and sets of cards."""

import copy
import pickle

import pytest

from arena.durak import CARDS, RANKS, SUITS, Card, DeckError
from arena.durak.cards import ALL_CARDS, CARD_OF_MASK, cards_of, mask_of, read_deck


def test_a_card_is_rank_then_suit():
    card = Card("7h")
    assert (str(card), card.text, card.rank, card.suit) == ("7h", "7h", "7", "h")
    assert repr(card) == "Card('7h')"


def test_there_are_36_cards_in_the_order_of_their_index():
    assert len(set(CARDS)) == 36
    assert [card.index for card in CARDS] == list(range(36))
    assert [str(card) for card in CARDS] == [rank + suit for suit in SUITS for rank in RANKS]


def test_each_card_is_one_object():
    assert Card("Ts") is Card.parse("Ts") is CARDS[Card("Ts").index]
    assert pickle.loads(pickle.dumps(Card("Ts"))) is Card("Ts")  # noqa: S301 - our own bytes
    assert copy.deepcopy(Card("Ts")) is Card("Ts")


def test_cards_are_ordered_by_index():
    assert Card("Ac") < Card("6d") <= Card("6d") < Card("7d")
    assert Card("7d") > Card("6d") >= Card("6d") > Card("Ac")
    assert not Card("6d") < Card("6d")
    assert not Card("6d") > Card("6d")
    assert sorted([Card("6s"), Card("Ac"), Card("6c")]) == [Card("6c"), Card("Ac"), Card("6s")]


def test_a_card_is_not_compared_with_a_text():
    others: list[object] = ["6d", None, 9]
    assert Card("6d") not in others
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(Card("6d"), compare)("6d") is NotImplemented


def test_a_card_has_the_same_hash_in_every_process():
    assert [hash(card) for card in CARDS] == list(range(36))


def test_a_card_cannot_be_changed():
    with pytest.raises(AttributeError, match="cannot be changed"):
        Card("6d").rank = "7"
    with pytest.raises(AttributeError, match="cannot be changed"):
        del Card("6d").rank


@pytest.mark.parametrize("text", ["", "7", "h7", "7x", "1h", "10h", "7H", "7h ", None, 7, ["7h"]])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(ValueError, match="is not a card: write a rank of 6 7 8 9 T J Q K A, then a suit of c d h s"):
        Card(text)


def test_sets_of_cards():
    assert mask_of(CARDS) == ALL_CARDS == (1 << 36) - 1
    assert mask_of([]) == 0
    assert mask_of([Card("6c"), Card("6c")]) == mask_of([Card("6c")])
    assert all(CARD_OF_MASK[card.mask] is card for card in CARDS)
    assert mask_of([Card("6c"), Card("6d"), Card("6h"), Card("6s")]) == Card("6h").same_rank


def test_a_set_is_read_from_cheapest_to_dearest():
    mask = mask_of(map(Card, ["Ac", "6h", "7d", "7c", "6s", "9h"]))
    assert " ".join(map(str, cards_of(mask, "h"))) == "6s 7c 7d Ac 6h 9h"
    assert " ".join(map(str, cards_of(mask, "c"))) == "6h 6s 7d 9h 7c Ac"


def test_a_deck_names_the_card_that_is_there_twice():
    deck = [str(card) for card in CARDS]
    deck[7] = "9s"
    with pytest.raises(DeckError, match="this one has 9s 2 times"):
        read_deck(deck)
