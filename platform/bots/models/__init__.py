"""One model a file."""

from bots.models.bot import Bot
from bots.models.file import BotFile
from bots.models.shared import SharedFile
from bots.models.version import BotVersion

__all__ = ["Bot", "BotFile", "BotVersion", "SharedFile"]
