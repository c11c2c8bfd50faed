"""A tournament to take away: the page's numbers, safe in a spreadsheet, and every record."""

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator, Iterator
from typing import cast

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from api import cells, exports
from api.streams import stream
from arena.durak import GameRecord, verify
from tests.web import factories
from tournaments import standings
from tournaments.models import Game

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "＠x", "  \t+1"]


def body(response):
    """What a stream sends, as text."""
    return b"".join(response.streaming_content).decode()


def table(response):
    """The rows of a CSV."""
    text = body(response)
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text[1:])))


# Cells


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_can_be_no_formula(text):
    shown = cells.safe(text)
    assert shown[0] == "'"
    assert not set(shown) & set("\t\r\n")


@pytest.mark.parametrize("text", ["", "Bot", "a=1", "Тихий", "2", "<b>", "'quoted", "a-b", "🂡"])
def test_every_other_text_stays_as_it_is(text):
    assert cells.safe(text) == text


@pytest.mark.parametrize(("value", "shown"), [(None, ""), (-1.5, -1.5), (0, 0), (True, "True"), ([1, 2], "[1, 2]")])
def test_numbers_stay_numbers_and_nothing_is_nothing(value, shown):
    assert cells.safe(value) == shown


@pytest.mark.parametrize("text", [*FORMULAS, 'say "hi"', "a,b", "a;b", "line\u2028end", "\x00", "\x1b[31m"])
def test_a_text_comes_back_as_one_cell(text):
    [row] = csv.reader(io.StringIO("".join(cells.lines([("before", text, "after")]))[1:]))
    assert (row[0], row[2], len(row)) == ("before", "after", 3)


# Whole tournaments


