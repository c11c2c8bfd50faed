"""Packing records small: a header as JSON, then deck, moves and times as numbers, all of it deflated.

A packed record can be read as long as its first byte is known here: neither the numbers of moves nor `_USUAL` may ever
change for it. A change makes a new first byte.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

from arena.durak.cards import CARDS
from arena.durak.moves import MOVES

_VERSION: Final = 1
_LARGEST: Final = 16 << 20
"""No record unpacks to more bytes."""

_MOVE_TEXTS: Final = tuple(MOVES)
_MOVE_NUMBERS: Final = {text: number for number, text in enumerate(_MOVE_TEXTS)}
_CARD_NUMBERS: Final = {card.text: card.index for card in CARDS}

# What most headers hold: deflate refers to it instead of storing it.
_USUAL: Final = (
    b'"throw_in_who":"neighbours""attacker""throw_in_ranks":"lead""result":{"ending":"stalemate""bout_limit""draw"'
    b'"win""forfeit""failure":{"seat":0,"reason":"crash""time""illegal""load","at":"stalemate_takes":null,'
    b'"teams":"pairs","transfer":true,"lead":"group","throw_in_who":"attacker_below_four","throw_in_ranks":'
    b'"lead_from_four","throw_in_before_defence":false,"first_bout_cap":6,"draw_order":"joining","first_attacker":'
    b'"left_of_dealer","result":"first_out_wins"{"format":"durak-record/1","ruleset":{"name":"podkidnoy-lead-rank'
    b'perevodnoy-first-out","teams":"none","transfer":false,"lead":"single","throw_in_who":"all","throw_in_ranks":'
    b'"any","throw_in_before_defence":true,"throw_in_on_take":true,"attack_cap":6,"first_bout_cap":5,"draw_order":'
    b'"clockwise","first_attacker":"lowest_trump","result":"last_is_fool","stalemate_takes":40,"bout_limit":500},'
    b'"players":2,"seats":[{"bot":"","version":1},{"bot":"","version":1}],"result":{"ending":"fool","places":[1,2],'
    b'"fool":1},"failure":null,"limits":{"bank":10.0,"move_limit":2.0,"start_limit":5.0,"memory_mb":256,'
    b'"output_bytes":1048576,"forfeit_after":3},"engine":"arena.durak 1"}'
)


def pack(header: dict[str, Any], deck: Sequence[str], moves: Sequence[Any], times: Sequence[float | None]) -> bytes:
    """The record's fields as bytes: all fields but three in `header`, those three as JSON has them."""
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    body = bytearray()
    _put(body, len(head))
    body += head
    body += bytes(_CARD_NUMBERS[card] for card in deck)
    _put(body, len(moves))
    for seat, text in moves:
        body += (seat * len(_MOVE_TEXTS) + _MOVE_NUMBERS[text]).to_bytes(2, "big")
    for time in times:
        _put(body, 0 if time is None else 1 + round(time * 1000))
    squeeze = zlib.compressobj(9, zdict=_USUAL)
    return bytes([_VERSION]) + squeeze.compress(bytes(body)) + squeeze.flush()


def unpack(packed: bytes) -> tuple[Any, list[str], list[Any], list[float | None]]:
    """What `pack` was given; ValueError, in words, when the bytes are damaged."""
    if packed[:1] != bytes([_VERSION]):
        raise ValueError("it does not begin as a packed record does")
    body = _inflate(bytes(packed[1:]))
    numbers = iter(body)
    try:
        head = bytes(next(numbers) for _ in range(_get(numbers)))
        deck = [CARDS[next(numbers)].text for _ in CARDS]
        moves = []
        for _ in range(_get(numbers)):
            seat, number = divmod(next(numbers) << 8 | next(numbers), len(_MOVE_TEXTS))
            moves.append([seat, _MOVE_TEXTS[number]])
        times = [None if time == 0 else (time - 1) / 1000 for time in (_get(numbers) for _ in moves)]
    except (StopIteration, RuntimeError):
        raise ValueError("it breaks off") from None
    except IndexError:
        raise ValueError("it holds a card that there is not") from None
    if next(numbers, None) is not None:
        raise ValueError("it goes on after its end")
    return json.loads(head), deck, moves, times


def _inflate(data: bytes) -> bytes:
    expand = zlib.decompressobj(zdict=_USUAL)
    try:
        body = expand.decompress(data, _LARGEST)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not expand.eof or expand.unused_data:
        raise ValueError("it is cut off, too long, or followed by something else")
    return body


def _put(body: bytearray, number: int) -> None:
    """Append a number of any size, seven bits a byte, the lowest first."""
    while number > 127:
        body.append(number & 127 | 128)
        number >>= 7
    body.append(number)


def _get(numbers: Iterator[int]) -> int:
    number = shift = 0
    while (byte := next(numbers)) > 127:
        number |= (byte & 127) << shift
        shift += 7
    return number | byte << shift
