"""What leaves the site as a file: the table, the whole result, the records of all games. Pages and API share this.

All numbers come from `standings` and `crosstable`, as they do on the pages.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

import structlog

from arena.durak import RecordError
from tournaments import listings, standings
from tournaments.crosstable import crosstable
from tournaments.models import Game, Match, Tournament
from tournaments.records import RecordDroppedError, unpack

logger = structlog.get_logger(__name__)

FORMAT = "durak-tournament/1"
REASONS = ("play", "time", "illegal", "crash", "memory", "load", "protocol", "output", "pondering")
COLUMNS = (
    *("place", "bot", "owner", "version", "state", "reason", "rating", "low", "high", "elo"),
    *("matches", "games", "won", "drawn", "lost", "score", "seconds", "decisions", "slowest"),
    *(f"lost_by_{reason}" for reason in REASONS),
)
"""The columns of the table as a file."""
_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The last four are the full-width forms, which some spreadsheets take for the same."""
_BATCH = 200


def safe_cell(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: texts that begin like one get an apostrophe in front."""
    if isinstance(value, str) and value.lstrip(" \u00a0\ufeff").startswith(_BEGINS_FORMULA):
        return f"'{value}"
    return "" if value is None else value


def table_rows(tournament: Tournament) -> list[dict[str, Any]]:
    """The table, best first, each line with `COLUMNS`; texts as they are. One query."""
    rows = []
    for line in standings.table(tournament):
        row = {"bot": line.bot_name, **{name: getattr(line, name, None) for name in COLUMNS if name != "bot"}}
        row |= {f"lost_by_{reason}": line.lost_by.get(reason, 0) for reason in REASONS}
        rows.append({name: row[name] for name in COLUMNS})
    return rows


def table_csv(tournament: Tournament) -> str:
    """The table as CSV (RFC 4180), with a line of names. Numbers have a point and are not rounded. One query."""
    return _csv(COLUMNS, ([row[name] for name in COLUMNS] for row in table_rows(tournament)))


def crosstable_csv(tournament: Tournament) -> str:
    """Every meeting as a line: bot, version, opponent, its version, score from 0 to 1, points, deals, games.

    Two queries. Each pair of bots is there twice, once from the view of each.
    """
    names = ("bot", "version", "opponent", "opponent_version", "score", "points", "deals", "games")
    return _csv(names, ([row[name] for name in names] for row in meeting_rows(tournament)))


def meeting_rows(tournament: Tournament) -> list[dict[str, Any]]:
    """Every meeting of two entries in the table, in the table's order."""
    lines = standings.table(tournament)
    met = crosstable(tournament)
    rows = []
    for line in lines:
        for other in lines:
            meeting = met.get((line.entry_id, other.entry_id))
            if meeting is None:
                continue
            rows.append(
                {
                    "bot": line.bot_name,
                    "version": line.version,
                    "opponent": other.bot_name,
                    "opponent_version": other.version,
                    "score": meeting.score,
                    "points": meeting.points,
                    "matches": meeting.matches,
                    "deals": meeting.deals,
                    "games": meeting.games,
                }
            )
    return rows


def whole(tournament: Tournament) -> dict[str, Any]:
    """A tournament as a JSON-able value: what it is, its table, its crosstable, its commitments and secrets.

    Secrets that have not been revealed are null. Seven queries at most, whatever its size.
    """
    moments = ("created_at", "started_at", "finished_at")
    progress = standings.progress(tournament)
    return {
        "format": FORMAT,
        "name": tournament.name,
        "slug": tournament.slug,
        "kind": tournament.kind,
        "state": tournament.state,
        "description": tournament.description,
        "ruleset": tournament.ruleset,
        "limits": tournament.limits,
        "players": tournament.players,
        "deals": tournament.deals,
        **{name: value.isoformat() if (value := getattr(tournament, name)) else None for name in moments},
        "matches": asdict(progress),
        "table": table_rows(tournament),
        "meetings": meeting_rows(tournament),
        "secrets": [
            {
                "day": secret.day.isoformat() if secret.day else None,
                "commitment": secret.commitment,
                "secret": secret.shown or None,
            }
            for secret in listings.secrets(tournament)
        ],
    }


def whole_json(tournament: Tournament) -> str:
    """`whole` as text."""
    return json.dumps(whole(tournament), ensure_ascii=False, indent=1) + "\n"


def record_lines(tournament: Tournament, day: date | None = None) -> Iterator[bytes]:
    """Every finished game of a tournament as a line of JSON, in the order of matches, rotations and deals.

    A line has `match` (its number, from which the deck follows), `round`, `deal`, `rotation`, and `record`, which is a
    `durak-record/1`, or null where the stored one is damaged, with the `error` beside it. Memory does not grow with the
    number of games, which are read some hundreds at a time.

    Args:
        day: of a ladder, only matches whose decks come from the secret of this day.
    """
    games = Game.objects.filter(match__tournament=tournament, match__state=Match.State.FINISHED)
    if day is not None:
        games = games.filter(match__secret__day=day)
    last = 0
    while batch := _batch(games.filter(pk__gt=last).order_by("pk")):
        for pk, number, round_, deal, rotation, packed in batch:
            line: dict[str, Any] = {"match": number, "round": round_, "deal": deal, "rotation": rotation, "game": pk}
            try:
                line["record"] = unpack(bytes(packed)).to_json()
            except RecordDroppedError as error:
                line |= {"record": None, "error": str(error)}
            except RecordError as error:
                # The file is half sent by now: it goes on, and says where something is missing.
                logger.error("record_unreadable", game=pk, error=str(error))  # noqa: TRY400 - the sentence says it all
                line |= {"record": None, "error": str(error)}
            yield json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        last = batch[-1][0]


def _batch(games: Any) -> Sequence[tuple[int, int, int, int, int, bytes]]:
    # By their numbers and not with an iterator: a cursor that stays open while a slow reader downloads holds a
    # connection, and on SQLite the snapshot of everything.
    fields = ("pk", "match__number", "match__round", "deal", "rotation", "record")
    return list(games.values_list(*fields)[:_BATCH])


def _csv(names: Sequence[str], rows: Any) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    for row in rows:
        writer.writerow([safe_cell(value) for value in row])
    return out.getvalue()
