"""Records: written, read, packed, checked; and what is said of those that are not in order."""

import json
import zlib
from dataclasses import FrozenInstanceError, replace
from random import Random

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.durak import (
    CARDS,
    PRESETS,
    Card,
    Ending,
    Game,
    GameRecord,
    Move,
    Outcome,
    RecordError,
    _compact,
    replay,
    verify,
)
from arena.durak.record import ENGINE, FAILURES, record_schema
from arena.failure import Reason
from tests.arena.durak.strategies import deals, random_game

LIMITS = {"bank": 10.0, "move_limit": 2.0, "start_limit": 5.0, "memory_mb": 256, "note": None}


def record_of(ruleset, players, deck, rng, **more):
    """The record of a random game."""
    *_, game = random_game(ruleset, players, deck, rng)
    times = tuple(rng.choice([None, round(rng.uniform(0, 2000), 3)]) for _ in game.moves)
    seats = tuple({"bot": rng.choice(["ёж", "Bot", "a" * 200]), "version": seat} for seat in range(players))
    moves = tuple(game.moves)
    return GameRecord(ruleset, seats, tuple(deck), moves, game.result, None, times, LIMITS, **more)


@pytest.fixture
def record():
    """A game of three that ends with a fool."""
    deck = list(CARDS)
    Random(7).shuffle(deck)
    record = record_of(PRESETS["podkidnoy"], 3, deck, Random(8))
    assert record.result.ending is Ending.FOOL
    return record


@pytest.fixture
def data(record):
    """The same as JSON, to be broken."""
    return json.loads(record.dumps())


@settings(max_examples=60, deadline=None)
@given(deals())
def test_a_record_is_written_and_read_back(deal):
    record = record_of(*deal)
    assert GameRecord.loads(record.dumps()) == record
    assert GameRecord.loads(record.dumps().encode()) == record
    assert GameRecord.from_json(record.to_json()) == record
    assert GameRecord.from_compact(record.compact()) == record
    assert verify(record) == record.result
    jsonschema_rs.validate(record_schema(), record.to_json())


def test_the_fields_are_those_of_the_format(record):
    data = record.to_json()
    assert list(data) == [
        "format",
        "ruleset",
        "players",
        "seats",
        "deck",
        "moves",
        "result",
        "failure",
        "times_ms",
        "limits",
        "engine",
    ]
    assert data["format"] == "durak-record/1"
    assert data["players"] == 3
    assert data["deck"][0] == str(record.deck[0])
    assert data["moves"][0] == [record.moves[0][0], str(record.moves[0][1])]
    assert data["engine"] == ENGINE
    assert "\n" not in record.dumps()
    assert "ё" in replace(record, seats=({"bot": "ё", "version": 1},) * 3).dumps()


def test_times_may_be_unknown(record):
    bare = replace(record, times_ms=())
    assert bare.to_json()["times_ms"] == [None] * len(record.moves)
    assert GameRecord.loads(bare.dumps()).times_ms == (None,) * len(record.moves)


def test_times_are_kept_to_the_microsecond(data):
    data["times_ms"][0] = 1.23456
    assert GameRecord.from_json(data).times_ms[0] == 1.235


def test_packed_records_are_small(record):
    assert len(record.compact()) < len(record.dumps()) / 4
    assert len(replace(record, times_ms=()).compact()) < 600


def test_a_small_number_is_packed_in_one_byte():
    for number, packed in ((0, b"\x00"), (127, b"\x7f"), (128, b"\x80\x01"), (300, b"\xac\x02")):
        body = bytearray()
        _compact._put(body, number)
        assert bytes(body) == packed
        assert _compact._get(iter(packed)) == number


def test_a_packed_record_of_today_can_be_read_tomorrow():
    """These bytes were packed when the format was made: they must always be readable."""
    record = GameRecord.from_compact(bytes.fromhex(PACKED))
    assert verify(record) == Outcome(Ending.FORFEIT, (1, 2), None)
    assert record.seats == ({"bot": "one", "version": 1}, {"bot": "two", "version": 22})
    assert [f"{seat} {move}" for seat, move in record.moves] == ["0 6d", "0 pass", "1 6d/Td", "0 6s"]
    assert record.times_ms == (None, 0.0, 1.5, 123456.789)


