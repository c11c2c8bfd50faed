"""Positions that somebody describes: which cards are where, and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from arena.durak._state import State
from arena.durak.cards import SUITS, Card, mask_of
from arena.durak.events import BEATS, LEADS, THROWS, Event, EventKind
from arena.durak.moves import MOVES
from arena.durak.ruleset import Ruleset
from arena.durak.seating import NOBODY, leave_place, next_place

if TYPE_CHECKING:
    from arena.durak.game import Game

Cards = str | Iterable[Card | str]
"""Cards, or their texts, or one text with spaces between them: `"7c Kd"`."""
Table = str | Iterable[tuple[Card | str, Card | str | None]]
"""Attack cards with the cards that beat them; as a text `"8s/Ts 8d"`."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game in the middle, described by somebody. A card that is named nowhere lies in the discard."""

    ruleset: Ruleset
    hands: Sequence[Cards]
    """The cards of each seat."""
    trump: str
    """The trump suit."""
    talon: Cards = ()
    """The cards left to draw, in that order, the turn-up last."""
    turn_up: Card | None = None
    """The card that showed trump. Default: the last of the talon; without a talon, the six of trumps."""
    attacker: int = 0
    """The *place* that attacks: the attacker's seat, or his partner's when he plays both places of the table."""
    table: Table = ()
    """The cards of the bout, in the order of laying."""
    laid_by: Sequence[int] = ()
    """Who laid each attack card. Default: the attacker."""
    taking: bool = False
    """Whether the defender has said that he takes."""
    asked: int | None = None
    """The seat that a throw-in window has come to. Default: a window opens when all is beaten or the defender takes,
    and else the defender is to move."""
    cap: int | None = None
    """How many attack cards the bout may have. Default: what follows from the hands when nothing was transferred."""
    bout: int = 2
    """The number of the bout."""
    out: Mapping[int, int] | None = None
    """The bout in which each seat that is out went out. Default: with talon and table empty, who has no cards went out
    in the bout before; else nobody is out."""
    takes_running: int = 0
    """How many bouts running ended in a take, with the talon empty and nobody going out."""
    events: Sequence[Event] = ()
    """What happened so far. Default: the cards on the table, as if they had been laid just now."""


GameType = TypeVar("GameType", bound="Game")


def set_up(game: GameType, position: Position) -> GameType:
    """Bring a bare `game` into `position`; ValueError, with a sentence, when there is no such position."""
    hands = [read_cards(hand) for hand in position.hands]
    talon = read_cards(position.talon)
    table = read_table(position.table)
    check_once([card for hand in hands for card in hand], talon, [card for pair in table for card in pair if card])
    position.ruleset.check_players(len(hands))
    if position.trump not in SUITS:
        raise ValueError(f"trump is one of {', '.join(SUITS)}, not {position.trump!r}")
    game._sit_down(position.ruleset, len(hands), position.trump)
    game.turn_up = position.turn_up or (talon[-1] if talon else Card("6" + position.trump))
    if game.turn_up.suit != position.trump:
        raise ValueError(f"The turn-up {game.turn_up} is not of the trump suit {position.trump}")
    game._hands = [mask_of(hand) for hand in hands]
    game._talon = [0, *accumulate(card.mask for card in talon)]
    game.bout = position.bout
    game._takes_running = position.takes_running
    _leave(game, position, bool(table))
    attacker = position.attacker
    if attacker not in range(len(hands)):
        raise ValueError(f"attacker is a place from 0 to {len(hands) - 1}, not {attacker}")
    if game._played_by[attacker] == NOBODY or next_place(game._played_by, attacker) == attacker:
        raise ValueError("Two players are left to play in a position")
    if not table:
        game._events = list(position.events)
        game.bout -= 1
        game._begin_bout(attacker)
        for seat in (game.attacker, game.defender):
            if not game._hands[seat]:
                raise ValueError(f"Seat {seat} is to attack or defend and has no cards")
        return game
    _lay_table(game, position, table)
    return _ask(game, position)


def _leave(game: State, position: Position, in_bout: bool) -> None:
    """Take those who are out from the table."""
    out = position.out
    if out is None:
        gone = [] if game.talon_count or in_bout else [seat for seat, hand in enumerate(game._hands) if not hand]
        out = dict.fromkeys(gone, game.bout - 1)
    for seat, bout in out.items():
        game._left_in[seat] = bout
        leave_place(game._played_by, seat, game.partner(seat))


def _lay_table(game: Game, position: Position, table: Sequence[tuple[Card, Card | None]]) -> None:
    """Lay the cards of a bout that is under way."""
    game._attack_from(position.attacker)
    laid_by = position.laid_by or [game.attacker] * len(table)
    if len(laid_by) != len(table):
        raise ValueError("laid_by names a seat for each attack card on the table")
    beaten = [(attack, answer) for attack, answer in table if answer is not None]
    game._unbeaten = mask_of(attack for attack, answer in table if answer is None)
    game._on_table = mask_of(card for pair in table for card in pair if card is not None)
    game._laid = len(table)
    ranks = [table[0][0]] if game._seating.lead_rank_only else [card for pair in table for card in pair if card]
    game._suitable = mask_of(ranks)
    for card in ranks:
        game._suitable |= card.same_rank
    hand = game._hands[game.defender].bit_count()
    game._cap = min(game._limit(), hand + len(beaten)) if position.cap is None else position.cap
    if position.events:
        if EventKind.LEAD not in [event.kind for event in position.events]:
            raise ValueError("The history of a bout under way begins with a lead")
        game._events = list(position.events)
        return
    for number, ((attack, _), seat) in enumerate(zip(table, laid_by, strict=True)):
        game._events.append((THROWS if number else LEADS)[MOVES[attack.text]][seat])
    game._events += [BEATS[MOVES[f"{attack}/{answer}"]][game.defender] for attack, answer in beaten]


def _ask(game: GameType, position: Position) -> GameType:
    """Ask whoever is to move in a bout that is under way."""
    game._taking = position.taking
    if position.asked is not None:
        if position.asked not in game._throwers or not game._hands[position.asked]:
            raise ValueError(f"Seat {position.asked} is not asked to throw in here")
        game._asked = game._throwers.index(position.asked)
        game._ask_throwers()
    elif position.taking or not game._unbeaten:
        game._open_window()
    else:
        game._ask_defender()
    return game


def read_cards(cards: Cards) -> tuple[Card, ...]:
    """The cards of a text or an iterable."""
    items = cards.split() if isinstance(cards, str) else cards
    return tuple(item if isinstance(item, Card) else Card(item) for item in items)


def read_table(table: Table) -> tuple[tuple[Card, Card | None], ...]:
    """The pairs of a text or an iterable."""
    if isinstance(table, str):
        return tuple(_read_pair(text) for text in table.split())
    pairs: list[tuple[Card, Card | None]] = []
    for attack, answer in table:
        cards = read_cards([attack] if answer is None else [attack, answer])
        pairs.append((cards[0], cards[1] if answer is not None else None))
    return tuple(pairs)


def _read_pair(text: str) -> tuple[Card, Card | None]:
    attack, slash, answer = text.partition("/")
    return Card(attack), Card(answer) if slash else None


def check_once(*places: Iterable[Card]) -> None:
    """ValueError when a card is in two places."""
    cards = [card for place in places for card in place]
    if mask_of(cards).bit_count() < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise ValueError(f"{twice} is in two places at once")
