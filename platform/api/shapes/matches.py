"""Matches and games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Literal

from django.http import HttpRequest
from django.urls import reverse
from ninja import Field, Schema

from api.shapes.bots import BotName, Reason, bot_name, link
from replays.games import ShownGame
from tournaments.listings import MatchPage
from tournaments.models import Game, Match, Seat

MatchState = Literal["queued", "running", "finished", "parked", "cancelled"]
Ending = Literal["fool", "draw", "win", "stalemate", "bout_limit", "forfeit"]


class SeatOut(Schema):
    """A bot at the table of a match."""

    index: int = Field(description="Its seat in rotation 0.")
    bot: BotName
    version: int
    score: float | None = Field(description="Mean over the games, from 0 to 1; null until the match is finished.")
    won: int
    drawn: int
    lost: int
    failures: dict[str, int] = Field(description="Failed games by reason.")
    decisions: int
    seconds: float = Field(description="Thinking time over all games.")
    slowest: float = Field(description="The longest decision, in seconds.")


class MatchOut(Schema):
    """One table of bots that plays all its deals in all rotations."""

    id: int
    tournament: str
    number: int = Field(description="Within the tournament; the decks depend on it.")
    round: int
    state: MatchState = Field(description="`parked`: the arena could not play it, by no fault of its bots.")
    seats: list[SeatOut]
    played: int = Field(description="Games played so far.")
    total: int = Field(description="Games that the match has.")
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    url: str


class FailureOut(Schema):
    """One seat failed. The rest of it is for the owner of the bot."""

    seat: int
    reason: Reason
    at: int = Field(description="How many moves had been played.")
    forfeited: bool = Field(description="It was not started, since it had failed too often before in this match.")


class GameOut(Schema):
    """One deal played in one rotation."""

    id: int
    deal: int
    rotation: int
    seating: list[int] = Field(description="By seat of this game: the index of the match's seat that sat there.")
    ending: Ending
    places: list[int] = Field(description="By seat.")
    failures: list[FailureOut]
    moves: int
    seconds: float
    played_at: datetime


class EloOut(Schema):
    """What a match did to the Elo of a seat."""

    index: int
    after: float
    change: float


class DeckSource(Schema):
    """What the decks of a match were derived from."""

    day: date | None
    commitment: str
    secret: str | None = Field(description="In hex; null until it is revealed.")


class MatchDetail(MatchOut):
    """A match with its games."""

    ahead: int | None = Field(description="How many matches are before it in the queue; null unless it waits.")
    elo: list[EloOut] = Field(description="By seat; empty until the match has been rated.")
    decks: DeckSource
    games: list[GameOut]


class GameSeat(Schema):
    """Who sat at a seat of a game."""

    bot: BotName
    version: int
    place: int


class GameDetail(GameOut):
    """A finished game."""

    match: int
    tournament: str
    seats: list[GameSeat] = Field(description="By seat of this game.")
    fool: int | None = Field(description="The seat of the fool, where there is one.")
    url: str = Field(description="The replay.")
    record_url: str = Field(description="The record, which anybody can verify.")


def seat_out(seat: Seat) -> dict[str, Any]:
    """A seat. Read it with its version, the version's bot and the bot's owner."""
    same = ("index", "score", "won", "drawn", "lost", "failures", "decisions", "seconds", "slowest")
    return {
        "bot": bot_name(seat.version.bot),
        "version": seat.version.number,
        **{name: getattr(seat, name) for name in same},
    }


def match_out(request: HttpRequest, match: Match) -> dict[str, Any]:
    """A match as `tournaments.listings.matches` gives it."""
    same = ("id", "number", "round", "state", "queued_at", "started_at", "finished_at")
    return {
        **{name: getattr(match, name) for name in same},
        "tournament": match.tournament.slug,
        "seats": [seat_out(seat) for seat in match.seats.all()],
        "played": match.progress,
        "total": match.tournament.games_a_match,
        "url": link(request, match.get_absolute_url()),
    }


def match_detail(request: HttpRequest, page: MatchPage, decks: dict[str, Any]) -> dict[str, Any]:
    """A match with everything about it."""
    elo = [
        {"index": line.seat.index, "after": line.elo, "change": line.change}
        for line in page.lines
        if line.elo is not None
    ]
    games: Sequence[Game] = [cell.game for deal in page.deals for cell in deal.cells]
    return {
        **match_out(request, page.match),
        "ahead": page.ahead,
        "elo": elo,
        "decks": decks,
        "games": [game_out(game) for game in games],
    }


def game_out(game: Game) -> dict[str, Any]:
    """A game without its record."""
    same = ("id", "deal", "rotation", "seating", "ending", "places", "failures", "moves", "seconds")
    return {**{name: getattr(game, name) for name in same}, "played_at": game.created_at}


def game_detail(request: HttpRequest, shown: ShownGame) -> dict[str, Any]:
    """A game with who played it."""
    result = shown.result
    return {
        **game_out(shown.game),
        "match": shown.match.pk,
        "tournament": shown.tournament.slug,
        "seats": [
            {"bot": bot_name(seat.version.bot), "version": seat.version.number, "place": place}
            for seat, place in zip(shown.seats, result.places, strict=True)
        ],
        "fool": result.fool,
        "url": link(request, shown.game.get_absolute_url()),
        "record_url": link(request, reverse("api:game_record", args=[shown.game.pk])),
    }
