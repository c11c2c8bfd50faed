"""What a player with a perfect memory knows, put together from what happened at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from arena.bot.info import GameInfo
from arena.durak import CARDS, Card, Event, EventKind, Game, Move, Position, Ruleset
from arena.durak.cards import ALL_CARDS, cards_of, mask_of
from arena.durak.game import FULL_HAND
from arena.durak.seating import NOBODY, leave_place, next_place, partner_of


@dataclass(frozen=True, slots=True)
class View:
    """Everything a player may know when it is his turn, and nothing more. It never changes: keep it if you like."""

    seat: int
    """Whose view it is."""
    hand: tuple[Card, ...]
    """His cards, from cheapest to dearest."""
    legal: tuple[Move, ...]
    """What he may do, from cheapest to dearest, `take` and `pass` last."""
    trump: str
    """The trump suit: c, d, h or s."""
    turn_up: Card
    """The card that showed trump. It is the last of the talon while `talon_count` is not 0."""
    talon_count: int
    """How many cards are left to draw, the turn-up among them."""
    hand_counts: tuple[int, ...]
    """How many cards each seat holds."""
    table: tuple[tuple[Card, Card | None], ...]
    """The attack cards of this bout in the order of laying, each with the card that beats it or None."""
    attacker: int
    """The seat that leads this bout, or that transferred last."""
    defender: int
    bout: int
    """The number of this bout, from 1."""
    cap: int
    """How many attack cards this bout may have."""
    taking: bool
    """Whether the defender has said that he takes."""
    history: tuple[Event, ...]
    """Everything public that happened since the deal."""
    ruleset: Ruleset
    players: int
    """How many seats there are."""
    partner: int | None
    """The seat that plays with this one; None without teams."""
    clock: float
    """Seconds left of the bank."""
    _discard: int
    _known: tuple[int, ...]
    _place: int
    _left_in: tuple[tuple[int, int], ...]
    _takes_running: int

    @property
    def discard(self) -> tuple[Card, ...]:
        """Every card thrown away so far, from cheapest to dearest."""
        return cards_of(self._discard, self.trump)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards neither seen nor held, from cheapest to dearest: each is in the talon or in the part of a hand that
        nobody has seen."""
        seen = self._discard | mask_of(self.hand) | mask_of(card for pair in self.table for card in pair if card)
        for known in self._known:
            seen |= known
        if self.talon_count:
            seen |= self.turn_up.mask
        return cards_of(ALL_CARDS & ~seen, self.trump)

    def known(self, seat: int) -> tuple[Card, ...]:
        """The cards that everybody knows `seat` to hold, from cheapest to dearest: those it picked up from the table
        and did not play since, and the turn-up when that went to it."""
        return cards_of(self._known[seat], self.trump)

    def to_game(self, rng: Random) -> Game:
        """A whole game in this position, as it may be: the unseen cards are dealt by `rng` to the talon and the other
        hands, each way that fits what was seen being equally likely. What one might guess from how the others play is
        not used."""
        unseen = list(self.unseen)
        rng.shuffle(unseen)
        hands = []
        for seat, count in enumerate(self.hand_counts):
            if seat == self.seat:
                hands.append(self.hand)
                continue
            known = self.known(seat)
            hidden = count - len(known)
            hands.append((*known, *unseen[:hidden]))
            del unseen[:hidden]
        return Game.from_position(
            Position(
                ruleset=self.ruleset,
                hands=hands,
                trump=self.trump,
                talon=(*unseen, self.turn_up) if self.talon_count else (),
                turn_up=self.turn_up,
                attacker=self._place,
                table=self.table,
                taking=self.taking,
                asked=self.seat if self.table and self.seat != self.defender else None,
                cap=self.cap,
                bout=self.bout,
                out=dict(self._left_in),
                takes_running=self._takes_running,
                events=self.history,
            )
        )