PACKED = (
    "0178f9659c84d63bc64266ba1c4d79d44b7990f0c396f84acaf391658c8c70264048a98d230d82921d72328415e98648453a"
    "b82c8714de26b5d8d3289e74c4c92bcdc7a8c8c4cecc212423acccc0c2cac6c5cdc32f2028222a262e2129252b27afa0c4c2"
    "e8cb3a83bd95f93903e35dee69b3de5b01000112cec2"
)


def test_replay_yields_before_the_first_move_and_after_each(record):
    bouts = [game.bout for game in replay(record)]
    assert len(bouts) == len(record.moves) + 1
    assert bouts == sorted(bouts)


def test_the_schema_and_the_code_agree(data):
    schema = record_schema()
    options = schema["properties"]["ruleset"]
    assert options["required"] == list(options["properties"]) == list(PRESETS["pairs"].to_json())
    assert schema["required"] == list(schema["properties"]) == list(data)
    assert schema["properties"]["failure"]["anyOf"][1]["properties"]["reason"]["enum"] == list(FAILURES)
    assert schema["properties"]["result"]["properties"]["ending"]["enum"] == [ending.value for ending in Ending]
    assert set(FAILURES) == {reason.value for reason in Reason}


def set_path(data, path, value):
    *parents, last = path
    for step in parents:
        data = data[step]
    if value is DELETE:
        del data[last]
    else:
        data[last] = value


DELETE = object()

# What is written where, what is said of it, and whether the schema sees it as well.
BROKEN = [
    (["format"], DELETE, "This is not a record of a game", True),
    (["format"], "chess/1", "This is not a durak-record/1 but a 'chess/1'", True),
    (["format"], "durak-record/2", "This is not a durak-record/1 but a 'durak-record/2'", True),
    (["moves"], DELETE, "The record lacks moves", True),
    (["extra"], 1, "The record has an unknown field 'extra'", True),
    (["ruleset"], None, "ruleset: A ruleset is an object", True),
    (["ruleset", "lead"], DELETE, "ruleset: The ruleset lacks lead", True),
    (["ruleset", "lead"], "double", "ruleset: lead is one of single, group, not 'double'", True),
    (["ruleset", "jokers"], 2, "ruleset: A ruleset has no option 'jokers'", True),
    (["players"], 7, "players: Durak is played by two to six, not 7", True),
    (["players"], "3", "players: Durak is played by two to six, not '3'", True),
    (["players"], 4, "There are 4 players, but seats names 3", False),
    (["seats"], {}, "seats is a list", True),
    (["seats", 0], "x", "A seat is an object with bot, version, not 'x'", True),
    (["seats", 0, "bot"], "", "bot is a text of 1 to 200 characters, not ''", True),
    (["seats", 0, "bot"], "a" * 201, "bot is a text of 1 to 200 characters", True),
    (["seats", 0, "version"], -1, "version is a whole number from 0", True),
    (["seats", 0, "version"], True, "version is a whole number from 0", True),
    (["seats", 0, "rating"], 1500, "A seat is an object with bot, version, not", True),
    (["deck"], "6c", "deck is a list, not '6c'", True),
    (["deck", 5], "XX", "deck: Card 5 of the deck: 'XX' is not a card", True),
    (["deck", 5], DELETE, "deck: A deck has 36 cards, this one has 35", True),
    (["moves"], {}, "moves is a list", True),
    (["moves", 3], "7h", r"Move 4 is \[seat, move\], not '7h'", True),
    (["moves", 3], [0], r"Move 4 is \[seat, move\], not \[0\]", True),
    (["moves", 3, 0], 3, "The seat of move 4 is a whole number from 0 to 2, not 3", False),
    (["moves", 3, 0], None, "The seat of move 4 is a whole number", True),
    (["moves", 3, 1], "7x", "Move 4 by seat .: '7x' is not a move", True),
    (["moves", 3, 1], 7, "Move 4 by seat .: A move is a Move or its text, not int", True),
    (["result"], [], "result is an object with ending, fool, places", True),
    (["result", "ending"], "victory", "ending is one of fool, draw, win, stalemate, bout_limit, forfeit, not", True),
    (["result", "places"], [1, 2], "places has a place for each of 3 players", False),
    (["result", "places"], [1, 2, 4], "A place is a whole number from 1 to 3, not 4", False),
    (["result", "places"], [1, 2, 0], "A place is a whole number from 1 to 3, not 0", True),
    (["result", "places"], "123", "places has a place for each of 3 players", True),
    (["result", "fool"], 3, "fool is a whole number from 0 to 2, not 3", False),
    (["result", "fool"], "2", "fool is a whole number from 0 to 2, not '2'", True),
    (["failure"], {}, "failure is an object with at, reason, seat", True),
    (["failure"], {"seat": 9, "reason": "time", "at": 1}, "The seat that failed is a whole number", True),
    (["failure"], {"seat": 1, "reason": "bored", "at": 1}, "The reason of a failure is one of load, crash", True),
    (["failure"], {"seat": 1, "reason": "time", "at": -1}, "at is a whole number", True),
    (["times_ms"], [], "times_ms has an entry for each of .* moves, not 0", False),
    (["times_ms"], None, "times_ms is a list", True),
    (["times_ms", 1], "fast", "The time of move 2 is null or milliseconds, not 'fast'", True),
    (["times_ms", 1], -1, "The time of move 2 is null or milliseconds, not -1", True),
    (["times_ms", 1], True, "The time of move 2 is null or milliseconds, not True", True),
    (["limits"], [], "limits is an object of named numbers", True),
    (["limits", "bank"], [], "limits is an object of named numbers", True),
    (["limits", "bank"], float("inf"), "limits is an object of named numbers", True),
    (["engine"], 7, "engine is a text of 1 to 200 characters, not 7", True),
    (["engine"], "", "engine is a text of 1 to 200 characters, not ''", True),
]


