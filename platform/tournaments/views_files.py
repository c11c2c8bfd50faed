"""The files of a tournament: table, crosstable, the whole as JSON, all records. For everybody who may see it."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from tournaments import exports, proofs
from tournaments.models import Tournament
from tournaments.streaming import download
from tournaments.views import find


@require_safe
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The table as CSV."""
    found = find(request, slug)
    return _file(found, exports.table_csv(found), "text/csv; charset=utf-8", "table.csv")


@require_safe
def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    """The crosstable as CSV, a line for each pair."""
    found = find(request, slug)
    return _file(found, exports.crosstable_csv(found), "text/csv; charset=utf-8", "crosstable.csv")


@require_safe
def whole(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything but the games as JSON."""
    found = find(request, slug)
    return _file(found, exports.whole_json(found), "application/json; charset=utf-8", "tournament.json")


@require_safe
def records(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The records of all games, a line each; of a ladder with `?day=2026-01-31` those of one day."""
    found = find(request, slug)
    asked = request.GET.get("day", "")
    try:
        day = date.fromisoformat(asked) if asked else None
    except ValueError:
        raise Http404 from None
    lines = exports.record_lines(found, day)
    name = f"{found.slug}-records.jsonl"
    return download(request, lines, kind="application/jsonl; charset=utf-8", filename=name)


@require_safe
def proof(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """Everything with which `python -m arena verify` checks the whole tournament."""
    found = find(request, slug)
    lines = proofs.proof_lines(found)
    return download(request, lines, kind="application/jsonl; charset=utf-8", filename=f"{found.slug}-proof.jsonl")


def _file(tournament: Tournament, text: str, kind: str, name: str) -> HttpResponse:
    # With the byte order mark a spreadsheet reads names of every alphabet.
    body = text.encode("utf-8-sig" if kind.startswith("text/csv") else "utf-8")
    response = HttpResponse(body, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{tournament.slug}-{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
