"""The rules of Durak as a library: cards, rulesets, moves, the game and its record."""

from arena.durak._position import Position
from arena.durak.cards import CARDS, RANKS, SUITS, Card, DeckError
from arena.durak.events import Event, EventKind
from arena.durak.game import Game
from arena.durak.moves import IllegalMove, InvalidMove, Move, MoveKind
from arena.durak.outcome import Ending, Outcome
from arena.durak.record import GameRecord, RecordError, replay, verify
from arena.durak.ruleset import PRESETS, Ruleset, RulesetError

__all__ = [
    "CARDS",
    "PRESETS",
    "RANKS",
    "SUITS",
    "Card",
    "DeckError",
    "Ending",
    "Event",
    "EventKind",
    "Game",
    "GameRecord",
    "IllegalMove",
    "InvalidMove",
    "Move",
    "MoveKind",
    "Outcome",
    "Position",
    "RecordError",
    "Ruleset",
    "RulesetError",
    "replay",
    "verify",
]