@pytest.mark.parametrize(("path", "value", "sentence", "schema_too"), BROKEN)
def test_what_is_not_well_formed_is_refused(data, path, value, sentence, schema_too):
    set_path(data, path, value)
    with pytest.raises(RecordError, match=sentence):
        GameRecord.from_json(data)
    assert jsonschema_rs.is_valid(record_schema(), data) is not schema_too


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "This is not JSON, or only a part of it"),
        ("{", "This is not JSON, or only a part of it"),
        ("[1, 2]", "This is not a record of a game"),
        ("null", "This is not a record of a game"),
        ('"durak-record/1"', "This is not a record of a game"),
        ('{"format": NaN}', "This is not JSON: it holds NaN"),
        ('{"format": 1, "format": 2}', "A field stands twice in one object of the record"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "This is not JSON, or only a part of it"),
        (b"\xff\xfe\x00", "This is not"),
        (b"\xef\xbb\xbf{}", "This is not"),
        (b"\x80abc", "This is not a record: the file is not UTF-8 text"),
    ],
)
def test_text_that_is_no_record_is_refused(text, sentence):
    with pytest.raises(RecordError, match=sentence):
        GameRecord.loads(text)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000))
def test_a_record_cut_off_anywhere_is_refused(cut):
    record = record_of(PRESETS["perevodnoy"], 2, CARDS, Random(1))
    text, packed = record.dumps(), record.compact()
    with pytest.raises(RecordError):
        GameRecord.loads(text[: cut % len(text)])
    with pytest.raises(RecordError, match="The packed record is damaged"):
        GameRecord.from_compact(packed[: cut % len(packed)])


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.integers(0, 10_000))
def test_packed_bytes_that_are_damaged_are_refused_in_words(noise, place):
    packed = bytearray(record_of(PRESETS["perevodnoy"], 2, CARDS, Random(1)).compact())
    for damaged in (noise, packed + b"x", bytes([packed[0]]) + noise):
        with pytest.raises(RecordError):
            GameRecord.from_compact(bytes(damaged))
    packed[place % len(packed)] ^= 1 + place % 255
    with pytest.raises(RecordError):
        GameRecord.from_compact(bytes(packed))


# Records that are well-formed, and not true


def moved(record, number, move):
    """The record with another move at `number`, counted from 1."""
    moves = list(record.moves)
    moves[number - 1] = move
    return replace(record, moves=tuple(moves))


def test_a_move_that_is_illegal_is_named(record):
    total = len(record.moves)
    seat = record.moves[0][0]
    other = next(card for card in CARDS if card not in Game(record.ruleset, 3, record.deck).hand(seat))
    broken = moved(record, 1, (seat, Move.parse(str(other))))
    sentence = f"Move 1 of {total} by seat {seat}: {other} is illegal: seat {seat} does not hold {other}"
    with pytest.raises(RecordError) as error:
        verify(broken)
    assert str(error.value) == sentence


def test_a_move_out_of_turn_is_named(record):
    seat, move = record.moves[1]
    wrong = (seat + 1) % 3
    sentence = f"Move 2 of {len(record.moves)}, {move} by seat {wrong}, is out of turn: seat {seat} is to move"
    with pytest.raises(RecordError, match=sentence):
        verify(moved(record, 2, (wrong, move)))


