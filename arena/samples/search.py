"""Search: tries each move on many worlds that fit what it knows, and keeps the one that turns out best.

A world is a full game with the hidden cards dealt at random where they may be (`view.to_game`). Each move is tried in
the same worlds, and the bout is played on by a rule of thumb. Where it ends, between two players, the hands are
weighed: a table says what the lowest and the highest card of either kind are worth at that stage. Near the end of the
talon, and with more players, the game is played to its end instead. Once nothing is hidden, it is solved exactly.

Its limits: it takes every world that fits for equally likely, whatever the others' play gives away; it expects them to
play by the rule of thumb; and it does not see that what is best in each world may need to know which world it is in.
Where transfers lead back to a position, the solver's answer is a good guess, not a proof.
"""

import math
import random
import time
from typing import Final

from arena import Bot, Card, GameInfo, Move, View
from arena.durak import CARDS, RANKS, Ending, Game, MoveKind, Outcome

SHARE: Final = 0.4
"""The part of the move limit that one decision may take at most: the clock of the platform runs on while we stop."""
LONGEST: Final = 0.05
"""Seconds that it tries worlds at most: more hardly makes it stronger, and whoever plays against it has to wait."""
LONGEST_AT_END: Final = 0.25
"""The same for each of the two questions that it asks when nothing is hidden, where more time decides games."""
RESERVE: Final = 0.15
"""Seconds of the bank that are not for thinking. On a machine so busy that half of them are gone all the same, it just
plays its cheapest."""
ROUND: Final = 16
"""Worlds between two looks at which moves have fallen behind."""
BEHIND: Final = 2.5
"""How many standard errors below the best a move is given up."""
TO_THE_END: Final = 3
"""With so many cards to draw or fewer, worlds are played to their end."""

STAGES: Final = (
    # cards to draw, lowest and highest plain card, lowest and highest trump, the lead
    (19, -0.01, 0.05, 0.12, 0.31, 0.05),
    (13, -0.02, 0.04, 0.14, 0.36, 0.04),
    (7, -0.07, 0.12, 0.23, 0.47, 0.10),
    (4, -0.24, 0.26, 0.40, 0.63, 0.26),
    (2, -0.55, 0.20, 0.41, 0.61, 0.06),
    (1, -0.72, 0.07, 0.31, 0.50, 0.48),
    (0, -1.45, -0.53, -0.07, 0.55, 0.92),
)
"""What having a card, or the lead, adds to the odds of winning (their logarithm) with so many cards to draw or more.
A logistic regression over the bouts of 12,000 games of thrifty and counting players: `python -m bench.worths`.
The ranks between lie evenly between lowest and highest.
"""


