"""Endgame: thrifty as long as cards are hidden; then it knows the other hand and solves the game to its end."""

import random
import time
from typing import Final

from arena import Bot, Card, GameInfo, Move, View
from arena.durak import RANKS, Ending, Game, MoveKind, Outcome

POSITIONS: Final = 20_000
"""How many positions it looks at for one decision: about an eighth of a second. Counted, not timed, so that the same
deal is played the same way twice."""
SHARE: Final = 0.25
"""The part of the move limit, and of what is left in the bank, after which it gives up all the same: never reached,
unless the machine is so busy that the count would lose the game by the clock."""


class Endgame(Bot):
    """Plays a thrifty game until the talon is empty and two are left, and a perfect one from there, if it can see to
    the end."""

    def __init__(self, game: GameInfo) -> None:
        super().__init__(game)
        self.solver = Solver(game.seat)

    def act(self, view: View) -> Move:
        if view.talon_count == 0 and sum(count > 0 for count in view.hand_counts) == 2:
            # Every unseen card is in the one other hand, so there is nothing left to chance.
            seconds = SHARE * min(view.clock, self.game.move_limit)
            move = self.solver.best_move(view.to_game(random.Random(0)), POSITIONS, seconds)
            if move is not None:
                return move
        if not view.table:
            return self.lead(view)
        if view.seat == view.defender:
            return self.defend(view)
        return self.throw_in(view)

    # Before: as thrifty as its neighbour

    def lead(self, view: View) -> Move:
        """A low card, rather one of which more can be thrown in; a trump when there is nothing else."""
        plain = [card for card in view.hand if card.suit != view.trump]
        worth_of_another = 2 if view.talon_count > 0 else 10

        def cost(move: Move) -> int:
            card = move.cards[0]
            if card.suit == view.trump:
                return 100 + RANKS.index(card.rank)
            others = sum(other.rank == card.rank for other in plain) - 1
            return RANKS.index(card.rank) - worth_of_another * others

        return min(view.legal, key=cost)

    def defend(self, view: View) -> Move:
        """Beats each card with the cheapest that can, unless that takes two trumps while there are cards to draw."""
        beats: dict[Card, Move] = {}
        for move in view.legal:
            if move.kind is MoveKind.TRANSFER and move.cards[0].suit != view.trump:
                return move
            if move.kind is MoveKind.BEAT and move.target is not None:
                beats.setdefault(move.target, move)
        unbeaten = [attack for attack, beating in view.table if beating is None]
        trumps = sum(move.cards[0].suit == view.trump for move in beats.values())
        if len(beats) < len(unbeaten) or (trumps > 1 and view.talon_count > 0):
            return view.legal[-1]
        return max(beats.values(), key=lambda move: view.legal.index(move))

    def throw_in(self, view: View) -> Move:
        """Whatever fits, but of the trumps only the two lowest while there are cards to draw."""
        cheapest, last = view.legal[0], view.legal[-1]
        dear = [card for card in cheapest.cards if card.suit == view.trump and card.rank not in "67"]
        return last if dear and view.talon_count > 0 else cheapest


class OutOfSightError(Exception):
    """The end is too far away to see."""


class Solver:
    """Finds out whether one seat can force a win, or at least a draw, in a game without hidden cards.

    Remembers what it found at the beginning of each bout: one decision's work serves the next ones.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.left = 0
        self.deadline = 0.0
        self.found: dict[tuple[object, ...], bool] = {}

    def best_move(self, game: Game, positions: int, seconds: float) -> Move | None:
        """A move that wins, or else one that draws; None when all lose, or when ``positions`` or ``seconds`` are too
        few to tell."""
        self.left = positions
        self.deadline = time.perf_counter() + seconds
        try:
            for want_win in (True, False):
                for move in game.legal_moves():
                    after = game.copy()
                    after.play(move)
                    if self.reaches(after, want_win, game.bout, move):
                        return move
        except OutOfSightError:
            pass
        return None

    def reaches(self, game: Game, want_win: bool, bout: int, last: Move | None) -> bool:
        """Whether the seat gets what it wants from here; ``last`` is the move before, in bout number ``bout``."""
        self.left -= 1
        if self.left < 0 or (self.left % 256 == 0 and time.perf_counter() > self.deadline):
            raise OutOfSightError
        if game.result is not None:
            return worth(game.result, self.seat) >= (1.0 if want_win else 0.5)
        key: tuple[object, ...] | None = None
        if game.bout != bout:
            last = None
            key = (want_win, game.attacker, *[game.hand(seat) for seat in range(game.players)])
            if key in self.found:
                return self.found[key]
        mine_to_move = game.actor == self.seat
        answer = not mine_to_move
        for move in self.worth_trying(game, last):
            after = game.copy()
            after.play(move)
            if self.reaches(after, want_win, game.bout, move) == mine_to_move:
                answer = mine_to_move
                break
        if key is not None:
            self.found[key] = answer
        return answer

    def worth_trying(self, game: Game, last: Move | None) -> list[Move]:
        """The legal moves, without those that only reach the same position in another order."""
        moves = game.legal_moves()
        kind = moves[0].kind
        if last is not None and kind is MoveKind.LAY is last.kind:
            # Cards thrown in together are thrown in from the cheapest to the dearest.
            floor = price(last.cards[0], game.trump)
            return [move for move in moves if not move.cards or price(move.cards[0], game.trump) > floor]
        if kind is MoveKind.BEAT:
            # Cards that are beaten together are beaten in one order, and who has begun to beat does not take.
            begun = last is not None and last.kind is MoveKind.BEAT
            return [
                move
                for move in moves
                if move.target is moves[0].target or move.kind is MoveKind.TRANSFER or not (move.cards or begun)
            ]
        return moves


def worth(result: Outcome, seat: int) -> float:
    """What the end of a game is worth to one of the last two: 1, 0 or, when nobody lost, a half."""
    if result.ending not in (Ending.FOOL, Ending.WIN):
        return 0.5
    return 1.0 if result.places[seat] < max(result.places) else 0.0


def price(card: Card, trump: str) -> tuple[bool, int, str]:
    """The order in which one parts with cards."""
    return card.suit == trump, RANKS.index(card.rank), card.suit