@pytest.mark.django_db
def test_the_table_as_csv_has_the_pages_numbers(cup, visitor):
    response = visitor.get("/tournaments/winter-cup/table.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="winter-cup-table.csv"'
    for row, line in zip(table(response), standings.table(cup), strict=True):
        assert (row["bot"], row["owner"], int(row["version"])) == (line.bot_name, line.owner, line.version)
        assert (int(row["place"]), float(row["elo"])) == (line.place, line.elo)
        assert (int(row["games"]), float(row["score"])) == (line.games, line.score)
        assert int(row["lost by crash"]) == line.lost_by.get("crash", 0)
        assert int(row["lost"]) == sum(int(row[f"lost by {reason}"]) for reason in exports.REASONS)


@pytest.mark.django_db
def test_a_strangers_name_runs_in_no_spreadsheet(visitor):
    bots = [factories.bot(name=name) for name in ("=cmd|' /C calc'!A0", "@SUM(A1)")]
    cup = factories.round_robin(bots, "Cup", deals=1)
    factories.play(cup)
    for part in ("table", "crosstable", "games"):
        text = body(visitor.get(f"/tournaments/cup/{part}.csv"))
        for row in csv.reader(io.StringIO(text[1:])):
            assert not [cell for cell in row if cell[:1] in "=@+" and cell]


@pytest.mark.django_db
def test_the_crosstable_as_csv_has_score_and_deals(cup, visitor):
    rows = table(visitor.get("/tournaments/winter-cup/crosstable.csv"))
    names = [row["bot"] for row in rows]
    for row in rows:
        for name in names:
            mirrored = next(other for other in rows if other["bot"] == name)[row["bot"]]
            assert (row[name] == "") == (mirrored == "")
            assert not row[name] or float(row[name]) + float(mirrored) == 1
            assert row[f"deals against {name}"] == ("2" if row[name] else "")


@pytest.mark.django_db
def test_every_finished_game_is_a_line(cup, visitor):
    rows = table(visitor.get("/tournaments/winter-cup/games.csv"))
    assert [int(row["game"]) for row in rows] == list(
        Game.objects.order_by("match_id", "rotation", "deal").values_list("pk", flat=True)
    )
    for row in rows:
        game = Game.objects.get(pk=row["game"])
        assert [int(row[f"seat {seat} place"]) for seat in (1, 2)] == game.places
        failed = [seat for seat in (1, 2) if row[f"seat {seat} failure"]]
        assert failed == [failure["seat"] + 1 for failure in game.failures]


@pytest.mark.django_db
def test_every_record_is_a_line_and_can_be_verified(cup, visitor):
    response = visitor.get("/tournaments/winter-cup/records.ndjson")
    assert response["Content-Type"] == "application/x-ndjson; charset=utf-8"
    lines = [json.loads(line) for line in body(response).splitlines()]
    assert {line["game"] for line in lines} == set(Game.objects.values_list("pk", flat=True))
    for line in lines:
        game = Game.objects.select_related("match").get(pk=line["game"])
        assert (line["match"], line["deal"], line["rotation"]) == (game.match.number, game.deal, game.rotation)
        assert list(verify(GameRecord.from_json(line["record"])).places) == game.places


@pytest.mark.django_db
def test_a_damaged_record_stops_nothing(cup, visitor):
    Game.objects.filter(pk=Game.objects.first().pk).update(record=b"damaged")
    lines = [json.loads(line) for line in body(visitor.get("/tournaments/winter-cup/records.ndjson")).splitlines()]
    assert len(lines) == Game.objects.count()
    assert [line["record"] for line in lines].count(None) == 1


@pytest.mark.django_db
def test_one_document_holds_all_that_is_told_of_a_tournament(cup, visitor):
    whole = visitor.get("/tournaments/winter-cup/export.json").json()
    assert whole["tournament"] == visitor.get("/tournaments/winter-cup").json()
    assert whole["table"] == visitor.get("/tournaments/winter-cup/table").json()["items"]
    assert whole["crosstable"] == visitor.get("/tournaments/winter-cup/crosstable").json()
    assert whole["secrets"] == visitor.get("/tournaments/winter-cup/secrets").json()["items"]


@pytest.mark.django_db
def test_a_tournament_that_has_not_begun_is_an_empty_table(visitor):
    factories.round_robin([], "Empty", start=False)
    assert table(visitor.get("/tournaments/empty/table.csv")) == []
    assert table(visitor.get("/tournaments/empty/games.csv")) == []
    assert body(visitor.get("/tournaments/empty/records.ndjson")) == ""


@pytest.mark.django_db
@pytest.mark.parametrize("rows", [exports.game_rows, exports.record_lines])
def test_batches_hold_every_game_once_with_a_few_queries_each(cup, monkeypatch, rows):
    whole = list(rows(cup))
    monkeypatch.setattr(exports, "BATCH", 1)
    with CaptureQueriesContext(connection) as queries:
        assert list(rows(cup)) == whole
    assert len(queries) <= 1 + 5 * 3


# Streams


def pieces():
    return (f"line {number} é\n" for number in range(50_000))


def test_a_stream_is_sent_in_chunks_as_it_is_made():
    response = stream(RequestFactory().get("/"), pieces(), "text/plain", "x.txt")
    chunks = list(cast("Iterator[bytes]", response.streaming_content))
    assert b"".join(chunks).decode() == "".join(pieces())
    assert len(chunks) > 5


def test_an_asynchronous_server_does_not_collect_it_first():
    request = ASGIRequest({"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}, None)
    made = []

    def counted():
        for piece in pieces():
            made.append(piece)
            yield piece

    async def first():
        response = stream(request, counted(), "text/plain", "x.txt")
        assert response.is_async
        parts = cast("AsyncIterator[bytes]", response.streaming_content)
        chunk = await anext(aiter(parts))
        early = len(made)
        rest = [part async for part in parts]
        return early, b"".join([chunk, *rest])

    early, sent = asyncio.run(first())
    assert early < 10_000
    assert sent.decode() == "".join(pieces())
