"""Tournaments: the ladder's table, every tournament's table, crosstable and secrets."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Field, Query, Router, Schema

from api import finding
from api.auth import OPTIONAL, anyone, caller
from api.errors import answers, not_found
from api.paging import PageOf, Paging, Slug, page_of
from api.routes.bots import Search, plain
from api.shapes import tournaments as shapes
from pages import selectors
from tournaments import board, cross_page, listings
from tournaments.models import Tournament

router = Router(tags=["Tournaments"])


class Filters(Schema):
    """Which tournaments."""

    state: shapes.TournamentState | None = Field(
        None, description="Only those in this state. Drafts are for who made them, and for staff."
    )


class Size(Schema):
    """How much of a crosstable."""

    bots: int = Field(cross_page.MOST, ge=1, le=200, description="So many of the best of the table.")


@router.get(
    "/leaderboard",
    auth=anyone,
    openapi_extra=OPTIONAL,
    response=answers(PageOf[shapes.TableLine], 404, 422),
    operation_id="leaderboard",
    summary="The table of the ladder",
)
def leaderboard(request: HttpRequest, search: Query[Search], paging: Query[Paging]) -> Any:  # noqa: ARG001
    """Best first, with ratings and their 95 % intervals."""
    ladder = selectors.ladder()
    if ladder is None:
        raise not_found(_("The ladder has not been made yet."))
    return table_page(ladder, search.q, paging)


def table_page(tournament: Tournament, query: str, paging: Paging) -> dict[str, Any]:
    """One page of a table. One query."""
    found = board.board(tournament, query=plain(query), size=1_000_000)
    return page_of(found.rows, paging, shapes.table_line)


@router.get(
    "/tournaments",
    auth=anyone,
    openapi_extra=OPTIONAL,
    response=answers(PageOf[shapes.Counted], 422),
    operation_id="tournaments",
    summary="All tournaments",
)
def index(request: HttpRequest, filters: Query[Filters], paging: Query[Paging]) -> Any:
    """The ladder first, then the newest."""
    found = listings.tournaments(caller(request).user, filters.state or "")
    return page_of(found, paging, lambda tournament: shapes.counted(request, tournament))


@router.get(
    "/tournaments/{slug:slug}",
    auth=anyone,
    openapi_extra=OPTIONAL,
    response=answers(shapes.TournamentDetail, 404, 422),
    operation_id="tournament",
    summary="A tournament, its rules and limits",
)
def detail(request: HttpRequest, slug: Slug) -> Any:
    """With the progress of its plan."""
    return shapes.tournament_detail(request, finding.tournament(request, slug))


@router.get(
    "/tournaments/{slug:slug}/table",
    auth=anyone,
    openapi_extra=OPTIONAL,
    response=answers(PageOf[shapes.TableLine], 404, 422),
    operation_id="table",
    summary="The table of a tournament",
)
def table(request: HttpRequest, slug: Slug, search: Query[Search], paging: Query[Paging]) -> Any:
    """Best first, with ratings and their 95 % intervals."""
    return table_page(finding.tournament(request, slug), search.q, paging)


@router.get(
    "/tournaments/{slug:slug}/crosstable",
    auth=anyone,
    openapi_extra=OPTIONAL,
    response=answers(shapes.CrossOut, 404, 422),
    operation_id="crosstable",
    summary="Who scored what against whom",
)
def crosstable(request: HttpRequest, slug: Slug, size: Query[Size]) -> Any:
    """The best of the table against each other, with the number of deals behind each score."""
    return shapes.cross_out(cross_page.cross(finding.tournament(request, slug), size.bots))


@router.get(
    "/tournaments/{slug:slug}/secrets",
    auth=anyone,
    openapi_extra=OPTIONAL,
    response=answers(PageOf[shapes.SecretOut], 404, 422),
    operation_id="secrets",
    summary="The commitments to the decks, and the secrets once revealed",
)
def secrets(request: HttpRequest, slug: Slug, paging: Query[Paging]) -> Any:
    """The newest first. With a secret anybody can derive the decks again and compare."""
    found = listings.secrets(finding.tournament(request, slug))
    return page_of(found, paging, shapes.secret_out)
