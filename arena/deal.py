"""From a tournament's secret to its decks, so that anybody can check afterwards that no deck was chosen.

A secret is drawn before the first match and only its SHA-256 is published. Every deck follows from the secret, the
match's number and the deal's number; when the secret is published, anyone can derive each deck again.
``docs/fair-deals.md`` specifies the derivation in words and carries test vectors; a test reads them from there.

Nothing here may reach a bot: whoever holds the secret knows every card.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from typing import Final

SECRET_BYTES: Final = 32
"""Length of a secret: 256 bits, too many to search even for someone who has seen every card of many deals."""

SUITS: Final = "cdhs"
RANKS: Final = "23456789TJQKA"
DECK_SIZES: Final = (24, 36, 52)
"""Decks that can be derived: the highest six, nine or thirteen ranks of each suit."""


class DealError(ValueError):
    """A secret, commitment or deck is not what it should be; the message is one sentence saying what to do."""


def new_secret() -> bytes:
    """Return a fresh secret of 32 bytes from the operating system's source of randomness."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """Return the SHA-256 of ``secret`` as 64 lowercase hexadecimal digits: what is published before play begins."""
    return hashlib.sha256(_checked(secret)).hexdigest()


def parse_secret(text: str) -> bytes:
    """Read a secret as it is published: 64 hexadecimal digits in either case, white space around them ignored.

    Raises DealError for anything else.
    """
    digits = text.strip()
    if len(digits) != 2 * SECRET_BYTES or set(digits) - set("0123456789abcdefABCDEF"):
        raise DealError(f"A secret is written as {2 * SECRET_BYTES} hexadecimal digits; this text is something else.")
    return bytes.fromhex(digits)


def derive_deck(secret: bytes, match_number: int, deal: int, cards: int = 36) -> tuple[str, ...]:
    """Return the deck of one deal as card texts (``"6c"``), in the order in which they are dealt.

    ``match_number`` and ``deal`` count from wherever the tournament counts from; neither may be negative. ``cards`` is
    the size of the deck. The same arguments give the same deck for ever: the derivation is public and must not change.
    Raises DealError (a ValueError) if the secret is not 32 bytes, a number is negative or the size is unknown.
    """
    _checked(secret)
    for name, number in (("match_number", match_number), ("deal", deal)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise DealError(f"{name} must be a whole number from 0 up; it is {number!r}.")
    deck = list(sorted_deck(cards))
    stream = _stream(hmac.new(secret, b"%d/%d" % (match_number, deal), hashlib.sha256).digest())
    # Fisher and Yates from the end: position i gets one of the cards at 0..i, each equally likely.
    for i in range(len(deck) - 1, 0, -1):
        j = _below(i + 1, stream)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def sorted_deck(cards: int = 36) -> tuple[str, ...]:
    """Return the deck in its starting order: clubs, diamonds, hearts, spades, each from the lowest rank to the ace."""
    if cards not in DECK_SIZES:
        raise DealError(f"A deck has {', '.join(map(str, DECK_SIZES[:-1]))} or {DECK_SIZES[-1]} cards, not {cards!r}.")
    ranks = RANKS[-(cards // len(SUITS)) :]
    return tuple(rank + suit for suit in SUITS for rank in ranks)


def verify_deck(
    secret: bytes, published: str, match_number: int, deal: int, deck: Sequence[str], cards: int = 36
) -> None:
    """Check that ``secret`` is the one committed to as ``published`` and that ``deck`` is the deck it gives.

    Returns nothing when both hold and raises DealError, with a sentence, when one does not.
    """
    if not hmac.compare_digest(commitment(secret).encode(), published.strip().lower().encode()):
        raise DealError("The secret is not the one that was committed to: its SHA-256 differs from the commitment.")
    expected = derive_deck(secret, match_number, deal, cards)
    if len(deck) != len(expected):
        raise DealError(f"The deck of match {match_number}, deal {deal} has {len(deck)} cards, not {cards}.")
    for position, (stands, should) in enumerate(zip(deck, expected, strict=True)):
        if stands != should:
            raise DealError(
                f"The deck of match {match_number}, deal {deal} is not the one that the secret gives: "
                f"card {position} is {stands}, and should be {should}."
            )


def _checked(secret: bytes) -> bytes:
    if not isinstance(secret, bytes) or len(secret) != SECRET_BYTES:
        size = f"{len(secret)} bytes" if isinstance(secret, bytes) else type(secret).__name__
        raise DealError(f"A secret is exactly {SECRET_BYTES} bytes; this one is {size}.")
    return secret


def _stream(key: bytes) -> Iterator[int]:
    """Yield the bytes of SHA-256(key + counter), counter = 0, 1, 2, ... as eight bytes, most significant first."""
    counter = 0
    while True:
        yield from hashlib.sha256(key + counter.to_bytes(8, "big")).digest()
        counter += 1


def _below(bound: int, stream: Iterator[int]) -> int:
    """Return a number from 0 to ``bound - 1``, all equally likely (``bound`` is at most 256).

    Bytes at or above the largest multiple of ``bound`` are thrown away; without that, small numbers would come up
    more often than large ones.
    """
    limit = 256 - 256 % bound
    for byte in stream:
        if byte < limit:
            return byte % bound
    raise AssertionError("the stream of bytes does not end")  # pragma: no cover
