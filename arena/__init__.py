"""Durak and competition as pure Python. What a bot needs is here: `from arena import Bot, View, Move`."""

from arena.bot import Bot, GameInfo, View
from arena.durak import Card, Move

__all__ = ["Bot", "Card", "GameInfo", "Move", "View"]
