"""The crosstable as a page shows it: the best of the table against each other, in the table's order."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments import standings
from tournaments.crosstable import crosstable
from tournaments.models import Tournament
from tournaments.standings import Standing

MOST = 30
"""How many bots a crosstable shows: it grows with the square of them, and nobody reads a wider one."""


@dataclass(frozen=True)
class CrossCell:
    """What one bot scored against another."""

    is_self: bool = False
    score: float = 0.0
    """The mean, from 0 to 1."""
    deals: int = 0
    """How many deals it rests on; 0: they have not met."""

    @property
    def points(self) -> int:
        """The score in whole per cent."""
        return round(self.score * 100)


@dataclass(frozen=True)
class CrossRow:
    """One bot against each column."""

    line: Standing
    cells: Sequence[CrossCell]


@dataclass(frozen=True)
class Cross:
    """The crosstable of a page. Columns are the rows' bots in the same order."""

    rows: Sequence[CrossRow]
    left_out: int
    """Bots of the table that are not shown."""


def cross(tournament: Tournament, most: int = MOST, table: Sequence[Standing] | None = None) -> Cross:
    """The crosstable of the best `most` bots. Two queries, one where the `table` has been read."""
    table = standings.table(tournament) if table is None else table
    shown = table[:most]
    met = crosstable(tournament, [line.entry_id for line in shown])
    rows = []
    for line in shown:
        cells = []
        for other in shown:
            meeting = met.get((line.entry_id, other.entry_id))
            if other.entry_id == line.entry_id:
                cells.append(CrossCell(is_self=True))
            else:
                cells.append(CrossCell(score=meeting.score, deals=meeting.deals) if meeting else CrossCell())
        rows.append(CrossRow(line, cells))
    return Cross(rows, len(table) - len(shown))
