"""The game: a position, the moves that are legal in it, and what each of them does.

Read it beside the rules. A bout is a lead, then throw-in windows and defences in turn, and its end; each step below
carries out one move and settles who is to move next and what he may do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final

from arena.durak._choices import choices_under
from arena.durak._position import Position, set_up
from arena.durak._reasons import why_illegal
from arena.durak._state import State
from arena.durak.cards import Card, read_deck
from arena.durak.events import (
    BEATEN,
    BEATS,
    DRAWS,
    LEADS,
    OUTS,
    PASSES,
    TAKEN,
    TAKES,
    THROWS,
    TRANSFERS,
)
from arena.durak.moves import IllegalMove, Move, MoveKind
from arena.durak.outcome import NEVER, Ending, Outcome, places_by_bout, sides_by_bout
from arena.durak.ruleset import Ruleset
from arena.durak.seating import NOBODY, leave_place, next_place, seating_of

_LAY: Final = MoveKind.LAY
_BEAT: Final = MoveKind.BEAT
_PASS: Final = MoveKind.PASS
_TAKE: Final = MoveKind.TAKE

FULL_HAND: Final = 6
"""Who holds fewer cards draws up to so many."""


class Game(State):
    """A game of Durak: a function of ruleset, players, deck and the moves played.

    `actor` is the seat to move, None when the game is over; `result` is None until then. What is public is open to be
    read and never to be written.
    """

    __slots__ = ()

    def __init__(self, ruleset: Ruleset, players: int, deck: Sequence[Card | str]) -> None:
        """Deal `deck`, the 36 cards in the order in which they come off it, to `players` seats.

        RulesetError when the ruleset is not for so many players, DeckError when the cards are not a deck.
        """
        ruleset.check_players(players)
        cards = read_deck(deck)
        masks = [card.mask for card in cards]
        dealt = FULL_HAND * players
        # The turn-up is drawn last. Six players leave no talon, and the last card dealt shows trump.
        self.turn_up = cards[min(dealt, len(cards) - 1)]
        talon = masks[dealt + 1 :] + masks[dealt : dealt + 1]
        self._sit_down(ruleset, players, self.turn_up.suit)
        self._hands = [sum(masks[seat:dealt:players]) for seat in range(players)]
        self._talon = [0, *accumulate(talon)]
        self._begin_bout(self._first_attacker())

    def _sit_down(self, ruleset: Ruleset, players: int, trump: str) -> None:
        """Everything that is the same at the start of any game."""
        self.ruleset = ruleset
        self.trump = trump
        self.result = None
        self.bout = 0
        self._seating = seating_of(ruleset, players)
        self._choices = choices_under(trump)
        self._drawn = 0
        self._left_in = [NEVER] * players
        self._played_by = list(range(players))
        self._takes_running = 0
        # Nothing asks for these before the first lead, but a copy of the game takes them along.
        self._asked = 0
        self._suitable = 0
        self._events = []
        self._clear_table()

    @classmethod
    def from_position(cls, position: Position) -> Game:
        """A game in the middle; ValueError, with a sentence, when there is no such position."""
        return set_up(cls.__new__(cls), position)

    def _first_attacker(self) -> int:
        """Who holds the lowest trump; seat 0 when nobody holds one or the ruleset says so."""
        if self.ruleset.first_attacker == "lowest_trump":
            for card in self._choices.trumps:
                for seat, hand in enumerate(self._hands):
                    if hand & card.mask:
                        return seat
        return 0

    # Playing

    def legal_moves(self) -> list[Move]:
        """What the actor may do, from cheapest to dearest: plain cards by rank, then trumps by rank, groups after the
        single cards of the rank; `take` and `pass` last. Empty only when the game is over."""
        return self._legal.copy()

    def play(self, move: Move | str) -> None:
        """Carry out `move`, a Move or its text, for the actor. IllegalMove says why not, and changes nothing."""
        if move not in self._legal:
            move = self._find(move)
        kind = move.kind
        if kind is _PASS:
            self._pass()
        elif kind is _BEAT:
            self._beat(move)
        elif kind is _LAY:
            if self._on_table:
                self._throw_in(move)
            else:
                self._lead(move)
        elif kind is _TAKE:
            self._take()
        else:
            self._transfer(move)

    def forfeit(self, seats: Iterable[int]) -> None:
        """End the game because `seats` failed: they share the last place, the others the first. In a pairs game the
        last place is 2, and a partner who did not fail has the first. A failure that comes to light when the game is
        over counts as well."""
        failed = set(seats)
        if not failed or not failed <= set(range(self.players)):
            raise ValueError(f"Seats 0 to {self.players - 1} can forfeit, not {sorted(failed)}")
        better = self.players - len(failed)
        if self.ruleset.teams == "pairs":
            better = min(better, 1)
        places = tuple(1 + better if seat in failed else 1 for seat in range(self.players))
        self._end(Outcome(Ending.FORFEIT, places, None))

    def _find(self, move: Move | str) -> Move:
        """The legal move meant by a text; IllegalMove when there is none."""
        if not isinstance(move, Move):
            move = Move.parse(move)
        if move not in self._legal:
            raise IllegalMove(why_illegal(self, move))
        return move

    # A bout, step by step

    def _begin_bout(self, place: int) -> None:
        """The player at `place` is to lead against the next one."""
        self.bout += 1
        self._attack_from(place)
        hand = self._hands[self.attacker]
        self.actor = self.attacker
        if self.ruleset.lead == "single":
            self._legal = self._choices.leads(hand)
        else:
            self._legal = self._choices.group_leads(hand, self._cap)

    def _attack_from(self, place: int) -> None:
        """The player at `place` attacks the next one, whose hand at this moment caps the attack."""
        played_by = self._played_by
        self._place = place
        self._against = next_place(played_by, place)
        self.attacker = played_by[place]
        self.defender = played_by[self._against]
        self._cap = min(self._limit(), self._hands[self.defender].bit_count())
        if self.ruleset.throw_in_who == "neighbours":
            neighbour = played_by[next_place(played_by, self._against)]
            self._throwers = (self.attacker,) if neighbour == self.attacker else (self.attacker, neighbour)
        else:
            self._throwers = self._seating.throwers[self.attacker][self.defender]

    def _limit(self) -> int:
        """The most attack cards this bout may have, whoever defends."""
        return self.ruleset.first_bout_cap if self.bout == 1 else self.ruleset.attack_cap

    def _lead(self, move: Move) -> None:
        attacker = self.attacker
        self._events.append(LEADS[move][attacker])
        self._hands[attacker] ^= move.mask
        self._on_table = self._unbeaten = move.mask
        self._laid = len(move.cards)
        self._suitable = move.same_rank
        self._answer_attack()

    def _answer_attack(self) -> None:
        """After a lead or a transfer: the attackers may pile on before the defender answers, or he answers first."""
        if self.ruleset.throw_in_before_defence:
            self._open_window()
        else:
            self._ask_defender()

    def _open_window(self) -> None:
        """A throw-in window: all who may throw in are asked, the attacker first."""
        self._asked = 0
        self._ask_throwers()

    def _ask_throwers(self) -> None:
        """Ask the next thrower who has cards, whether or not one fits; without one the window closes. Nobody is asked
        when the attack has as many cards as it may."""
        if self._laid < self._cap:
            throwers = self._throwers
            while self._asked < len(throwers):
                seat = throwers[self._asked]
                hand = self._hands[seat]
                if hand:
                    self.actor = seat
                    self._legal = self._choices.throws[hand & self._suitable]
                    return
                self._asked += 1
        self._close_window()

    def _throw_in(self, move: Move) -> None:
        seat = self._throwers[self._asked]
        self._events.append(THROWS[move][seat])
        self._hands[seat] ^= move.mask
        self._on_table |= move.mask
        self._unbeaten |= move.mask
        self._laid += 1
        self._ask_throwers()

    def _pass(self) -> None:
        self._events.append(PASSES[self._throwers[self._asked]])
        self._asked += 1
        self._ask_throwers()

    def _close_window(self) -> None:
        if self._taking:
            self._end_bout()
        elif self._unbeaten:
            self._ask_defender()
        else:
            self._end_bout()

    def _ask_defender(self) -> None:
        """The defender is to beat a card, transfer, or take."""
        self.actor = self.defender
        defences = self._choices.transfers if self._may_transfer() else self._choices.defences
        self._legal = defences[self._unbeaten].moves(self._hands[self.defender])

    def _may_transfer(self) -> bool:
        """Whether a card of the rank would transfer: nothing is beaten yet, and the next player holds at least as many
        cards as would then lie on the table."""
        if not self.ruleset.transfer or self._unbeaten != self._on_table:
            return False
        receiver = self._played_by[next_place(self._played_by, self._against)]
        return self._laid < min(self._limit(), self._hands[receiver].bit_count())

    def _beat(self, move: Move) -> None:
        defender = self.defender
        self._events.append(BEATS[move][defender])
        self._hands[defender] ^= move.mask
        self._on_table |= move.mask
        self._unbeaten ^= move.target_mask
        if not self._seating.lead_rank_only:
            self._suitable |= move.same_rank
        if self._unbeaten:
            self._ask_defender()
        else:
            self._open_window()

    def _transfer(self, move: Move) -> None:
        defender = self.defender
        self._events.append(TRANSFERS[move][defender])
        self._hands[defender] ^= move.mask
        self._on_table |= move.mask
        self._unbeaten |= move.mask
        self._laid += 1
        self._attack_from(self._against)
        self._answer_attack()

    def _take(self) -> None:
        self._events.append(TAKES[self.defender])
        self._taking = True
        if self.ruleset.throw_in_on_take:
            self._open_window()
        else:
            self._end_bout()

    # The end of a bout

    def _end_bout(self) -> None:
        taken = self._taking
        if taken:
            self._events.append(TAKEN[self.defender])
            self._hands[self.defender] |= self._on_table
        else:
            self._events.append(BEATEN)
        self._clear_table()
        if self._drawn < len(self._talon) - 1:
            self._draw()
        if self._drawn == len(self._talon) - 1:
            self._count_out(taken)
            if self.result is not None:
                return
        if self.bout == self.ruleset.bout_limit:
            self._finish(Ending.BOUT_LIMIT, self._left_in)
        elif taken or self._played_by[self._against] == NOBODY:
            self._begin_bout(next_place(self._played_by, self._against))
        else:
            self._begin_bout(self._against)

    def _clear_table(self) -> None:
        self._on_table = 0
        self._unbeaten = 0
        self._laid = 0
        self._taking = False

    def _draw(self) -> None:
        """Everyone draws up to six cards, one seat after another, the defender last."""
        talon = self._talon
        last = len(talon) - 1
        for seat in self._draw_order():
            short = FULL_HAND - self._hands[seat].bit_count()
            if short > 0 and self._drawn < last:
                drawn = min(self._drawn + short, last)
                self._hands[seat] |= talon[drawn] - talon[self._drawn]
                self._events.append(DRAWS[seat][drawn - self._drawn])
                self._drawn = drawn

    def _draw_order(self) -> Iterable[int]:
        clockwise = self._seating.clockwise[self.attacker][self.defender]
        if self.ruleset.draw_order == "clockwise":
            return clockwise
        joined = [seat for seat in self._laid_by() if seat != self.defender]
        return dict.fromkeys([*joined, *clockwise])

    def _count_out(self, taken: bool) -> None:
        """With the talon empty: who has no cards is out, and the game may be over."""
        outs = [seat for seat, hand in enumerate(self._hands) if not hand and self._left_in[seat] == NEVER]
        if outs:
            for seat in outs:
                self._events.append(OUTS[seat])
                self._left_in[seat] = self.bout
                leave_place(self._played_by, seat, self.partner(seat))
            self._takes_running = 0
            self._settle(outs)
        elif taken:
            self._takes_running += 1
            if self._takes_running == self.ruleset.stalemate_takes:
                self._finish(Ending.STALEMATE, self._left_in)
        else:
            self._takes_running = 0

    # The end of the game

    def _settle(self, outs: list[int]) -> None:
        """After `outs` went out: finish the game if that decides it."""
        left_in = self._left_in
        if self.ruleset.result == "first_out_wins":
            winner = self._first_of(outs)
            side = (winner, self.partner(winner))
            self._finish(Ending.WIN, [0 if seat in side else NEVER for seat in range(self.players)])
        elif self.ruleset.teams == "pairs":
            sides = sides_by_bout(left_in)
            if min(sides) != NEVER:
                self._finish(Ending.DRAW if sides[0] == sides[1] else Ending.WIN, left_in)
        elif left_in.count(NEVER) <= 1:
            fool = left_in.index(NEVER) if NEVER in left_in else None
            self._finish(Ending.DRAW if fool is None else Ending.FOOL, left_in, fool)

    def _first_of(self, outs: list[int]) -> int:
        """Who of `outs` laid his last card first."""
        last_laid = {
            event.seat: number
            for number, event in enumerate(self._bout_events())
            if event.move is not None and event.move.cards
        }
        return min(outs, key=last_laid.__getitem__)

    def _finish(self, ending: Ending, left_in: list[int], fool: int | None = None) -> None:
        """End the game; the earlier a seat left, by `left_in`, the better its place."""
        if self.ruleset.teams == "pairs":
            places = places_by_bout(sides_by_bout(left_in)) * 2
        else:
            places = places_by_bout(left_in)
        self._end(Outcome(ending, places, fool))

    def _end(self, outcome: Outcome) -> None:
        self.result = outcome
        self.actor = None
        self._legal = []
