"""A tournament to take away: the very files of its pages, and all its games as rows."""

import csv
import io
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from api import exports
from arena.durak import GameRecord, verify
from tests.web import factories
from tournaments.models import Game

pytestmark = pytest.mark.django_db


def body(response):
    """What a download sends, as bytes."""
    return b"".join(response.streaming_content)


def table(response):
    """The rows of a CSV."""
    text = body(response).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(
    ("file", "page", "kind"),
    [
        ("table.csv", "table-csv", "text/csv; charset=utf-8"),
        ("crosstable.csv", "crosstable-csv", "text/csv; charset=utf-8"),
        ("tournament.json", "json", "application/json; charset=utf-8"),
        ("records.jsonl", "records", "application/jsonl; charset=utf-8"),
        ("proof.jsonl", "proof", "application/jsonl; charset=utf-8"),
    ],
)
def test_a_file_is_the_one_that_the_page_offers(cup, visitor, client, file, page, kind):
    response = visitor.get(f"/tournaments/winter-cup/{file}")
    assert response["Content-Type"] == kind
    assert response["Content-Disposition"] == f'attachment; filename="winter-cup-{file}"'
    assert response["X-Content-Type-Options"] == "nosniff"
    offered = client.get(reverse(f"tournaments:{page}", args=["winter-cup"]))
    assert body(response) == (body(offered) if offered.streaming else offered.content)


def test_every_finished_game_is_a_line(cup, visitor):
    rows = table(visitor.get("/tournaments/winter-cup/games.csv"))
    played = Game.objects.order_by("match_id", "rotation", "deal").values_list("pk", flat=True)
    assert [int(row["game"]) for row in rows] == list(played)
    for row in rows:
        game = Game.objects.select_related("match").get(pk=row["game"])
        bots = {seat.index: seat.version.bot.name for seat in game.match.seats.select_related("version__bot")}
        assert [row[f"seat_{seat}_bot"] for seat in (0, 1)] == [bots[index] for index in game.seating]
        assert [int(row[f"seat_{seat}_place"]) for seat in (0, 1)] == game.places
        failed = {seat: row[f"seat_{seat}_failure"] for seat in (0, 1) if row[f"seat_{seat}_failure"]}
        assert failed == {failure["seat"]: failure["reason"] for failure in game.failures}


def test_a_strangers_name_runs_in_no_spreadsheet(visitor):
    bots = [factories.bot(name=name) for name in ("=cmd|' /C calc'!A0", "@SUM(A1)", "＝1")]
    factories.play(factories.round_robin(bots, "Cup", deals=1))
    for file in ("table", "crosstable", "games"):
        text = body(visitor.get(f"/tournaments/cup/{file}.csv")).decode("utf-8-sig")
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert "'＝1" in cells
        assert not [cell for cell in cells if cell.startswith(("=", "@", "+", "＝"))]


def test_every_record_can_be_verified(cup, visitor):
    lines = [json.loads(line) for line in body(visitor.get("/tournaments/winter-cup/records.jsonl")).splitlines()]
    assert {line["game"] for line in lines} == set(Game.objects.values_list("pk", flat=True))
    for line in lines:
        game = Game.objects.get(pk=line["game"])
        assert list(verify(GameRecord.from_json(line["record"])).places) == game.places


def test_records_of_one_day_of_the_ladder(bots, visitor):
    ladder = factories.ladder(bots)
    factories.play(ladder)
    day = ladder.secrets.get().day
    assert body(visitor.get("/tournaments/ladder/records.jsonl", day=day.isoformat())).count(b"\n") == 12
    assert body(visitor.get("/tournaments/ladder/records.jsonl", day="2000-01-01")) == b""
    for other in ("yesterday", "0", "20260131", "2026-W05", "2026-02-30", ""):
        answer = visitor.get("/tournaments/ladder/records.jsonl", 422, day=other).json()
        assert answer["details"][0]["where"] == "query.day"


def test_a_tournament_that_has_not_begun_is_an_empty_table(visitor):
    factories.round_robin([], "Empty", start=False)
    assert table(visitor.get("/tournaments/empty/table.csv")) == []
    assert table(visitor.get("/tournaments/empty/games.csv")) == []
    assert body(visitor.get("/tournaments/empty/records.jsonl")) == b""


def test_batches_hold_every_game_once_with_a_few_queries_each(cup, monkeypatch):
    whole = list(exports.game_lines(cup))
    monkeypatch.setattr(exports, "BATCH", 1)
    with CaptureQueriesContext(connection) as queries:
        assert list(exports.game_lines(cup)) == whole
    assert len(queries) <= 1 + 5 * 2
