"""The host's side of the wire: whatever a bot sends is a move, an error of its own, or a protocol failure."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.failure import PlayerFailed, Reason
from arena.wire import LINE_BYTES, Question, decode_answer, decode_ready, encode_question, encode_start


def failure(line, number=7):
    with pytest.raises(PlayerFailed) as caught:
        decode_answer(line, number)
    return caught.value


@pytest.mark.parametrize(
    "line",
    [b'{"n":7,"move":"7h/9h"}', b'{"move": "7h/9h", "n": 7}', b' {"n" : 7 , "move":"\\u0037h/9h"}\t'],
    ids=["usual", "other order", "other spelling"],
)
def test_an_answer_is_read_in_any_spelling_of_json(line):
    assert decode_answer(line, 7) == "7h/9h"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"7h",
        b"null",
        b'"7h"',
        b"[7]",
        b'{"n":7}',
        b'{"move":"7h"}',
        b'{"n":7,"move":"7h","extra":1}',
        b'{"n":7,"move":"7h"}{"n":7,"move":"7h"}',
        b'{"n":7,"move":"7h"} x',
        b'{"n":7,"move":7}',
        b'{"n":7,"move":null}',
        b'{"n":7,"move":["7h"]}',
        b'{"n":7,"move":true}',
        b'{"n":7.0,"move":"7h"}',
        b'{"n":"7","move":"7h"}',
        b'{"n":7,"ready":true}',
        b'{"n":7,"ready":true,"move":"7h"}',
        b'{"n":7,"move":"7h","error":{"reason":"crash","message":""}}',
    ],
)
def test_a_malformed_answer_is_a_protocol_failure(line):
    assert failure(line).reason is Reason.PROTOCOL


def test_true_is_not_the_number_1():
    assert failure(b'{"n":true,"move":"7h"}', 1).reason is Reason.PROTOCOL


@pytest.mark.parametrize("number", [6, 8, -7, 70, 10**30])
def test_an_answer_to_another_question_is_a_protocol_failure(number):
    assert failure(b'{"n":%d,"move":"7h"}' % number).reason is Reason.PROTOCOL


@pytest.mark.parametrize(
    "line",
    [b'{"n":7,"n":7,"move":"7h"}', b'{"n":6,"move":"7h","n":7}', b'{"n":7,"move":"7h","move":"8h"}'],
)
def test_duplicate_keys_are_a_protocol_failure(line):
    assert failure(line).reason is Reason.PROTOCOL


@pytest.mark.parametrize(
    "line",
    [
        b'{"n":' + b"7" * 7000 + b',"move":"7h"}',
        b'{"n":-' + b"7" * 7000 + b',"move":"7h"}',
        b"[" * 8000,
        b'{"a":' * 1500,
        b'{"n":' + b"[" * 8000,
        b'{"n":7,"error":' + b'{"reason":' * 700,
        b'{"n":NaN,"move":"7h"}',
        b'{"n":Infinity,"move":"7h"}',
        b'{"n":1e999,"move":"7h"}',
        b'{"n":7,"move":NaN}',
        b'{"n":7,"move":"\\ud800"}',
        b'{"n":7,"move":"\\ud800abcdef"}',
        b'{"n":7,"move":"\\udc00\\ud800"}',
        b'{"n":7,"move":"\xed\xa0\x80"}',
        b'{"n":7,"move":"\xff"}',
        b'{"n":7,"move":"7h\x00"}',
        b'{"n":7,"move":"7h\\u0000"}',
        b'{"n":7,"move":"7h\\n"}',
        b'\xef\xbb\xbf{"n":7,"move":"7h"}',
        '{"n":7,"move":"7h"}'.encode("utf-16"),
        b'{"n":7,"move":"' + b"x" * 1000 + b'"}',
    ],
    ids=lambda line: ascii(line[:24]),
)
def test_hostile_json_is_a_protocol_failure(line):
    assert failure(line).reason is Reason.PROTOCOL


def test_a_line_over_the_limit_is_refused_unparsed():
    line = b'{"n":7,"move":"7h"}' + b" " * LINE_BYTES
    assert str(LINE_BYTES) in failure(line).message
    assert decode_answer(line[:LINE_BYTES], 7) == "7h"


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_a_failure_of_the_player(line):
    assert failure(line).reason in (Reason.PROTOCOL, Reason.CRASH, Reason.LOAD, Reason.MEMORY)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.sampled_from(["n", "move", "error", "reason"]), x),
    )
)
def test_no_json_value_raises_anything_but_a_failure_of_the_player(value):
    with contextlib.suppress(PlayerFailed):
        assert isinstance(decode_answer(json.dumps(value).encode(), 7), str)


def test_a_failure_shows_the_line_harmlessly():
    message = failure(b"\x1b[31m\x00\xff<b>" + b"x" * 5000).message
    assert message.isascii()
    assert "\x1b" not in message
    assert len(message) < 600


def test_the_error_of_a_bot_keeps_its_details():
    error = {"reason": "crash", "type": "ValueError", "message": "no", "file": "bot.py", "line": 12, "traceback": "tb"}
    caught = failure(json.dumps({"n": 7, "error": error}).encode())
    assert caught.reason is Reason.CRASH
    assert caught.message == "ValueError: no (bot.py, line 12)"
    assert caught.detail == {key: value for key, value in error.items() if key != "reason"}


@pytest.mark.parametrize("reason", ["load", "memory"])
def test_a_bot_may_report_load_and_memory(reason):
    assert failure(b'{"n":7,"error":{"reason":"%s","message":""}}' % reason.encode()).reason == reason


@pytest.mark.parametrize("reason", ["time", "infrastructure", "", "\\u0000"])
def test_no_other_reason_is_a_bots_to_give(reason):
    assert failure(b'{"n":7,"error":{"reason":"%s","message":""}}' % reason.encode()).reason is Reason.PROTOCOL


def test_null_bytes_in_an_error_are_replaced_for_database_and_pages():
    caught = failure(b'{"n":7,"error":{"reason":"crash","message":"a\\u0000b","traceback":"\\u0000"}}')
    assert caught.detail is not None
    assert caught.detail["message"] == "a\ufffdb"
    assert "\0" not in caught.message + caught.detail["traceback"]


def test_an_error_for_another_question_is_a_protocol_failure():
    assert failure(b'{"n":6,"error":{"reason":"crash","message":""}}').reason is Reason.PROTOCOL


def test_ready_is_accepted_for_the_start_alone():
    decode_ready(b'{"n":0,"ready":true}')
    for line in (b'{"n":0,"ready":false}', b'{"n":0,"ready":1}', b'{"n":1,"ready":true}', b'{"n":0,"move":"7h"}'):
        with pytest.raises(PlayerFailed) as caught:
            decode_ready(line)
        assert caught.value.reason is Reason.PROTOCOL


def test_lines_out_hold_what_they_were_given_and_no_newline():
    question = Question(17, ["6c"], ["6c", "take"], [["lead", 0, "7h"]], 9.81234)
    line = encode_question(question)
    assert b"\n" not in line
    assert json.loads(line) == {
        "n": 17, "hand": ["6c"], "legal": ["6c", "take"], "events": [["lead", 0, "7h"]], "clock": 9.812,
    }  # fmt: skip
    assert json.loads(encode_start({"seat": 1})) == {"n": 0, "start": {"seat": 1}}
