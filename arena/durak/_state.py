"""The state of a game, and what of it can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Self

from arena.durak._choices import Choices
from arena.durak.cards import ALL_CARDS, CARD_OF_MASK, Card, cards_of
from arena.durak.events import Event, EventKind
from arena.durak.moves import Move
from arena.durak.outcome import Outcome
from arena.durak.ruleset import Ruleset
from arena.durak.seating import Seating


class State:
    """Where all cards are and whose turn it is. Sets of cards are whole numbers, see `arena.durak.cards`."""

    __slots__ = (
        "_against",
        "_asked",
        "_cap",
        "_choices",
        "_drawn",
        "_events",
        "_hands",
        "_laid",
        "_left_in",
        "_legal",
        "_on_table",
        "_place",
        "_played_by",
        "_seating",
        "_suitable",
        "_takes_running",
        "_taking",
        "_talon",
        "_throwers",
        "_unbeaten",
        "actor",
        "attacker",
        "bout",
        "defender",
        "result",
        "ruleset",
        "trump",
        "turn_up",
    )

    ruleset: Ruleset
    trump: str
    """The trump suit."""
    turn_up: Card
    """The card that showed trump: last of the talon, or with six players the last card dealt, to seat 5."""
    actor: int | None
    """The seat to move; None when the game is over."""
    attacker: int
    """The seat that leads the bout, or that transferred last."""
    defender: int
    bout: int
    """The number of the bout, from 1."""
    result: Outcome | None
    """None while the game goes on."""

    _hands: list[int]
    """The cards of each seat."""
    _talon: list[int]
    """The i-th entry is the set of the first i cards of the talon, so the cards drawn from the i-th up to the j-th are
    the difference of two entries."""
    _drawn: int
    """How many cards of the talon have been drawn."""
    _left_in: list[int]
    """The bout in which each seat went out, NEVER for who is in."""
    _played_by: list[int]
    """Who plays each place of the table: the seat itself; when it is out NOBODY, or in a pairs game the partner."""
    _place: int
    """The place from which the attacker attacks."""
    _against: int
    """The place that he attacks, the next one that somebody plays."""
    _throwers: tuple[int, ...]
    """Who may throw in in this bout, in the order of being asked."""
    _asked: int
    """Which of the throwers is being asked: those before have passed in this window."""
    _cap: int
    """How many attack cards this bout may have."""
    _laid: int
    """How many attack cards it has."""
    _on_table: int
    """All its cards."""
    _unbeaten: int
    """The attack cards that are not beaten."""
    _suitable: int
    """The cards whose rank may be thrown in."""
    _taking: bool
    """Whether the defender takes."""
    _takes_running: int
    """How many bouts running ended in a take, with the talon empty and nobody going out."""
    _legal: list[Move]
    """The legal moves. The list is shared with other games: never change it."""
    _events: list[Event]
    """Everything public that happened."""
    _seating: Seating
    _choices: Choices

    def copy(self) -> Self:
        """A game of its own in the same position: what is played in one does not show in the other."""
        twin = self.__new__(type(self))
        twin.ruleset = self.ruleset
        twin.trump = self.trump
        twin.turn_up = self.turn_up
        twin.actor = self.actor
        twin.attacker = self.attacker
        twin.defender = self.defender
        twin.bout = self.bout
        twin.result = self.result
        twin._seating = self._seating
        twin._choices = self._choices
        twin._hands = self._hands.copy()
        twin._talon = self._talon
        twin._drawn = self._drawn
        twin._left_in = self._left_in.copy()
        twin._played_by = self._played_by.copy()
        twin._place = self._place
        twin._against = self._against
        twin._throwers = self._throwers
        twin._asked = self._asked
        twin._cap = self._cap
        twin._laid = self._laid
        twin._on_table = self._on_table
        twin._unbeaten = self._unbeaten
        twin._suitable = self._suitable
        twin._taking = self._taking
        twin._takes_running = self._takes_running
        twin._legal = self._legal
        twin._events = self._events.copy()
        return twin

    @property
    def cap(self) -> int:
        """How many attack cards this bout may have."""
        return self._cap

    @property
    def taking(self) -> bool:
        """Whether the defender has said that he takes."""
        return self._taking

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self._seating.players

    @property
    def events(self) -> Sequence[Event]:
        """Everything public that happened since the deal, in order."""
        return self._events

    @property
    def moves(self) -> list[tuple[int, Move]]:
        """The moves played so far, each with the seat that played it."""
        return [(event.seat, event.move) for event in self._events if event.move is not None]  # type: ignore[misc]

    @property
    def hand_counts(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(hand.bit_count() for hand in self._hands)

    @property
    def talon_count(self) -> int:
        """How many cards are left to draw, the turn-up among them."""
        return len(self._talon) - 1 - self._drawn

    @property
    def talon(self) -> tuple[Card, ...]:
        """The cards left to draw, in the order of drawing. Hidden from the players."""
        left = self._talon[self._drawn :]
        return tuple(CARD_OF_MASK[after - before] for before, after in pairwise(left))

    @property
    def table(self) -> tuple[tuple[Card, Card | None], ...]:
        """The attack cards of this bout in the order of laying, each with the card that beats it or None."""
        if not self._on_table:
            return ()
        table: dict[Card, Card | None] = {}
        for move in [event.move for event in self._bout_events() if event.move is not None]:
            if move.target is None:
                table.update(dict.fromkeys(move.cards))
            else:
                table[move.target] = move.cards[0]
        return tuple(table.items())

    @property
    def discard(self) -> tuple[Card, ...]:
        """Every card thrown away so far, from cheapest to dearest."""
        gone = ALL_CARDS & ~self._on_table & ~(self._talon[-1] - self._talon[self._drawn])
        for hand in self._hands:
            gone &= ~hand
        return cards_of(gone, self.trump)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards `seat` holds, from cheapest to dearest. Hidden from the others."""
        return cards_of(self._hands[seat], self.trump)

    def partner(self, seat: int) -> int | None:
        """The seat that plays with `seat`; None without teams."""
        return self._seating.partner[seat]

    def _bout_events(self) -> list[Event]:
        """What has happened since the latest lead."""
        start = len(self._events) - 1
        while self._events[start].kind is not EventKind.LEAD:
            start -= 1
        return self._events[start:]

    def _laid_by(self) -> list[int]:
        """Who laid attack cards in this bout, in the order of laying."""
        return [event.seat for event in self._bout_events() if event.kind in _ATTACKS and event.seat is not None]


_ATTACKS: Final = frozenset({EventKind.LEAD, EventKind.THROW, EventKind.TRANSFER})
