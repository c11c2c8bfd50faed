"""Frames: what the table shows after each move of a recorded game, made by the engine.

`frames(record)` returns plain JSON values, in the format `durak-frames/1`. A viewer needs no rule of the game: it adds
up which card went where. So that a very long game stays small, a frame holds what changed, and each sentence is sent
once.

    players, pairs, ruleset, trump, turn_up (number of a card)
    seats        [{name, version, ...}] by seat
    start        place of each of the 36 cards after the deal, by number of the card (`Card.index`)
    changes      by move: [card, place, card, place, ...]
    seat         who made each move, one digit a move
    notation     each move as the record writes it
    ms           thinking time charged for each move in milliseconds; null for a forced move
    roles        [first frame, bout, attacker, defender], where any of them changed
    sentences    every sentence that is said, see `arena.replay.words`
    said         by frame (0 is the deal): indices of sentences, the move first, then what followed from it
    marks        {bout, take, out, failure}: frames at which a bout began, was taken, somebody went out, a bot failed;
                 the bouts are those in which a move was made, and the first
    out          [frame, seat]
    actor        who would have been to move after the last move, where a failure ended the game; else null
    bank_ms      each bot's thinking time for the game, or null
    cards, suits the name of each card, by number, and of each suit
    ranks        what is written for each rank, on a card and in a line of text
    text         what the viewer's controls say
    result       {ending, places, fool, failures, banner}: as stored, nothing is worked out from the moves

Frame k is the table after k moves. Places: 0 talon, 1 discard, 2 + seat in that hand, 8 + seat in that hand and
everybody knows it (it was picked up, or turned up), 14 + 2p the attack card of pair p, 15 + 2p the card that beats it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.durak import Event, EventKind, Game, GameRecord, Move, replay
from arena.replay.interface import interface
from arena.replay.words import Failed, Result, Sentence, Words

FORMAT: Final = "durak-frames/1"

CARDS: Final = 36
TALON: Final = 0
DISCARD: Final = 1
HAND: Final = 2
KNOWN: Final = 8
TABLE: Final = 14


def frames(
    record: GameRecord,
    seats: Sequence[Mapping[str, Any]] | None = None,
    words: Words | None = None,
    result: Result | None = None,
) -> dict[str, Any]:
    """Everything the viewer shows of a game.

    `seats` says how to call each seat (`name`, and whatever else the viewer may link to), by default what the record
    says; `result` is the stored result, by default the record's. Raises `arena.durak.RecordError` where the record's
    moves are not legal.
    """
    return _Fold(record, seats or default_seats(record), words or Words(), result or stored_result(record)).run()


def default_seats(record: GameRecord) -> list[dict[str, Any]]:
    """The seats as the record names them."""
    return [{"name": str(seat["bot"]), "version": seat["version"]} for seat in record.seats]


def stored_result(record: GameRecord) -> Result:
    """The result that a record holds."""
    failure = record.failure
    failures = (Failed(int(failure["seat"]), str(failure["reason"])),) if failure else ()
    return Result(str(record.result.ending), tuple(record.result.places), record.result.fool, failures)


class _Fold:
    """Follows one game and notes what changes."""

    def __init__(self, record: GameRecord, seats: Sequence[Mapping[str, Any]], words: Words, result: Result) -> None:
        self.record = record
        self.words = words
        self.result = result
        self.seats = [dict(seat) for seat in seats]
        self.where: list[int] = []
        self.public = [False] * CARDS  # cards that everybody has seen: if in a hand, everybody knows in whose
        self.changes: list[list[int]] = []
        self.roles: list[list[int]] = []
        self.sentences: dict[Sentence, int] = {}
        self.said: list[list[int]] = []
        self.marks: dict[str, list[int]] = {"bout": [], "take": [], "out": [], "failure": []}
        self.out: list[list[int]] = []

    def run(self) -> dict[str, Any]:
        record, words = self.record, self.words
        states = replay(record)
        game = next(states)
        turn_up = game.turn_up
        self.public[turn_up.index] = True
        self.where = start = self._places(game)
        self._note_roles(game, 0)
        self._say(words.deal(game.attacker, turn_up.text))
        seen = len(game.events)
        for number, game in enumerate(states, 1):
            events = game.events[seen:]
            seen += len(events)
            self._step(game, number, events)
        if self.result.ending == "forfeit":
            self.marks["failure"].append(len(self.changes))
        if self.changes and self.marks["bout"][-1] == len(self.changes):
            # A failure ended the game before anything was played in it: the bout has nothing to be shown or gone to.
            self.marks["bout"].pop()
        return {
            "format": FORMAT,
            "ruleset": record.ruleset.name,
            "players": record.players,
            "pairs": game.partner(0) is not None,
            "trump": game.trump,
            "turn_up": turn_up.index,
            "seats": self.seats,
            "start": start,
            "changes": self.changes,
            "seat": "".join(str(seat) for seat, _ in record.moves),
            "notation": [str(move) for _, move in record.moves],
            "ms": [_shown_ms(time) for time in record.times_ms] or [None] * len(self.changes),
            "roles": self.roles,
            "sentences": [list(sentence) for sentence in self.sentences],
            "said": self.said,
            "marks": self.marks,
            "out": self.out,
            "actor": game.actor,
            "bank_ms": _bank_ms(record),
            "cards": words.cards(),
            "suits": dict(words.suits),
            "ranks": dict(words.ranks),
            "text": interface(words.gettext),
            "result": {
                "ending": self.result.ending,
                "places": list(self.result.places),
                "fool": self.result.fool,
                "failures": [list(failure) for failure in self.result.failures],
                "banner": list(words.banner(self.result, record.ruleset)),
            },
        }

    def _step(self, game: Game, number: int, events: Sequence[Event]) -> None:
        """Notes one move (`events[0]`) and what followed from it."""
        seat, move = self.record.moves[number - 1]
        before = self.where
        for card in move.cards:
            self.public[card.index] = True
        if len(events) > 1:
            self.where = self._places(game)
            changed = [card for card in range(CARDS) if self.where[card] != before[card]]
        else:
            # Most moves lay a card and nothing follows: asking the game for every card would take most of the time.
            changed = self._lay(game, move)
        self.changes.append([value for card in changed for value in (card, self.where[card])])
        said = [self.words.move(events[0].kind, seat, move, game.defender)]
        on_table = sum(place >= TABLE for place in before) + len(move.cards)
        drawn: list[tuple[int, int]] = []
        for event in events[1:]:
            match event:
                case Event(kind=EventKind.BEATEN):
                    said.append(self.words.beaten(on_table))
                case Event(kind=EventKind.TAKEN, seat=int(seat)):
                    said.append(self.words.taken(seat, on_table))
                    self.marks["take"].append(number)
                case Event(kind=EventKind.DRAW, seat=int(seat), count=count):
                    drawn.append((seat, count))
                case Event(kind=EventKind.OUT, seat=int(seat)):
                    self.out.append([number, seat])
        if drawn:
            said.append(self.words.draws(drawn))
        if self.out and self.out[-1][0] == number:
            said += [self.words.out(seat) for since, seat in self.out if since == number]
            self.marks["out"].append(number)
        self._say(*said)
        if game.result is None:
            self._note_roles(game, number)

    def _lay(self, game: Game, move: Move) -> list[int]:
        """Puts the cards of a move on the table, where the game has put them; returns them."""
        if not move.cards:
            return []
        self.where = list(self.where)
        for pair, (attack, beat) in enumerate(game.table):
            if attack in move.cards:
                self.where[attack.index] = TABLE + 2 * pair
            elif beat is not None and beat in move.cards:
                self.where[beat.index] = TABLE + 2 * pair + 1
        return [card.index for card in move.cards]

    def _places(self, game: Game) -> list[int]:
        """The place of every card, asked of the game."""
        where = [TALON] * CARDS
        for seat in range(self.record.players):
            for card in game.hand(seat):
                where[card.index] = (KNOWN if self.public[card.index] else HAND) + seat
        for number, (attack, beat) in enumerate(game.table):
            where[attack.index] = TABLE + 2 * number
            if beat is not None:
                where[beat.index] = TABLE + 2 * number + 1
        for card in game.discard:
            where[card.index] = DISCARD
        return where

    def _note_roles(self, game: Game, number: int) -> None:
        roles = [game.bout, game.attacker, game.defender]
        if not self.roles or self.roles[-1][1:] != roles:
            if not self.roles or self.roles[-1][1] != game.bout:
                self.marks["bout"].append(number)
            self.roles.append([number, *roles])

    def _say(self, *sentences: Sentence) -> None:
        self.said.append([self.sentences.setdefault(sentence, len(self.sentences)) for sentence in sentences])


def _shown_ms(time: float | None) -> float | None:
    """A time with as many digits as a reader may want: tenths below 10 ms, whole milliseconds above."""
    return time if time is None else round(time, 1) if time < 10 else round(time)


def _bank_ms(record: GameRecord) -> int | None:
    bank = record.limits.get("bank")
    # A record may hold texts as limits too, and comes from anywhere.
    return round(bank * 1000) if isinstance(bank, int | float) and 0 < bank < 1e9 else None
