"""Public events and their wire form."""

import copy
import json
import pickle

import pytest

from arena.durak import Event, EventKind, Move
from arena.durak.events import _BY_WIRE
from tests.arena.durak.tables import PEREVODNOY, play, table


def test_a_bout_in_events():
    game = table(PEREVODNOY, "7c 7s Kd", "7d 8d", "9c 9d 9s Js", "Jc", talon="6c 6h")
    play(game, "7c", "pass", "pass", "pass", ">7d", "pass", "pass", "7s", "pass", "take", "pass", "pass", "pass")
    assert [event.to_wire() for event in game.events] == [
        ["lead", 0, "7c"],
        ["pass", 0],
        ["pass", 2],
        ["pass", 3],
        ["transfer", 1, ">7d"],
        ["pass", 1],
        ["pass", 3],
        ["throw", 0, "7s"],
        ["pass", 0],
        ["take", 2],
        ["pass", 1],
        ["pass", 3],
        ["pass", 0],
        ["taken", 2],
        ["draw", 1, 2],
    ]
    play(game, "Jc", "take")
    assert [event.to_wire() for event in game.events[-2:]] == [["taken", 0], ["out", 3]]


def test_a_beaten_bout_in_events():
    game = play(table(PEREVODNOY, "7c Kd", "8c 8d"), "7c", "pass", "7c/8c", "pass")
    assert [event.to_wire() for event in game.events[-3:]] == [["beat", 1, "7c/8c"], ["pass", 0], ["beaten"]]


def test_every_event_is_written_and_read_back():
    for event in _BY_WIRE.values():
        wire = json.loads(json.dumps(event.to_wire()))
        assert Event.from_wire(wire) is event
        assert pickle.loads(pickle.dumps(event)) is event  # noqa: S301 - our own bytes
    event = Event.from_wire(["beat", 1, "7h/9h"])
    assert copy.deepcopy(event) is event
    assert (event.kind, event.seat, event.move, event.count) == (EventKind.BEAT, 1, Move.parse("7h/9h"), 0)
    for seat in range(6):
        for count in range(1, 7):
            assert Event.from_wire(["draw", seat, count]).to_wire() == ["draw", seat, count]
    assert Event.from_wire(["lead", 0, "7c+7d"]).move is Move.parse("7c+7d")
    assert repr(event) == "Event(beat, 1, 7h/9h)"


@pytest.mark.parametrize(
    "wire",
    [
        [],
        ["lead"],
        ["lead", 6, "7h"],
        ["lead", 0, "7h/9h"],
        ["throw", 0, "7c+7d"],
        ["draw", 0, 0],
        ["draw", 0, 7],
        ["beaten", 0],
        ["pass", 0, "pass"],
        ["pass", None],
        "pass",
        None,
        7,
        [["pass"], 0],
        {"pass": 0},
    ],
)
def test_what_is_no_event_is_refused(wire):
    with pytest.raises(ValueError, match="This is not an event"):
        Event.from_wire(wire)


def test_an_event_cannot_be_made_or_changed():
    with pytest.raises(TypeError, match=r"use Event\.from_wire"):
        Event()
    with pytest.raises(AttributeError, match="cannot be changed"):
        Event.from_wire(["pass", 0]).seat = 1
    with pytest.raises(AttributeError, match="cannot be changed"):
        del Event.from_wire(["pass", 0]).seat
