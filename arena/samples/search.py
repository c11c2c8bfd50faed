"""Search: tries each move on many worlds that fit what it knows, and keeps the one that turns out best.

A world is a full game with the hidden cards dealt at random where they may be (`view.to_game`). Each move is tried in
it and the game played to its end by a quick rule of thumb; what is clearly worse than the best is tried no more. Once
nothing is hidden it solves the game instead.
"""

import math
import random
import time
from typing import Final

from arena import Bot, Card, GameInfo, Move, View
from arena.durak import RANKS, Ending, Game, MoveKind, Outcome

SHARE: Final = 0.4
"""The part of the move limit that one decision may take at most: the clock of the platform runs on while we stop."""
LONGEST: Final = 0.12
"""Seconds that it thinks at most: more hardly makes it stronger, and whoever plays against it has to wait."""
RESERVE: Final = 0.15
"""Seconds of the bank that are never spent."""
ROUND: Final = 16
"""Worlds between two looks at which moves have fallen behind."""
BEHIND: Final = 2.5
"""How many standard errors below the best a move is given up."""


class Search(Bot):
    """Plays what did best in the worlds it had time for."""

    def __init__(self, game: GameInfo) -> None:
        super().__init__(game)
        self.solver = Solver(game.seat)
        self.rng = random.Random(game.seat)

    def act(self, view: View) -> Move:
        deadline = time.perf_counter() + self.time_for(view)
        if view.talon_count == 0 and sum(count > 0 for count in view.hand_counts) == 2:
            # Every unseen card is in the one other hand, so there is nothing left to chance.
            move = self.solver.best_move(view.to_game(self.rng), deadline)
            if move is not None:
                return move
            deadline = time.perf_counter() + self.time_for(view)
        return self.best_by_worlds(view, deadline)

    def time_for(self, view: View) -> float:
        """Seconds for this decision: an even share of the bank over those that are likely still to come."""
        to_come = 5 + view.talon_count
        return max(0.0, min((view.clock - RESERVE) / to_come, SHARE * self.game.move_limit, LONGEST))

    def best_by_worlds(self, view: View, deadline: float) -> Move:
        """The move with the best mean result. Every move is tried in the same worlds, so luck is common to all."""
        results: dict[Move, list[float]] = {move: [] for move in view.legal}
        worlds = 0
        while len(results) > 1:
            world = view.to_game(self.rng)
            for move, of_move in results.items():
                game = world.copy()
                game.play(move)
                of_move.append(play_out(game, view.seat))
            worlds += 1
            if time.perf_counter() > deadline:
                break
            if worlds % ROUND == 0:
                best = max(results.values(), key=sum)
                results = {move: of_move for move, of_move in results.items() if not is_behind(of_move, best)}
        return max(results, key=lambda move: sum(results[move]))


def is_behind(results: list[float], best: list[float]) -> bool:
    """Whether a move did so much worse than the best, world by world, that it is hardly by chance."""
    differences = [better - worse for better, worse in zip(best, results, strict=True)]
    count = len(differences)
    mean = sum(differences) / count
    variance = sum((difference - mean) ** 2 for difference in differences) / count
    # The added piece keeps a few lucky worlds from deciding: it is what one lost world more would make.
    return mean > BEHIND * math.sqrt((variance + 1 / count) / count)


def play_out(game: Game, seat: int) -> float:
    """Plays a game to its end, everyone by the same rule of thumb, and tells what that is worth to a seat.

    The rule: the cheapest legal move, but no trump is thrown in while there are cards to draw.
    """
    trump = game.trump
    while game.result is None:
        legal = game.legal_moves()
        move = legal[0]
        if game.talon_count and legal[-1].kind is MoveKind.PASS and move.cards and move.cards[0].suit == trump:
            move = legal[-1]
        game.play(move)
    return worth(game.result, seat)


def worth(result: Outcome, seat: int) -> float:
    """What the end of a game is worth: 0 for the last place, 1 for any other, a half when nobody lost."""
    if result.ending not in (Ending.FOOL, Ending.WIN):
        return 0.5
    return 1.0 if result.places[seat] < max(result.places) else 0.0


class OutOfSightError(Exception):
    """The end is too far away to see in time."""


class Solver:
    """Finds out whether one seat can force a win, or at least a draw, in a game without hidden cards.

    Remembers what it found at the beginning of each bout: one decision's work serves the next ones.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.count = 0
        self.deadline = 0.0
        self.found: dict[tuple[object, ...], bool] = {}

    def best_move(self, game: Game, deadline: float) -> Move | None:
        """A move that wins, or else one that draws; None when all lose, or when there is no time to tell."""
        self.deadline = deadline
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
        self.count += 1
        if self.count % 256 == 0 and time.perf_counter() > self.deadline:
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
        for move in worth_trying(game, last):
            after = game.copy()
            after.play(move)
            if self.reaches(after, want_win, game.bout, move) == mine_to_move:
                answer = mine_to_move
                break
        if key is not None:
            self.found[key] = answer
        return answer


def worth_trying(game: Game, last: Move | None) -> list[Move]:
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


def price(card: Card, trump: str) -> tuple[bool, int, str]:
    """The order in which one parts with cards."""
    return card.suit == trump, RANKS.index(card.rank), card.suit
