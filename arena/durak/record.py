"""The record of a game, `durak-record/1`: all that is needed to play it again and to check it.

    {"format": "durak-record/1", "ruleset": {every option, by name}, "players": 3,
     "seats": [{"bot": "...", "version": 4}, ...], "deck": ["6c", ... 36], "moves": [[0, "7h"], [1, "7h/9h"], ...],
     "result": {"ending": "fool", "places": [1, 1, 3], "fool": 2}, "failure": null,
     "times_ms": [null, 12.5, ...], "limits": {...}, "engine": "..."}

`moves` holds forced moves too, so a game can be followed without knowing the rules. `failure` is null or
`{"seat": 1, "reason": "time", "at": 57}`, `at` being the number of moves played before. `times_ms` has an entry a move:
the milliseconds charged, to the microsecond, or null for a move that nobody was asked for. The JSON Schema is
`record.schema.json` beside this module.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from math import isfinite
from typing import Any, Final, NoReturn, Self

from arena.durak import _compact
from arena.durak.cards import Card, DeckError, read_deck
from arena.durak.game import Game
from arena.durak.moves import IllegalMove, Move
from arena.durak.outcome import Ending, Outcome
from arena.durak.ruleset import Ruleset, RulesetError

FORMAT: Final = "durak-record/1"
ENGINE: Final = "arena.durak 1"
"""The engine that plays the games: its number grows when the same deck and moves would give another game."""

FAILURES: Final = ("load", "crash", "illegal", "protocol", "time", "memory", "output", "pondering")
"""The reasons for which a seat may fail."""
_AFTER_THE_END: Final = "pondering"
"""The one reason that comes to light when the game is over."""

_FIELDS: Final = (
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
)


class RecordError(ValueError):
    """The record is no record, or what it tells did not happen by the rules; the sentence says where and why."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game. `verify` tells whether it is true; reading a record only makes sure that it is well-formed."""

    ruleset: Ruleset
    seats: tuple[Mapping[str, Any], ...]
    """Who sat where: `{"bot": name, "version": number}` a seat."""
    deck: tuple[Card, ...]
    """The 36 cards, in the order in which they come off the deck."""
    moves: tuple[tuple[int, Move], ...]
    """Every move, with the seat that played it."""
    result: Outcome
    failure: Mapping[str, Any] | None = None
    times_ms: tuple[float | None, ...] = ()
    """The milliseconds charged for each move, None where nobody was asked. Empty: not known for any."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """What the bots were allowed, by name."""
    engine: str = ENGINE

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.seats)

    def to_json(self) -> dict[str, Any]:
        """The record as a JSON object."""
        return {
            "format": FORMAT,
            "ruleset": self.ruleset.to_json(),
            "players": self.players,
            "seats": [dict(seat) for seat in self.seats],
            "deck": [card.text for card in self.deck],
            "moves": [[seat, move.text] for seat, move in self.moves],
            "result": {
                "ending": self.result.ending.value,
                "places": list(self.result.places),
                "fool": self.result.fool,
            },
            "failure": None if self.failure is None else dict(self.failure),
            "times_ms": list(self.times_ms) or [None] * len(self.moves),
            "limits": dict(self.limits),
            "engine": self.engine,
        }

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The record of what `to_json` gave; RecordError when it is not well-formed."""
        if not isinstance(data, Mapping) or "format" not in data:
            _refuse(f"This is not a record of a game: a record is a JSON object with the format {FORMAT!r}")
        if data["format"] != FORMAT:
            _refuse(f"This is not a {FORMAT} but a {_show(data['format'])}: read it with what wrote it")
        missing = [name for name in _FIELDS if name not in data]
        if missing:
            _refuse(f"The record lacks {', '.join(missing)}")
        unknown = [name for name in data if name not in _FIELDS]
        if unknown:
            _refuse(f"The record has an unknown field {_show(unknown[0])}")
        ruleset = _read_ruleset(data["ruleset"])
        players = data["players"]
        try:
            ruleset.check_players(players)
        except RulesetError as error:
            _refuse(f"players: {error}")
        moves = tuple(_read_move(move, number, players) for number, move in enumerate(_a_list(data, "moves"), 1))
        return cls(
            ruleset=ruleset,
            seats=_read_seats(_a_list(data, "seats"), players),
            deck=_read_deck(_a_list(data, "deck")),
            moves=moves,
            result=_read_result(data["result"], players),
            failure=_read_failure(data["failure"], players),
            times_ms=_read_times(_a_list(data, "times_ms"), len(moves)),
            limits=_read_limits(data["limits"]),
            engine=_a_text(data["engine"], "engine"),
        )

    def dumps(self) -> str:
        """The record as JSON text, on one line."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def loads(cls, text: str | bytes) -> Self:
        """The record of a JSON text; RecordError when it is none."""
        try:
            data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
        except RecordError:
            raise
        except UnicodeDecodeError:
            _refuse("This is not a record: the file is not UTF-8 text")
        except RecursionError:
            _refuse("This is not a record: it is nested too deeply")
        except ValueError as error:
            _refuse(f"This is not JSON, or only a part of it: {error}")
        return cls.from_json(data)

    def compact(self) -> bytes:
        """The record in a few hundred bytes, for keeping millions of them. Times are kept to the microsecond."""
        data = self.to_json()
        moves = data.pop("moves")
        times = data.pop("times_ms")
        deck = data.pop("deck")
        return _compact.pack(data, deck, moves, times)

    @classmethod
    def from_compact(cls, packed: bytes) -> Self:
        """The record that `compact` packed; RecordError when the bytes are damaged."""
        try:
            data, deck, moves, times = _compact.unpack(packed)
        except (ValueError, RecursionError) as error:
            _refuse(f"The packed record is damaged: {error}")
        if not isinstance(data, dict):
            _refuse("The packed record is damaged: it has no fields")
        return cls.from_json({**data, "deck": deck, "moves": moves, "times_ms": times})


def replay(record: GameRecord) -> Iterator[Game]:
    """The game of the record, before its first move and then after each move: one object, played on between the steps.

    RecordError on the first move that the rules do not allow.
    """
    game = Game(record.ruleset, record.players, record.deck)
    yield game
    total = len(record.moves)
    for number, (seat, move) in enumerate(record.moves, 1):
        what = f"Move {number} of {total}, {move} by seat {seat},"
        if game.actor is None:
            _refuse(f"{what} comes after the end of the game")
        if game.actor != seat:
            _refuse(f"{what} is out of turn: seat {game.actor} is to move")
        try:
            game.play(move)
        except IllegalMove as error:
            _refuse(f"Move {number} of {total} by seat {seat}: {error}")
        yield game


def verify(record: GameRecord) -> Outcome:
    """Play the record again: each move must be legal, and the result the one that the rules give. Returns that result;
    RecordError says which move is wrong, and why.

    That a seat failed cannot be checked by the rules; that such a game has the right places is.
    """
    *_, game = replay(record)
    failure = record.failure
    if failure is None:
        if record.result.ending is Ending.FORFEIT:
            _refuse("The result is a forfeit, but the record names no failure")
        if game.result is None:
            _refuse(f"The record breaks off after {len(record.moves)} moves: seat {game.actor} is to move")
    else:
        _check_forfeit(game, record, failure)
    assert game.result is not None  # noqa: S101 - or this would have ended above
    if game.result != record.result:
        _refuse(f"After the last move the result is {_say(game.result)}, the record says {_say(record.result)}")
    return record.result


def _check_forfeit(game: Game, record: GameRecord, failure: Mapping[str, Any]) -> None:
    """Finish the game as a forfeit, by the seats that the record gives the last place."""
    result = record.result
    if failure["at"] != len(record.moves):
        _refuse(f"The failure is at move {failure['at']}, but the record has {len(record.moves)} moves")
    if result.ending is not Ending.FORFEIT:
        _refuse(f"Seat {failure['seat']} failed, but the result is {_say(result)} and not a forfeit")
    if game.result is not None and failure["reason"] != _AFTER_THE_END:
        _refuse(f"Seat {failure['seat']} failed ({failure['reason']}) after the end of the game")
    last = max(result.places)
    failed = [seat for seat, place in enumerate(result.places) if place == last]
    if failure["seat"] not in failed:
        _refuse(f"Seat {failure['seat']} failed, but does not have the last place in {_say(result)}")
    game.forfeit(failed)


def record_schema() -> dict[str, Any]:
    """The JSON Schema of `durak-record/1`."""
    schema: dict[str, Any] = json.loads(files("arena.durak").joinpath("record.schema.json").read_text("utf-8"))
    return schema


# Reading. Each field is looked at with distrust: a record may come from anywhere.


def _refuse(sentence: str) -> NoReturn:
    raise RecordError(sentence) from None


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _say(result: Outcome) -> str:
    fool = "" if result.fool is None else f", fool: seat {result.fool}"
    return f"{result.ending} with places {list(result.places)}{fool}"


def _no_constant(name: str) -> NoReturn:
    _refuse(f"This is not JSON: it holds {name}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        _refuse("A field stands twice in one object of the record")
    return data


def _a_list(data: Mapping[str, Any], name: str) -> Sequence[Any]:
    value = data[name]
    if not isinstance(value, list):
        _refuse(f"{name} is a list, not {_show(value)}")
    return value


def _a_text(value: Any, name: str) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= 200:
        _refuse(f"{name} is a text of 1 to 200 characters, not {_show(value)}")
    return value


def _whole(value: Any, lowest: int, highest: int, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        _refuse(f"{name} is a whole number from {lowest} to {highest}, not {_show(value)}")
    return value


def _exactly(value: Any, names: set[str], what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or set(value) != names:
        _refuse(f"{what} is an object with {', '.join(sorted(names))}, not {_show(value)}")
    return value


def _read_ruleset(data: Any) -> Ruleset:
    try:
        return Ruleset.from_json(data)
    except RulesetError as error:
        _refuse(f"ruleset: {error}")


def _read_deck(deck: Sequence[Any]) -> tuple[Card, ...]:
    try:
        return tuple(read_deck(deck))
    except DeckError as error:
        _refuse(f"deck: {error}")


def _read_seats(seats: Sequence[Any], players: int) -> tuple[Mapping[str, Any], ...]:
    if len(seats) != players:
        _refuse(f"There are {players} players, but seats names {len(seats)}")
    for seat in seats:
        _exactly(seat, {"bot", "version"}, "A seat")
        _a_text(seat["bot"], "bot")
        _whole(seat["version"], 0, 10**9, "version")
    return tuple(seats)


def _read_move(entry: Any, number: int, players: int) -> tuple[int, Move]:
    if not isinstance(entry, list) or len(entry) != 2:
        _refuse(f"Move {number} is [seat, move], not {_show(entry)}")
    seat = _whole(entry[0], 0, players - 1, f"The seat of move {number}")
    try:
        return seat, Move.parse(entry[1])
    except IllegalMove as error:
        _refuse(f"Move {number} by seat {seat}: {error}")


def _read_result(value: Any, players: int) -> Outcome:
    result = _exactly(value, {"ending", "places", "fool"}, "result")
    endings = [ending.value for ending in Ending]
    if result["ending"] not in endings:
        _refuse(f"ending is one of {', '.join(endings)}, not {_show(result['ending'])}")
    places = result["places"]
    if not isinstance(places, list) or len(places) != players:
        _refuse(f"places has a place for each of {players} players, not {_show(places)}")
    fool = result["fool"]
    return Outcome(
        Ending(result["ending"]),
        tuple(_whole(place, 1, players, "A place") for place in places),
        None if fool is None else _whole(fool, 0, players - 1, "fool"),
    )


def _read_failure(value: Any, players: int) -> Mapping[str, Any] | None:
    if value is None:
        return None
    failure = _exactly(value, {"seat", "reason", "at"}, "failure")
    _whole(failure["seat"], 0, players - 1, "The seat that failed")
    _whole(failure["at"], 0, 10**9, "at")
    if failure["reason"] not in FAILURES:
        _refuse(f"The reason of a failure is one of {', '.join(FAILURES)}, not {_show(failure['reason'])}")
    return failure


def _read_times(times: Sequence[Any], moves: int) -> tuple[float | None, ...]:
    if len(times) != moves:
        _refuse(f"times_ms has an entry for each of {moves} moves, not {len(times)}")
    return tuple(_read_time(time, number) for number, time in enumerate(times, 1))


def _read_time(time: Any, number: int) -> float | None:
    if time is None:
        return None
    if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time <= 10**12:
        _refuse(f"The time of move {number} is null or milliseconds, not {_show(time)}")
    return round(time, 3)


def _read_limits(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(
        limit is None or isinstance(limit, int | str) or (isinstance(limit, float) and isfinite(limit))
        for limit in value.values()
    ):
        _refuse("limits is an object of named numbers")
    return value