def test_a_move_after_the_end_is_named(record):
    longer = replace(record, moves=(*record.moves, (0, Move.parse("pass"))))
    total = len(longer.moves)
    with pytest.raises(RecordError, match=f"Move {total} of {total}, pass by seat 0, comes after the end of the game"):
        verify(longer)


def test_a_record_that_breaks_off_is_noticed(record):
    total = len(record.moves)
    with pytest.raises(RecordError, match=f"The record breaks off after {total - 1} moves: seat . is to move"):
        verify(replace(record, moves=record.moves[:-1]))
    with pytest.raises(RecordError, match=f"Move 1 of {total - 1}, .* is out of turn|Move 1 of {total - 1} by seat"):
        verify(replace(record, moves=record.moves[1:]))


def test_another_deck_is_noticed(record):
    deck = list(record.deck)
    deck[0], deck[1] = deck[1], deck[0]
    with pytest.raises(RecordError, match=r"^Move \d+ of \d+"):
        verify(replace(record, deck=tuple(deck)))


def test_another_ruleset_is_noticed(record):
    with pytest.raises(RecordError, match=r"^Move \d+ of \d+"):
        verify(replace(record, ruleset=PRESETS["podkidnoy-lead-rank"]))


def test_another_result_is_noticed(record):
    places = record.result.places
    wrong = replace(record.result, places=places[1:] + places[:1])
    with pytest.raises(RecordError) as error:
        verify(replace(record, result=wrong))
    assert str(error.value) == (
        f"After the last move the result is fool with places {list(places)}, fool: seat {record.result.fool}, "
        f"the record says fool with places {list(wrong.places)}, fool: seat {record.result.fool}"
    )
    draw = Outcome(Ending.DRAW, (1, 1, 1), None)
    with pytest.raises(RecordError, match=r"the record says draw with places \[1, 1, 1\]$"):
        verify(replace(record, result=draw))


# Forfeits


def failed(record, moves, places=(1, 3, 1), **failure):
    """The record of a game in which seat 1 failed after so many moves."""
    return replace(
        record,
        moves=record.moves[:moves],
        times_ms=(),
        result=Outcome(Ending.FORFEIT, places, None),
        failure={"seat": 1, "reason": "time", "at": moves, **failure},
    )


def test_a_forfeit_is_verified(record):
    for moves in (0, 1, 20):
        broken_off = failed(record, moves)
        assert verify(broken_off).places == (1, 3, 1)
        assert GameRecord.from_compact(broken_off.compact()) == GameRecord.loads(broken_off.dumps())


def test_a_failure_is_written_and_read_back(record):
    lost = failed(record, 5, at=10**9)
    assert json.loads(lost.dumps())["failure"] == {"seat": 1, "reason": "time", "at": 10**9}
    assert GameRecord.loads(lost.dumps()).failure == lost.failure
    for seat in (0, 2):
        assert GameRecord.loads(failed(record, 5, seat=seat).dumps()).failure["seat"] == seat
    with pytest.raises(RecordError, match="The seat that failed is a whole number from 0 to 2, not 3"):
        GameRecord.loads(failed(record, 5, seat=3).dumps())
    with pytest.raises(RecordError, match="at is a whole number from 0 to 1000000000, not 1000000001"):
        GameRecord.loads(failed(record, 5, at=10**9 + 1).dumps())


def test_the_ends_of_what_is_allowed(data):
    data["seats"][0] = {"bot": "x", "version": 10**9}
    data["times_ms"][0] = 10**12
    record = GameRecord.from_json(data)
    assert (record.seats[0], record.times_ms[0]) == ({"bot": "x", "version": 10**9}, 10**12)
    with pytest.raises(RecordError, match="version is a whole number from 0 to 1000000000, not 1000000001"):
        GameRecord.from_json({**data, "seats": [{"bot": "x", "version": 10**9 + 1}, *data["seats"][1:]]})
    with pytest.raises(RecordError, match="The time of move 1 is null or milliseconds, not 1000000000001"):
        GameRecord.from_json({**data, "times_ms": [10**12 + 1, *data["times_ms"][1:]]})


def test_what_is_long_is_shown_by_its_beginning(data):
    for key, shown in (("x" * 58, "x" * 58 + "'"), ("x" * 59, "x" * 56 + r"\.\.\.")):
        with pytest.raises(RecordError, match=f"an unknown field '{shown}$"):
            GameRecord.from_json({**data, key: 1})


