"""The tournament of a chaos run: its bots, and the poison in it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from django.contrib.auth import get_user_model
from django.db import InterfaceError, OperationalError, connection

from arena.samples import SAMPLES
from bots.models import Bot, BotFile, BotVersion
from bots.services import create_bot
from tournaments import lifecycle
from tournaments.models import Match, Seat, Tournament

T = TypeVar("T")

KINDS = ("random", "easy", "hoarder", "lowest", "thrifty", "counting")
PATIENCE_SECONDS = 120.0
DREAMER = b"""
import time
from arena import Bot, Move, View


class Dreamer(Bot):
    def act(self, view: View) -> Move:
        time.sleep(0.01)
        return view.legal[0]
"""
"""Takes long enough over a match for the match to be found while it is being played."""


@dataclass(frozen=True)
class Field:
    """What is played, by the keys of its rows."""

    tournament: int
    matches: int
    unreadable: int
    """A match that fails whenever it is begun: the file of one of its seats is no bot."""
    deadly: int | None
    """A match whose worker is killed whenever it is begun; it takes three leases to be parked."""

    @property
    def poison(self) -> list[int]:
        """The matches that cannot be finished."""
        return [self.unreadable] if self.deadly is None else [self.unreadable, self.deadly]


def ask(question: Callable[[], T]) -> T:
    """What the database says, as soon as there is one that says anything: it may be restarting.

    Raises:
        OperationalError, InterfaceError: it does not come back.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return question()
        except (OperationalError, InterfaceError):
            connection.close()
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def prepare(bots: int, deals: int, deadly: bool) -> Field:
    """Make the bots, let the tournament begin, and poison one or two of its matches. Nothing plays yet."""
    # The ladder would have the same bots play as much again.
    lifecycle.cancel(lifecycle.ensure_ladder())
    owner = get_user_model().objects.create_user("author")
    tournament = lifecycle.open_entries(lifecycle.create_round_robin("Chaos", deals=deals))
    for index in range(bots):
        kind = KINDS[index % len(KINDS)]
        dreams = deadly and index == 0
        source = DREAMER if dreams else SAMPLES[kind].source
        name = "dreamer" if dreams else f"{kind} {index}"
        lifecycle.enter(tournament, ready_bot(owner, name, source + f"# {index}\n".encode()))
    lifecycle.start(tournament)
    matches = Match.objects.filter(tournament=tournament)
    dreaming = matches.filter(seats__version__bot__name="dreamer").order_by("number")
    unreadable = matches.exclude(pk__in=dreaming.values("pk")).order_by("number")[0]
    _spoil(unreadable)
    return Field(tournament.pk, matches.count(), unreadable.pk, dreaming[0].pk if deadly else None)


def matches_of(field: Field, **conditions: object) -> int:
    """How many matches of the tournament are so."""
    return ask(lambda: Match.objects.filter(tournament=field.tournament, **conditions).count())


def is_over(field: Field) -> bool:
    """Whether the tournament has ended, and its table with it."""
    return ask(lambda: Tournament.objects.filter(pk=field.tournament, state="finished").exists())


def ready_bot(owner: object, name: str, source: bytes) -> Bot:
    """A bot that has passed its check: what a check survives, the tests of checks ask."""
    bot: Bot = create_bot(owner, name)  # type: ignore[arg-type]
    _version(bot, 1, source, BotVersion.State.READY)
    return bot


def _version(bot: Bot, number: int, content: bytes, state: str) -> BotVersion:
    file = BotFile.objects.create(digest=hashlib.sha256(content).hexdigest(), content=content, size=len(content))
    return BotVersion.objects.create(bot=bot, number=number, file=file, filename="bot.py", state=state)


def _spoil(match: Match) -> None:
    """Give one seat a version that cannot be read. It is nobody's current one, so it plays nowhere else."""
    seat = Seat.objects.select_related("version__bot").get(match=match, index=0)
    seat.version = _version(seat.version.bot, 2, b"\0 no bot", BotVersion.State.REJECTED)
    seat.save(update_fields=["version"])
