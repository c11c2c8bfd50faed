"""Players in this very process: for studies, benches and tests, and for bots that one trusts.

They see and say exactly what a bot in a sandbox does, through the same wire forms; what they cannot be is stopped: a
decision that takes too long is a failure only once it is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from arena.bot.bot import Bot
from arena.bot.info import GameInfo
from arena.bot.view import Observer
from arena.durak import Card, Event, Move
from arena.failure import PlayerFailed, Reason
from arena.player import PlayerReport
from arena.wire import Question


class LocalPlayer:
    """Asks an object of ``bot_class``, made afresh for each game."""

    def __init__(self, bot_class: Callable[[GameInfo], Bot], name: str = "", version: int = 1) -> None:
        self.name = name or getattr(bot_class, "__name__", "bot")
        self.version = version
        self.elapsed = 0.0
        self._bot_class = bot_class
        self._bot: Bot | None = None

    def start(self, info: GameInfo, timeout: float) -> None:  # noqa: ARG002 - nothing in this process can be stopped
        """Makes the bot."""
        self._observer = Observer(info)
        began = time.perf_counter()
        try:
            self._bot = self._bot_class(info)
        except (Exception, SystemExit) as error:
            raise PlayerFailed(Reason.LOAD, f"{type(error).__name__}: {error}") from error
        finally:
            self.elapsed = time.perf_counter() - began

    def ask(self, question: Question, timeout: float) -> str:  # noqa: ARG002 - see start
        """Has the bot act."""
        assert self._bot is not None  # noqa: S101 - the match starts before it asks
        began = time.perf_counter()
        try:
            for event in question.events:
                self._observer.observe(Event.from_wire(event))
            hand = tuple([Card.parse(card) for card in question.hand])
            legal = tuple([Move.parse(move) for move in question.legal])
            return str(self._bot.act(self._observer.view(hand, legal, question.clock)))
        except (Exception, SystemExit) as error:
            raise PlayerFailed(Reason.CRASH, f"{type(error).__name__}: {error}") from error
        finally:
            self.elapsed = time.perf_counter() - began

    def finish(self) -> PlayerReport:
        """Forgets the bot."""
        self._bot = None
        return PlayerReport()
