"""A whole tournament to take away: CSV for spreadsheets, JSON for programs, and all records as one file."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja import Query, Router

from api import cells, exports, finding, limits
from api.auth import OPTIONAL, anyone, caller
from api.errors import answers
from api.paging import Slug
from api.routes.tournaments import Size
from api.shapes import tournaments as shapes
from api.streams import stream
from tournaments import board, cross_page, listings, standings
from tournaments.models import Tournament

router = Router(tags=["Exports"])

CSV = "text/csv; charset=utf-8"
NDJSON = "application/x-ndjson; charset=utf-8"


def file_of(media_type: str) -> dict[str, Any]:
    """Tells OpenAPI that an operation answers with a file."""
    return OPTIONAL | {"responses": {200: {"content": {media_type: {"schema": {"type": "string"}}}}}}


def _open(request: HttpRequest, slug: str) -> Tournament:
    limits.spend(limits.EXPORTS, caller(request).key)
    return finding.tournament(request, slug)


@router.get(
    "/tournaments/{slug:slug}/export.json",
    auth=anyone,
    openapi_extra=OPTIONAL,
    response=answers(shapes.Whole, 404, 422),
    operation_id="export_json",
    summary="A tournament as one document",
)
def whole(request: HttpRequest, slug: Slug, size: Query[Size]) -> Any:
    """The tournament, its whole table, the crosstable of the best, and the secrets of its decks."""
    tournament = _open(request, slug)
    return {
        "tournament": shapes.tournament_detail(request, tournament),
        "table": [shapes.table_line(row) for row in board.lines(standings.table(tournament))],
        "crosstable": shapes.cross_out(cross_page.cross(tournament, size.bots)),
        "secrets": [shapes.secret_out(secret) for secret in listings.secrets(tournament)],
    }


@router.get(
    "/tournaments/{slug:slug}/table.csv",
    auth=anyone,
    openapi_extra=file_of("text/csv"),
    response=answers(None, 404, 422),
    operation_id="export_table",
    summary="The table as CSV",
)
def table_csv(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """The whole table, a line a bot."""
    tournament = _open(request, slug)
    return stream(request, cells.lines(exports.table_rows(tournament)), CSV, f"{slug}-table.csv")


@router.get(
    "/tournaments/{slug:slug}/crosstable.csv",
    auth=anyone,
    openapi_extra=file_of("text/csv"),
    response=answers(None, 404, 422),
    operation_id="export_crosstable",
    summary="The crosstable as CSV",
)
def crosstable_csv(request: HttpRequest, slug: Slug, size: Query[Size]) -> HttpResponseBase:
    """The score of each against each, from 0 to 1, then the deals behind each score."""
    cross = cross_page.cross(_open(request, slug), size.bots)
    return stream(request, cells.lines(exports.cross_rows(cross)), CSV, f"{slug}-crosstable.csv")


@router.get(
    "/tournaments/{slug:slug}/games.csv",
    auth=anyone,
    openapi_extra=file_of("text/csv"),
    response=answers(None, 404, 422),
    operation_id="export_games",
    summary="All finished games as CSV",
)
def games_csv(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """A line a game: who sat where, who came in which place, who failed."""
    tournament = _open(request, slug)
    return stream(request, cells.lines(exports.game_rows(tournament)), CSV, f"{slug}-games.csv")


@router.get(
    "/tournaments/{slug:slug}/records.ndjson",
    auth=anyone,
    openapi_extra=file_of("application/x-ndjson"),
    response=answers(None, 404, 422),
    operation_id="export_records",
    summary="All records of a tournament",
)
def records(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """A line of JSON a finished game, with its `record` as `/games/{number}/record` gives it."""
    tournament = _open(request, slug)
    return stream(request, exports.record_lines(tournament), NDJSON, f"{slug}-records.ndjson")
