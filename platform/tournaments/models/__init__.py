"""One model a file."""

from tournaments.models.entry import Entry
from tournaments.models.game import Game
from tournaments.models.log import GameLog
from tournaments.models.match import Match
from tournaments.models.rating import RatingPoint
from tournaments.models.seat import Seat
from tournaments.models.secret import DealSecret
from tournaments.models.tournament import Tournament
from tournaments.models.verification import Verification

__all__ = [
    "DealSecret",
    "Entry",
    "Game",
    "GameLog",
    "Match",
    "RatingPoint",
    "Seat",
    "Tournament",
    "Verification",
]
