"""A tournament's table as a page shows it: which lines, what they have been told apart from, one scale for all bars."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from arena.told_apart import Span, spans
from tournaments import standings
from tournaments.models import Tournament
from tournaments.standings import Standing

PAGE_SIZE = 50


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    standing: Standing
    span: Span | None
    """What the games say about its place; None before it has a rating."""
    failed: int
    """Games lost by a failure, of whatever reason."""


@dataclass(frozen=True)
class Board:
    """The lines of one page of the table."""

    page: Page[Row]
    low: float | None
    """The lowest and the highest end of all intervals of the table, for the scale that its bars share."""
    high: float | None
    query: str
    count: int
    """Bots in the whole table, whatever was searched for."""
    groups: int
    """How many groups are told apart from each other."""

    @property
    def rows(self) -> Sequence[Row]:
        """The lines of this page."""
        return list(self.page.object_list)


def board(
    tournament: Tournament,
    *,
    query: str = "",
    page: str | int | None = 1,
    size: int = PAGE_SIZE,
    table: Sequence[Standing] | None = None,
) -> Board:
    """The table, or those of its lines whose bot or owner is named like `query`, one page of it.

    One query, none where the `table` has been read.
    """
    rows = lines(standings.table(tournament) if table is None else table)
    wanted = query.strip().casefold()
    found = [row for row in rows if wanted in f"{row.standing.bot_name}\n{row.standing.owner}".casefold()]
    rated = [row.standing for row in rows if row.span]
    return Board(
        page=Paginator(found, size).get_page(page),
        low=min((line.low for line in rated if line.low is not None), default=None),
        high=max((line.high for line in rated if line.high is not None), default=None),
        query=query.strip()[:100],
        count=len(rows),
        groups=max((row.span.group for row in rows if row.span), default=0),
    )


def lines(table: Sequence[Standing]) -> list[Row]:
    """The lines of a whole table with their spans, in its order. Who has no place takes no part in the spans."""
    intervals = {
        line.entry_id: (line.low, line.high)
        for line in table
        if line.place is not None and line.low is not None and line.high is not None
    }
    known = dict(zip(intervals, spans(list(intervals.values())), strict=True))
    return [Row(line, known.get(line.entry_id), sum(line.failures.values())) for line in table]