class Observer:
    """Follows a game from one seat by its public events alone, and makes the views of that seat."""

    def __init__(self, info: GameInfo) -> None:
        self._info = info
        self._history: list[Event] = []
        self._counts = [FULL_HAND] * info.players
        self._talon_count = len(CARDS) - FULL_HAND * info.players
        self._known = [0] * info.players
        if not self._talon_count:
            # The last card dealt showed trump and lies in the hand of the last seat.
            self._known[-1] = info.turn_up.mask
        self._discard = 0
        self._table: dict[Card, Card | None] = {}
        self._taking = False
        self._left_in: list[tuple[int, int]] = []
        self._takes_running = 0
        self._played_by = list(range(info.players))
        self._bout = 0
        self._begin_bout(info.first_attacker)

    def observe(self, event: Event) -> None:
        """Take note of what happened next."""
        self._history.append(event)
        kind, seat, move = event.kind, event.seat, event.move
        if kind is EventKind.LEAD:
            self._end_pause()
        if move is not None and seat is not None and move.cards:
            self._lay(seat, move)
        if kind is EventKind.TAKE:
            self._taking = True
        elif kind is EventKind.TRANSFER:
            self._attack_from(next_place(self._played_by, self._place))
        elif kind is EventKind.BEATEN:
            self._discard |= self._clear_table()
        elif seat is None:
            raise ValueError(f"Nobody did this: {event}")
        elif kind is EventKind.TAKEN:
            cards = self._clear_table()
            self._known[seat] |= cards
            self._counts[seat] += cards.bit_count()
        elif kind is EventKind.DRAW:
            self._counts[seat] += event.count
            self._talon_count -= event.count
            if not self._talon_count:
                self._known[seat] |= self._info.turn_up.mask
        elif kind is EventKind.OUT:
            self._left_in.append((seat, self._bout))
            leave_place(self._played_by, seat, partner_of(self._info.ruleset, seat))

    def view(self, hand: Sequence[Card], legal: Sequence[Move], clock: float) -> View:
        """The view at this moment, when the seat is to move: it holds `hand` and may play `legal`."""
        self._end_pause()
        info = self._info
        return View(
            seat=info.seat,
            hand=tuple(hand),
            legal=tuple(legal),
            trump=info.trump,
            turn_up=info.turn_up,
            talon_count=self._talon_count,
            hand_counts=tuple(self._counts),
            table=tuple(self._table.items()),
            attacker=self._played_by[self._place],
            defender=self._defender,
            bout=self._bout,
            cap=self._cap,
            taking=self._taking,
            history=tuple(self._history),
            ruleset=info.ruleset,
            players=info.players,
            partner=info.partner,
            clock=clock,
            _discard=self._discard,
            _known=tuple(self._known),
            _place=self._place,
            _left_in=tuple(self._left_in),
            _takes_running=self._takes_running,
        )

    def _lay(self, seat: int, move: Move) -> None:
        self._counts[seat] -= len(move.cards)
        self._known[seat] &= ~move.mask
        if move.target is None:
            self._table.update(dict.fromkeys(move.cards))
        else:
            self._table[move.target] = move.cards[0]

    def _clear_table(self) -> int:
        """End the bout; the cards of it."""
        cards = mask_of(card for pair in self._table.items() for card in pair if card is not None)
        self._table.clear()
        self._between_bouts = True
        return cards

    def _end_pause(self) -> None:
        """Begin the next bout when one has ended and all who are out have left: who leads it follows from the rules."""
        if not self._between_bouts:
            return
        stuck = self._taking and not self._talon_count and (not self._left_in or self._left_in[-1][1] < self._bout)
        self._takes_running = self._takes_running + 1 if stuck else 0
        place = self._against
        if self._taking or self._played_by[place] == NOBODY:
            place = next_place(self._played_by, place)
        self._begin_bout(place)

    def _begin_bout(self, place: int) -> None:
        self._bout += 1
        self._taking = False
        self._between_bouts = False
        self._attack_from(place)

    def _attack_from(self, place: int) -> None:
        """The player at `place` attacks the next one, whose hand at this moment caps the attack."""
        ruleset = self._info.ruleset
        limit = ruleset.first_bout_cap if self._bout == 1 else ruleset.attack_cap
        self._place = place
        self._against = next_place(self._played_by, place)
        self._defender = self._played_by[self._against]
        self._cap = min(limit, self._counts[self._defender])
