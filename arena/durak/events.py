"""What everybody at the table sees happen, one event after another."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, NoReturn

from arena.durak.moves import MOVES, Move, MoveKind


class EventKind(StrEnum):
    """What happened."""

    LEAD = "lead"
    THROW = "throw"
    BEAT = "beat"
    TRANSFER = "transfer"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 - a word of the game
    BEATEN = "beaten"
    """The bout ended beaten: its cards went to the discard."""
    TAKEN = "taken"
    """The bout ended taken: its cards went to the seat's hand."""
    DRAW = "draw"
    """The seat drew `count` cards."""
    OUT = "out"
    """The seat is out, as of the bout that just ended."""


class Event:
    """One public event; immutable, and there is one object for each.

    Get it from `Game.events` or `Event.from_wire`.
    """

    __slots__ = ("count", "kind", "move", "seat")

    kind: EventKind
    seat: int | None
    """Who did it; None for `beaten`."""
    move: Move | None
    """The move, when the event is one."""
    count: int
    """How many cards a draw drew, 0 for other events."""

    def __init__(self) -> None:
        raise TypeError("Events happen in a game: use Event.from_wire(['pass', 0])")

    def to_wire(self) -> list[Any]:
        """The event as a JSON array, such as `["beat", 1, "7h/9h"]` or `["draw", 0, 2]`."""
        if self.seat is None:
            return [self.kind.value]
        if self.kind is EventKind.DRAW:
            return [self.kind.value, self.seat, self.count]
        if self.move is not None and self.move.cards:
            return [self.kind.value, self.seat, self.move.text]
        return [self.kind.value, self.seat]

    @staticmethod
    def from_wire(data: Any) -> Event:
        """The event that `to_wire` wrote; ValueError when it is none."""
        try:
            return _BY_WIRE[tuple(data)]
        except (KeyError, TypeError):
            raise ValueError(f"This is not an event: {str(data)[:80]}") from None

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"an event cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"an event cannot be changed: {name}")

    def __repr__(self) -> str:
        return f"Event({', '.join(str(part) for part in self.to_wire())})"

    def __reduce__(self) -> tuple[object, tuple[list[Any]]]:
        return Event.from_wire, (self.to_wire(),)


SEATS: Final = range(6)


def _make_event(kind: EventKind, seat: int | None, move: Move | None = None, count: int = 0) -> Event:
    event = object.__new__(Event)
    for name, value in {"kind": kind, "seat": seat, "move": move, "count": count}.items():
        object.__setattr__(event, name, value)
    return event


def _of_moves(kind: EventKind, *moves: Move) -> dict[Move, tuple[Event, ...]]:
    return {move: tuple(_make_event(kind, seat, move) for seat in SEATS) for move in moves}


def _moves(kind: MoveKind, most_cards: int = 4) -> list[Move]:
    return [move for move in MOVES.values() if move.kind is kind and len(move.cards) <= most_cards]


# For each kind the events that can be, by move (where it is one) and then by seat.
LEADS: Final = _of_moves(EventKind.LEAD, *_moves(MoveKind.LAY))
THROWS: Final = _of_moves(EventKind.THROW, *_moves(MoveKind.LAY, most_cards=1))
BEATS: Final = _of_moves(EventKind.BEAT, *_moves(MoveKind.BEAT))
TRANSFERS: Final = _of_moves(EventKind.TRANSFER, *_moves(MoveKind.TRANSFER))
TAKES: Final = _of_moves(EventKind.TAKE, MOVES["take"])[MOVES["take"]]
PASSES: Final = _of_moves(EventKind.PASS, MOVES["pass"])[MOVES["pass"]]
BEATEN: Final = _make_event(EventKind.BEATEN, None)
TAKEN: Final = tuple(_make_event(EventKind.TAKEN, seat) for seat in SEATS)
DRAWS: Final = tuple(tuple(_make_event(EventKind.DRAW, seat, count=count) for count in range(7)) for seat in SEATS)
OUTS: Final = tuple(_make_event(EventKind.OUT, seat) for seat in SEATS)

_BY_WIRE: Final = {
    tuple(event.to_wire()): event
    for events in (
        *LEADS.values(),
        *THROWS.values(),
        *BEATS.values(),
        *TRANSFERS.values(),
        TAKES,
        PASSES,
        (BEATEN,),
        TAKEN,
        *(of_seat[1:] for of_seat in DRAWS),
        OUTS,
    )
    for event in events
}
