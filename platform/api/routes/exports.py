"""A whole tournament to take away: CSV for spreadsheets, JSON for programs, and all records as one file.

The files are those that the tournament's pages offer, made by the same functions.
"""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Iterator
from datetime import date
from typing import Annotated, Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja import Field, Query, Router, Schema
from pydantic import BeforeValidator

from api import exports as games
from api import finding, limits
from api.auth import OPTIONAL, anyone, caller
from api.errors import answers
from api.paging import Slug
from tournaments import exports, proofs
from tournaments.models import Tournament
from tournaments.streaming import download

router = Router(tags=["Exports"])

CSV, JSON, JSONL = "text/csv", "application/json", "application/jsonl"


def _read_day(value: Any) -> date | None:
    # What pydantic would take for a date besides: a number of seconds, a week.
    if value is None or (isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value)):
        return date.fromisoformat(value) if value else None
    raise ValueError("A day is written as 2026-01-31")


class Day(Schema):
    """Which part of a ladder."""

    day: Annotated[date | None, BeforeValidator(_read_day)] = Field(
        None, description="Of a ladder, only matches whose decks come from the secret of this day."
    )


def file_of(media_type: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    """Tells OpenAPI that an operation answers with a file."""
    content = {media_type: {"schema": schema or {"type": "string"}}}
    return OPTIONAL | {"responses": {200: {"content": content}}}


WHOLE = {
    "type": "object",
    "properties": {
        "format": {"const": exports.FORMAT},
        "table": {"type": "array", "items": {"type": "object"}},
        "meetings": {"type": "array", "items": {"type": "object"}},
        "secrets": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["format", "table", "meetings", "secrets"],
}


def _open(request: HttpRequest, slug: str) -> Tournament:
    limits.spend(limits.EXPORTS, caller(request).key)
    return finding.tournament(request, slug)


def _send(request: HttpRequest, pieces: Iterator[bytes], kind: str, filename: str) -> HttpResponseBase:
    if kind == CSV:
        # Without the mark, spreadsheets read names that are not English as another alphabet.
        pieces = itertools.chain([codecs.BOM_UTF8], pieces)
    return download(request, pieces, kind=f"{kind}; charset=utf-8", filename=filename)


@router.get(
    "/tournaments/{slug:slug}/tournament.json",
    auth=anyone,
    openapi_extra=file_of(JSON, WHOLE),
    response=answers(None, 404, 422),
    operation_id="export_tournament",
    summary="Everything but the games, as JSON",
)
def tournament_json(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """Rules, limits, the whole table, every meeting of two bots, and the secrets of the decks that are revealed."""
    found = _open(request, slug)
    return _send(request, iter([exports.whole_json(found).encode()]), JSON, f"{slug}-tournament.json")


@router.get(
    "/tournaments/{slug:slug}/table.csv",
    auth=anyone,
    openapi_extra=file_of(CSV),
    response=answers(None, 404, 422),
    operation_id="export_table",
    summary="The table as CSV",
)
def table_csv(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """The whole table, a line a bot."""
    found = _open(request, slug)
    return _send(request, iter([exports.table_csv(found).encode()]), CSV, f"{slug}-table.csv")


@router.get(
    "/tournaments/{slug:slug}/crosstable.csv",
    auth=anyone,
    openapi_extra=file_of(CSV),
    response=answers(None, 404, 422),
    operation_id="export_crosstable",
    summary="The crosstable as CSV",
)
def crosstable_csv(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """Every meeting of two bots as a line, with the score from 0 to 1 and the deals and games behind it."""
    found = _open(request, slug)
    return _send(request, iter([exports.crosstable_csv(found).encode()]), CSV, f"{slug}-crosstable.csv")


@router.get(
    "/tournaments/{slug:slug}/games.csv",
    auth=anyone,
    openapi_extra=file_of(CSV),
    response=answers(None, 404, 422),
    operation_id="export_games",
    summary="All finished games as CSV",
)
def games_csv(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """A line a game: who sat where, who came in which place, who failed."""
    found = _open(request, slug)
    return _send(request, games.game_lines(found), CSV, f"{slug}-games.csv")


@router.get(
    "/tournaments/{slug:slug}/records.jsonl",
    auth=anyone,
    openapi_extra=file_of(JSONL),
    response=answers(None, 404, 422),
    operation_id="export_records",
    summary="All records of a tournament",
)
def records(request: HttpRequest, slug: Slug, day: Query[Day]) -> HttpResponseBase:
    """A line of JSON a finished game, with its `record` as `/games/{number}/record` gives it."""
    found = _open(request, slug)
    return _send(request, exports.record_lines(found, day.day), JSONL, f"{slug}-records.jsonl")


@router.get(
    "/tournaments/{slug:slug}/proof.jsonl",
    auth=anyone,
    openapi_extra=file_of(JSONL),
    response=answers(None, 404, 422),
    operation_id="export_proof",
    summary="What a whole tournament is verified with",
)
def proof(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """Rules, table, secrets and every match with its records: `python -m arena verify` checks all of it."""
    found = _open(request, slug)
    return _send(request, proofs.proof_lines(found), JSONL, f"{slug}-proof.jsonl")