class Search(Bot):
    """Plays what did best in the worlds it had time for."""

    def __init__(self, game: GameInfo) -> None:
        super().__init__(game)
        self.rng = random.Random(game.seat)
        self.solver = Solver(game)
        self.worths = [worths_at(count, game.trump) for count in range(len(CARDS))]

    def act(self, view: View) -> Move:
        if view.clock < RESERVE / 2:
            return view.legal[0]
        certain = view.talon_count == 0 and sum(count > 0 for count in view.hand_counts) == 2
        if not certain:
            return self.best_by_worlds(view, time.perf_counter() + self.time_for(view, LONGEST))
        # Every unseen card is in the one other hand, so there is nothing left to chance.
        seconds = self.time_for(view, LONGEST_AT_END)
        move = None
        if view.partner is None:
            move = self.solver.best_move(view, time.perf_counter() + seconds)
        if move is None:
            move = outwit(view.to_game(self.rng), view.seat, time.perf_counter() + seconds)
        return move or self.best_by_worlds(view, 0.0)

    def time_for(self, view: View, longest: float) -> float:
        """Seconds to think: an even share of the bank over the decisions that are likely still to come."""
        to_come = 5 + view.talon_count
        return max(0.0, min((view.clock - RESERVE) / to_come, SHARE * self.game.move_limit, longest))

    def best_by_worlds(self, view: View, deadline: float) -> Move:
        """The move with the best mean result. Every move is tried in the same worlds, so luck is common to all."""
        results: dict[Move, list[float]] = {move: [] for move in view.legal}
        weigh = view.players == 2 and view.talon_count > TO_THE_END
        worlds = 0
        while len(results) > 1:
            world = view.to_game(self.rng)
            for move, of_move in results.items():
                of_move.append(self.play_on(after(world, move), view.seat, view.bout if weigh else None))
            worlds += 1
            if time.perf_counter() > deadline:
                break
            if worlds % ROUND == 0:
                best = max(results.values(), key=sum)
                results = {move: of_move for move, of_move in results.items() if not is_behind(of_move, best)}
        return max(results, key=lambda move: sum(results[move]))

    def play_on(self, game: Game, seat: int, bout: int | None) -> float:
        """Plays everyone by the rule of thumb, and tells what the end of that bout, or of the game, is worth."""
        while game.result is None:
            if bout is not None and game.bout > bout:
                return self.weigh(game, seat)
            game.play(rule_of_thumb(game))
        return worth(game.result, seat)

    def weigh(self, game: Game, seat: int) -> float:
        """The chance of winning between two bouts, from what the two hands are worth."""
        cards, lead = self.worths[game.talon_count]
        odds = lead if game.attacker == seat else -lead
        for card in game.hand(seat):
            odds += cards[card]
        for card in game.hand(1 - seat):
            odds -= cards[card]
        return 1 / (1 + math.exp(-odds))


def worths_at(talon_count: int, trump: str) -> tuple[dict[Card, float], float]:
    """What each card is worth at a stage of the game, and the lead."""
    _, plain, best_plain, trump6, best_trump, lead = next(stage for stage in STAGES if talon_count >= stage[0])
    cards = {}
    for card in CARDS:
        lowest, highest = (trump6, best_trump) if card.suit == trump else (plain, best_plain)
        cards[card] = lowest + (highest - lowest) * RANKS.index(card.rank) / (len(RANKS) - 1)
    return cards, lead


def rule_of_thumb(game: Game) -> Move:
    """The cheapest legal move, but no trump is thrown in while there are cards to draw."""
    legal = game.legal_moves()
    move, last = legal[0], legal[-1]
    if game.talon_count and last.kind is MoveKind.PASS and move.cards and move.cards[0].suit == game.trump:
        return last
    return move


def is_behind(results: list[float], best: list[float]) -> bool:
    """Whether a move did so much worse than the best, world by world, that it is hardly by chance."""
    differences = [better - worse for better, worse in zip(best, results, strict=True)]
    count = len(differences)
    mean = sum(differences) / count
    variance = sum((difference - mean) ** 2 for difference in differences) / count
    # The added piece keeps a few lucky worlds from deciding: it is what one lost world more would make.
    return mean > BEHIND * math.sqrt((variance + 1 / count) / count)


def worth(result: Outcome, seat: int) -> float:
    """What the end of a game is worth: 0 for the last place, 1 for any other, a half when nobody lost."""
    if result.ending not in (Ending.FOOL, Ending.WIN):
        return 0.5
    return 1.0 if result.places[seat] < max(result.places) else 0.0


NO_CARD: Final = 1 << len(CARDS)
"""Above every card: where nothing may be added before the other one has answered."""


class OutOfSightError(Exception):
    """The end is too far away to see in time."""


