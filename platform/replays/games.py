"""Reads a finished game with everything its page shows: who sat where, the stored result, what its owner may see."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arena.durak import GameRecord
from arena.replay.words import Failed, Result
from tournaments.models import Game, GameLog, Match, Seat, Tournament
from tournaments.records import unpack


class NotThere(Exception):  # noqa: N818 - an answer, no error of this program
    """There is no such game, or not for this reader."""


@dataclass(frozen=True)
class ShownGame:
    """One finished game."""

    game: Game
    seats: Sequence[Seat]
    """By seat of this game: the seat of the match that sat there."""

    @property
    def match(self) -> Match:
        """The match it belongs to."""
        return self.game.match

    @property
    def tournament(self) -> Tournament:
        """The tournament of that match."""
        return self.game.match.tournament

    @property
    def public(self) -> bool:
        """Whether everybody may see it; else staff alone."""
        return self.tournament.state != Tournament.State.DRAFT

    @property
    def names(self) -> list[str]:
        """What the bots are called, by seat; two of one name are told apart by the number of their seat."""
        names = [seat.version.bot.name for seat in self.seats]
        return [name if names.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(names, 1)]

    @cached_property
    def record(self) -> GameRecord:
        """The record; raises `arena.durak.RecordError` where it is damaged or no longer kept."""
        return unpack(bytes(self.game.record))

    @property
    def result(self) -> Result:
        """The result as it is stored in the game's row, from which every other page takes it too."""
        game = self.game
        places = tuple(int(place) for place in game.places)
        fool = places.index(max(places)) if game.ending == "fool" and max(places) > 1 else None
        failures = tuple(
            Failed(int(failure["seat"]), str(failure["reason"]), bool(failure.get("forfeited")))
            for failure in game.failures
        )
        return Result(game.ending, places, fool, failures)

    def seat_cards(self) -> list[dict[str, Any]]:
        """The seats for the viewer: name, version and the address of the bot's page."""
        return [
            {"name": name, "version": seat.version.number, "url": seat.version.bot.get_absolute_url()}
            for name, seat in zip(self.names, self.seats, strict=True)
        ]


def find_game(pk: int, *, drafts: bool = False) -> ShownGame:
    """The finished game with this number; `drafts`: also of tournaments that only staff may see.

    Raises NotThere. Two queries.
    """
    try:
        game = Game.objects.select_related("match__tournament").get(pk=pk)
    except (Game.DoesNotExist, OverflowError):
        raise NotThere from None
    return _shown(game.match, [game], drafts)[0]


def find_deal(match: int, number: int, *, drafts: bool = False) -> list[ShownGame]:
    """The games of one deal of a finished match, by rotation; `drafts` as above.

    Raises NotThere. Two queries.
    """
    games = Game.objects.filter(match=match, deal=number).select_related("match__tournament").order_by("rotation")
    try:
        found = list(games)
    except OverflowError:
        raise NotThere from None
    if not found:
        raise NotThere
    return _shown(found[0].match, found, drafts)


def _shown(match: Match, games: Sequence[Game], drafts: bool) -> list[ShownGame]:
    """Games of one match with their seats, if they may be shown. One query."""
    hidden = match.tournament.state == Tournament.State.DRAFT and not drafts
    if hidden or match.state != Match.State.FINISHED:
        raise NotThere
    by_index = {seat.index: seat for seat in Seat.objects.filter(match=match).select_related("version__bot")}
    return [ShownGame(game, [by_index[index] for index in game.seating]) for game in games]


def same_deal(game: Game) -> list[Game]:
    """The games of the same deal, in every rotation, this one among them: the same cards with the bots elsewhere."""
    return list(Game.objects.filter(match=game.match_id, deal=game.deal).defer("record").order_by("rotation"))


@dataclass(frozen=True)
class OwnBot:
    """What the owner of a bot sees of one game: how it failed, and what it printed."""

    seat: int
    name: str
    log: str
    failure: dict[str, Any] | None

    @property
    def view_text(self) -> str:
        """What it was asked when it failed, set out to be read."""
        view = (self.failure or {}).get("view")
        return json.dumps(view, ensure_ascii=False, indent=2) if view else ""


def own_bots(shown: ShownGame, user_id: int | None) -> list[OwnBot]:
    """The reader's own bots in a game; nothing for anybody else. At most one query."""
    own = [(number, seat) for number, seat in enumerate(shown.seats) if seat.version.bot.owner_id == user_id]
    if user_id is None or not own:
        return []
    logs = {log.seat_id: log for log in GameLog.objects.filter(game=shown.game)}
    found = []
    for number, seat in own:
        log = logs.get(seat.pk)
        found.append(OwnBot(number, shown.names[number], log.log if log else "", log.failure if log else None))
    return found