def test_a_record_cannot_be_changed(record):
    with pytest.raises(FrozenInstanceError):
        record.engine = "mine"


def test_several_may_fail_at_once(record):
    assert verify(failed(record, 0, places=(2, 2, 1))).places == (2, 2, 1)
    assert verify(failed(record, 0, places=(1, 1, 1))).places == (1, 1, 1)


def test_a_failure_may_come_to_light_after_the_end(record):
    assert verify(failed(record, len(record.moves), reason="pondering")).places == (1, 3, 1)
    with pytest.raises(RecordError, match=r"Seat 1 failed \(crash\) after the end of the game"):
        verify(failed(record, len(record.moves), reason="crash"))


def test_a_forfeit_with_other_places_is_noticed(record):
    with pytest.raises(RecordError, match=r"Seat 1 failed, but does not have the last place in forfeit"):
        verify(failed(record, 5, places=(1, 1, 3)))
    with pytest.raises(RecordError, match=r"After the last move the result is forfeit with places \[1, 3, 1\], the"):
        verify(failed(record, 5, places=(1, 2, 1)))
    with pytest.raises(RecordError, match="the result is forfeit"):
        verify(replace(failed(record, 5), result=Outcome(Ending.FORFEIT, (1, 3, 1), 1)))


def test_a_forfeit_at_another_move_is_noticed(record):
    with pytest.raises(RecordError, match="The failure is at move 6, but the record has 5 moves"):
        verify(failed(record, 5, at=6))


def test_a_failure_and_its_result_belong_together(record):
    with pytest.raises(RecordError, match="The result is a forfeit, but the record names no failure"):
        verify(replace(failed(record, 5), failure=None))
    with pytest.raises(RecordError, match=r"Seat 1 failed, but the result is fool with places .* and not a forfeit"):
        verify(replace(failed(record, 5), result=record.result))


def test_a_forfeit_in_a_pairs_game():
    record = record_of(PRESETS["pairs"], 4, CARDS, Random(1))
    assert verify(failed(record, 5, places=(1, 2, 1, 1))).places == (1, 2, 1, 1)
    with pytest.raises(RecordError, match=r"After the last move the result is forfeit with places \[1, 2, 1, 1\], the"):
        verify(failed(record, 5, places=(1, 4, 1, 1)))


def test_the_cards_of_a_record_are_cards(record):
    assert all(isinstance(card, Card) for card in GameRecord.loads(record.dumps()).deck)


def test_a_packed_header_that_is_no_object_is_refused():
    for head in (b"[]", b"null", b"[" * 100_000, b"\xff", b"{}"):
        packed = pack_raw(head)
        with pytest.raises(RecordError):
            GameRecord.from_compact(packed)


def pack_raw(head, tail=bytes(range(36)) + b"\0", version=1):
    """Bytes packed as records are, with any header and any end."""
    body = bytearray()
    _compact._put(body, len(head))
    squeeze = zlib.compressobj(zdict=_compact._USUAL)
    return bytes([version]) + squeeze.compress(bytes(body) + head + tail) + squeeze.flush()


@pytest.mark.parametrize(
    ("packed", "sentence"),
    [
        (b"", "it does not begin as a packed record does"),
        (pack_raw(b"{}", version=2), "it does not begin as a packed record does"),
        (pack_raw(b"{}", tail=b""), "it breaks off"),
        (pack_raw(b"{}", tail=bytes(range(36))), "it breaks off"),
        (pack_raw(b"{}", tail=bytes(range(1, 37)) + b"\0"), "it holds a card that there is not"),
        (pack_raw(b"{}", tail=bytes(range(36)) + b"\0\0"), "it goes on after its end"),
        (pack_raw(b"{}", tail=bytes(range(36)) + b"\x01\xff"), "it breaks off"),
        (pack_raw(b" " * (17 << 20)), "it is cut off, too long, or followed by something else"),
        (pack_raw(b"{}") + b"x", "it is cut off, too long, or followed by something else"),
        (pack_raw(b"{}")[:-1], "it is cut off, too long, or followed by something else"),
        (b"\x01hello", "Error -3 while decompressing data"),
    ],
)
def test_each_kind_of_damage_has_its_words(packed, sentence):
    with pytest.raises(RecordError, match=f"The packed record is damaged: {sentence}"):
        GameRecord.from_compact(packed)