def outwit(game: Game, seat: int, deadline: float) -> Move | None:
    """A move that wins, with the right ones after it, if the other one always plays his cheapest; None without one, or
    when there is no time to find it."""
    lost: set[tuple[object, ...]] = set()

    def wins(game: Game, bout: int) -> bool:
        if time.perf_counter() > deadline:
            raise OutOfSightError
        while game.result is None:
            if game.bout > bout:
                key = (game.attacker, *[game.hand(seat) for seat in range(game.players)])
                if key in lost:
                    return False
                # Who comes back to a position has not won by it.
                lost.add(key)
                bout = game.bout
            legal = game.legal_moves()
            if game.actor == seat and len(legal) > 1:
                return any(wins(after(game, move), bout) for move in legal)
            game.play(legal[0])
        return worth(game.result, seat) == 1.0

    try:
        return next((move for move in game.legal_moves() if wins(after(game, move), game.bout)), None)
    except (OutOfSightError, RecursionError):
        return None


def after(game: Game, move: Move) -> Game:
    """The game as it is after a move, beside the one before it."""
    game = game.copy()
    game.play(move)
    return game


Bout = tuple[int, int, int, int, int]
"""The bout as the solver sees it: unbeaten cards, all cards, ranks that may be added, attack cards, most of them."""


