"""What the pages that draw on several apps read. Each function makes a fixed number of queries."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments import listings
from tournaments.board import Board, Row, board
from tournaments.models import Match, Tournament

LADDER = "ladder"
"""The slug of the tournament that the leaderboard shows."""

TOP = 8
NEWEST = 8


def ladder() -> Tournament | None:
    """The tournament that the leaderboard shows; None before it has been made."""
    return Tournament.objects.filter(slug=LADDER).first()


@dataclass(frozen=True)
class Home:
    """What the first page shows."""

    top: Board | None
    """The best of the ladder, or of the newest tournament that has a table while the ladder is empty."""
    tournament: Tournament | None
    """Whose table that is."""
    newest: Sequence[Match]
    running: Sequence[Tournament]
    """Other tournaments that are being played or take entries now."""


def newest() -> Sequence[Match]:
    """The matches that were played last, in whichever tournament."""
    return listings.newest_matches(NEWEST)


def home() -> Home:
    """Read the first page."""
    shown = list(listings.tournaments().exclude(state=Tournament.State.CANCELLED)[:6])
    chosen = next((t for t in shown if t.slug == LADDER and t.rated), None)
    chosen = chosen or next((t for t in shown if t.rated), None) or next(iter(shown), None)
    return Home(
        top=board(chosen, size=TOP) if chosen else None,
        tournament=chosen,
        newest=newest(),
        running=[t for t in shown if t != chosen and t.state != Tournament.State.FINISHED],
    )


@dataclass(frozen=True)
class Leaderboard:
    """The ladder's table, one page of it."""

    tournament: Tournament | None
    table: Board | None


def leaderboard(query: str, page: str | None) -> Leaderboard:
    """Read the leaderboard: lines whose bot or owner is named like `query`."""
    tournament = ladder()
    return Leaderboard(tournament, board(tournament, query=query, page=page) if tournament else None)


def rows_by_bot(tournament: Tournament | None) -> dict[int, Row]:
    """The lines of a table by the bot's id."""
    if tournament is None:
        return {}
    whole = board(tournament, size=1_000_000)
    return {row.standing.bot_id: row for row in whole.rows}
