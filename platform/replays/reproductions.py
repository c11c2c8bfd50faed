"""The file with which the owner of a bot reproduces a game in which it failed: `durak-failure/1` of `arena`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from arena.failure import Reason
from arena.reproduction import Reproduction
from bots import selectors
from replays.games import NotThere, ShownGame
from tournaments.models import GameLog


class NotYours(Exception):  # noqa: N818 - an answer, no error of this program
    """The bot at that seat is somebody else's."""


def reproduction(shown: ShownGame, seat: int, user: User) -> Reproduction:
    """The file of one seat of a game, for the owner of the bot that sat there and for staff. One query.

    Raises:
        NotThere: there is no such seat, the bot did not fail in this game, or it was not started in it.
        NotYours: the bot is somebody else's.
        arena.durak.RecordError: what is stored of the game is damaged.
    """
    if seat >= len(shown.seats):
        raise NotThere
    sat = shown.seats[seat]
    if not selectors.is_owner(user, sat.version.bot):
        raise NotYours
    failure = GameLog.objects.filter(game=shown.game, seat=sat).values_list("failure", flat=True).first()
    if not failure or failure.get("forfeited"):
        raise NotThere
    return Reproduction(
        bot=sat.version.bot.name,
        version=sat.version.number,
        seat=seat,
        reason=Reason(failure["reason"]),
        at=len(shown.record.moves),
        message=str(failure.get("message", "")),
        record=shown.record,
        detail=_mapping(failure.get("detail")),
        view=_mapping(failure.get("view")),
        use=_mapping(failure.get("use")),
    )


def _mapping(value: Any) -> Mapping[str, Any] | None:
    return value if isinstance(value, Mapping) else None
