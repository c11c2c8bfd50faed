"""What the author of a bot imports, and what runs a bot: `Bot`, `View`, `GameInfo`."""

from arena.bot.bot import Bot
from arena.bot.info import GameInfo
from arena.bot.view import Observer, View

__all__ = ["Bot", "GameInfo", "Observer", "View"]