class Solver:
    """Finds out who can force what in a game of the last two, without a talon and without hidden cards.

    A model of its own, several times as fast as the engine: sets of cards are whole numbers (`Card.mask`). Each method
    asks the same question at another point of a bout: does the *attacker* get what he wants, a win or, when `win` is
    not set, at least a draw? `mine` are his cards, `theirs` the defender's.
    """

    def __init__(self, game: GameInfo) -> None:
        self.rules = rules = game.ruleset
        self.wide = rules.throw_in_ranks == "any" or (rules.throw_in_ranks == "lead_from_four" and game.players < 4)
        self.after_reply = 0 if rules.throw_in_before_defence else NO_CARD
        self.trumps = sum(card.mask for card in CARDS if card.suit == game.trump)
        self.same_rank = {card.mask: card.same_rank for card in CARDS}
        self.beaters = {
            card.mask: sum(other.mask for other in CARDS if beats(other, card, game.trump)) for card in CARDS
        }
        self.found: dict[tuple[int, int, bool], bool] = {}
        self.asked: set[tuple[int, int, bool]] = set()
        self.deadline = 0.0

    def best_move(self, view: View, deadline: float) -> Move | None:
        """A move that wins, or else one that draws; None when all lose, or when there is no time to tell."""
        self.deadline = deadline
        self.asked.clear()
        try:
            for win in (True, False):
                for move in view.legal:
                    if self.reaches(view, move, win):
                        return move
        except (OutOfSightError, RecursionError):
            pass
        return None

    def reaches(self, view: View, move: Move, win: bool) -> bool:
        """Whether the bot gets what it wants by a move: as the defender, it keeps the attacker from what he wants."""
        unbeaten = sum(attack.mask for attack, answer in view.table if answer is None) ^ move.target_mask
        cards = [*[card for pair in view.table for card in pair if card is not None], *move.cards]
        table = sum(card.mask for card in cards)
        suitable = 0
        for card in cards if self.wide else cards[:1]:
            suitable |= card.same_rank
        hand = sum(card.mask for card in view.hand) ^ move.mask
        other = sum(card.mask for seat in range(view.players) if seat != view.seat for card in view.known(seat))
        other += sum(card.mask for card in view.unseen)
        laid, cap = len(view.table), view.cap
        if move.kind is MoveKind.TAKE:
            return not self.give(other, hand, (0, table, suitable, laid, cap), not win, 0)
        if move.kind is MoveKind.BEAT:
            reply = self.defend if unbeaten else self.attack
            return not reply(other, hand, (unbeaten, table, suitable, laid, cap), not win, 0)
        if move.kind is MoveKind.TRANSFER:
            cap = min(self.rules.attack_cap, other.bit_count())
            bout = (unbeaten | move.mask, table, suitable, laid + 1, cap)
            return self.attack(hand, other, bout, win, self.after_reply)
        bout = (unbeaten | move.mask, table, suitable, laid + len(move.cards), cap)
        above = NO_CARD if move.kind is MoveKind.PASS else 0 if view.taking else self.after_reply
        return (self.give if view.taking else self.attack)(hand, other, bout, win, above)

    def lead(self, mine: int, theirs: int, win: bool) -> bool:
        """Between two bouts. What was found here is remembered: one decision's work serves the next ones."""
        key = (mine, theirs, win)
        answer = self.found.get(key)
        if answer is None:
            if key in self.asked:
                # Only transfers lead back to a position: nobody wins by going round in a circle.
                return not win
            if len(self.found) % 64 == 0 and time.perf_counter() > self.deadline:
                raise OutOfSightError
            self.asked.add(key)
            cap = min(self.rules.attack_cap, theirs.bit_count())
            answer = any(
                self.attack(mine ^ card, theirs, (card, card, self.same_rank[card], 1, cap), win, card)
                for card in self.cards_in(mine)
            )
            self.found[key] = answer
            self.asked.discard(key)
        return answer

    def attack(self, mine: int, theirs: int, bout: Bout, win: bool, above: int) -> bool:
        """The attacker may stop, or add a card above another: those added together come in one order only."""
        unbeaten, table, suitable, laid, cap = bout
        if unbeaten:
            if self.defend(mine, theirs, bout, win, 0):
                return True
        elif not mine:
            return theirs > 0 or not win or self.rules.result == "first_out_wins"
        elif not theirs:
            return False
        elif not self.lead(theirs, mine, not win):
            return True
        # A group lead is piled up before the answer in any case.
        if laid == cap or (unbeaten and self.after_reply and (self.rules.lead == "single" or unbeaten != table)):
            return False
        for card in self.cards_in(mine & suitable & -(2 * above or 1)):
            more = (unbeaten | card, table | card, suitable | self.same_rank[card], laid + 1, cap)
            if self.attack(mine ^ card, theirs, more, win, card):
                return True
        return False

    def defend(self, mine: int, theirs: int, bout: Bout, win: bool, _: int) -> bool:
        """The defender beats the lowest unbeaten card, transfers or takes."""
        unbeaten, table, suitable, laid, cap = bout
        target = unbeaten & -unbeaten
        reply = self.attack if unbeaten == target else self.defend
        for card in self.cards_in(theirs & self.beaters[target]):
            widened = suitable | self.same_rank[card] if self.wide else suitable
            if not reply(mine, theirs ^ card, (unbeaten ^ target, table | card, widened, laid, cap), win, 0):
                return False
        cap_there = min(self.rules.attack_cap, mine.bit_count())
        if self.rules.transfer and unbeaten == table and laid < cap_there:
            for card in self.cards_in(theirs & suitable):
                turned = (unbeaten | card, table | card, suitable, laid + 1, cap_there)
                if self.attack(theirs ^ card, mine, turned, not win, self.after_reply):
                    return False
        return self.give(mine, theirs, bout, win, 0)

    def give(self, mine: int, theirs: int, bout: Bout, win: bool, above: int) -> bool:
        """The defender takes; the attacker may add cards before he leads again."""
        _, table, suitable, laid, cap = bout
        if not mine or self.lead(mine, theirs | table, win):
            return True
        if laid < cap and self.rules.throw_in_on_take:
            for card in self.cards_in(mine & suitable & -(2 * above or 1)):
                if self.give(mine ^ card, theirs, (0, table | card, suitable, laid + 1, cap), win, card):
                    return True
        return False

    def cards_in(self, cards: int) -> list[int]:
        """The cards of a set as sets of one, the cheapest first."""
        found = []
        for part in (cards & ~self.trumps, cards & self.trumps):
            while part:
                card = part & -part
                found.append(card)
                part ^= card
        return found


def beats(card: Card, other: Card, trump: str) -> bool:
    """Whether a card beats another."""
    if card.suit == other.suit:
        return RANKS.index(card.rank) > RANKS.index(other.rank)
    return card.suit == trump
