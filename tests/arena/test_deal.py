"""Decks follow from the secret exactly as docs/fair-deals.md says."""

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deal import (
    DealError,
    commitment,
    derive_deck,
    new_secret,
    parse_secret,
    sorted_deck,
    verify_deck,
)

PAGE = Path(__file__).parents[2] / "docs" / "fair-deals.md"
SECRET = bytes(range(32))

secrets_ = st.binary(min_size=32, max_size=32)
numbers = st.integers(0, 10**12)


def vectors():
    (block,) = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    return json.loads(block)


def by_the_book(secret: bytes, match: int, deal: int, cards: int):
    """The recipe once more, written from the page's words alone: HMAC by its definition, the stream all at once."""

    def sha(data):
        return hashlib.sha256(data).digest()

    padded = secret + b"\0" * (64 - len(secret))
    inner = sha(bytes(b ^ 0x36 for b in padded) + f"{match}/{deal}".encode("ascii"))
    key = sha(bytes(b ^ 0x5C for b in padded) + inner)
    stream = b"".join(sha(key + bytes.fromhex(f"{counter:016x}")) for counter in range(64))
    ranks = {24: "9TJQKA", 36: "6789TJQKA", 52: "23456789TJQKA"}[cards]
    deck = {i: ranks[i % len(ranks)] + "cdhs"[i // len(ranks)] for i in range(cards)}
    at = 0
    i = cards - 1
    while i > 0:
        n = i + 1
        b, at = stream[at], at + 1
        if b >= (256 // n) * n:
            continue
        deck[i], deck[b % n] = deck[b % n], deck[i]
        i -= 1
    return key, stream[:32], tuple(deck[i] for i in range(cards))


@pytest.mark.parametrize("vector", vectors(), ids=lambda v: f"{v['match']}/{v['deal']}-{v['cards']}")
def test_vectors_on_the_page_hold_for_both_implementations(vector):
    secret = parse_secret(vector["secret"])
    deck = tuple(vector["deck"].split())
    assert commitment(secret) == vector["commitment"]
    assert derive_deck(secret, vector["match"], vector["deal"], vector["cards"]) == deck
    key, block0, again = by_the_book(secret, vector["match"], vector["deal"], vector["cards"])
    assert (key.hex(), block0.hex(), again) == (vector["key"], vector["block0"], deck)


def test_page_has_vectors_for_every_size_of_deck():
    assert {v["cards"] for v in vectors()} == {24, 36, 52}
    assert len(vectors()) >= 5


def test_program_on_the_page_gives_the_vectors():
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102 - the page's own example is what is tested
    for v in vectors():
        if v["cards"] == 36:
            assert names["deck"](bytes.fromhex(v["secret"]), v["match"], v["deal"]) == v["deck"].split()


@given(secrets_, numbers, numbers, st.sampled_from([24, 36, 52]))
def test_an_independent_implementation_agrees(secret, match, deal, cards):
    assert by_the_book(secret, match, deal, cards)[2] == derive_deck(secret, match, deal, cards)


@given(secrets_, numbers, numbers)
def test_a_deck_is_a_permutation(secret, match, deal):
    deck = derive_deck(secret, match, deal)
    assert len(deck) == 36
    assert set(deck) == set(sorted_deck())


def test_starting_order_is_by_suit_then_rank():
    assert sorted_deck()[:10] == ("6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc", "Ac", "6d")
    assert sorted_deck()[-1] == "As"
    assert sorted_deck(24)[0] == "9c"
    assert sorted_deck(52)[0] == "2c"


def test_every_match_and_deal_has_a_deck_of_its_own():
    decks = {derive_deck(SECRET, match, deal) for match in range(100) for deal in range(20)}
    assert len(decks) == 2000


def test_match_and_deal_do_not_run_together():
    assert derive_deck(SECRET, 1, 11) != derive_deck(SECRET, 11, 1)
    assert derive_deck(SECRET, 11, 1) != derive_deck(SECRET, 1, 11)


def test_every_card_comes_to_every_position_equally_often():
    games = 3600
    seen = Counter((position, card) for m in range(games) for position, card in enumerate(derive_deck(SECRET, m, 0)))
    expected = games / 36
    chi2 = sum((seen[p, c] - expected) ** 2 / expected for p in range(36) for c in sorted_deck())
    # 35 * 35 degrees of freedom: mean 1225, standard deviation 49.5; the sample is fixed, so this is no coin toss.
    assert 1225 - 4 * 49.5 < chi2 < 1225 + 4 * 49.5


def test_new_secrets_differ_and_have_32_bytes():
    made = {new_secret() for _ in range(50)}
    assert len(made) == 50
    assert {len(s) for s in made} == {32}


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33), "0" * 64, bytearray(32), None])
def test_a_secret_of_another_shape_is_refused(secret):
    with pytest.raises(DealError, match="exactly 32 bytes"):
        derive_deck(secret, 1, 0)
    with pytest.raises(DealError, match="exactly 32 bytes"):
        commitment(secret)


@pytest.mark.parametrize(("match", "deal"), [(-1, 0), (0, -1), (1.0, 0), (0, "1"), (True, 0)])
def test_numbers_that_count_nothing_are_refused(match, deal):
    with pytest.raises(DealError, match="whole number from 0 up"):
        derive_deck(SECRET, match, deal)


@pytest.mark.parametrize("cards", [0, 32, 54, None])
def test_unknown_sizes_of_deck_are_refused(cards):
    with pytest.raises(DealError, match="24, 36 or 52"):
        derive_deck(SECRET, 1, 0, cards)


def test_secrets_are_read_as_published():
    assert parse_secret(f"  {SECRET.hex().upper()}\n") == SECRET


@pytest.mark.parametrize("text", ["", "00", "g" * 64, "0" * 63, "0" * 65, "0x" + "0" * 62, "٠" * 64, "00 " * 21 + "0"])
def test_text_that_is_no_secret_is_refused(text):
    with pytest.raises(DealError, match="64 hexadecimal digits"):
        parse_secret(text)


def test_verification_accepts_the_deck_and_names_what_differs():
    deck = list(derive_deck(SECRET, 7, 2))
    published = commitment(SECRET)
    verify_deck(SECRET, published, 7, 2, deck)
    verify_deck(SECRET, published.upper(), 7, 2, deck)
    with pytest.raises(DealError, match="not the one that was committed to"):
        verify_deck(SECRET, "0" * 64, 7, 2, deck)
    with pytest.raises(DealError, match="match 7, deal 3 is not the one that the secret gives: card 0"):
        verify_deck(SECRET, published, 7, 3, deck)
    with pytest.raises(DealError, match="has 35 cards, not 36"):
        verify_deck(SECRET, published, 7, 2, deck[:-1])
    deck[10], deck[20] = deck[20], deck[10]
    with pytest.raises(DealError, match=f"card 10 is {deck[10]}, and should be {deck[20]}"):
        verify_deck(SECRET, published, 7, 2, deck)
