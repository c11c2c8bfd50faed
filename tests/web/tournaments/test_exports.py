"""Files of a tournament: the same numbers as its pages, no formulas, every record whole."""

import csv
import io
import json

import pytest

from arena.durak import GameRecord, verify
from tests.web import factories
from tournaments import exports, lifecycle, standings
from tournaments.models import Game

pytestmark = pytest.mark.django_db

EVIL = '=HYPERLINK("http://evil.example","x")'


@pytest.fixture
def cup():
    cup = factories.round_robin([factories.bot(name=name) for name in (EVIL, "Йожик, 7♥", "@sum", "plain")], "Cup")
    factories.play(cup, 4)
    factories.rate(cup)
    return cup


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_file_has_the_numbers_of_the_table(cup):
    rows = read(exports.table_csv(cup))
    table = standings.table(cup)
    assert [int(row["place"]) for row in rows] == [line.place for line in table]
    for row, line in zip(rows, table, strict=True):
        assert float(row["rating"]) == line.rating
        assert float(row["score"]) == line.score
        assert (int(row["won"]), int(row["drawn"]), int(row["lost"])) == (line.won, line.drawn, line.lost)
        assert sum(int(row[f"lost_by_{reason}"]) for reason in exports.REASONS) == line.lost


def test_no_cell_is_a_formula(cup):
    for text in (exports.table_csv(cup), exports.crosstable_csv(cup)):
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert any(EVIL in cell for cell in cells)
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t"))]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", "\r=1", " =1", "\ufeff=1", "＝1", "＠x"])
def test_whatever_begins_like_a_formula_is_a_text(text):
    assert exports.safe_cell(text) == f"'{text}"


def test_numbers_stay_numbers():
    assert exports.safe_cell(-1.5) == -1.5
    assert exports.safe_cell(None) == ""
    assert exports.safe_cell("a=b") == "a=b"


def test_meetings_agree_from_both_sides(cup):
    rows = {(row["bot"], row["opponent"]): row for row in exports.meeting_rows(cup)}
    assert len(rows) == 8
    for (bot, opponent), row in rows.items():
        other = rows[opponent, bot]
        assert row["points"] + other["points"] == 2 * row["games"]


def test_the_whole_is_json_and_keeps_the_secret_until_the_end(cup):
    found = json.loads(exports.whole_json(cup))
    assert found["format"] == exports.FORMAT
    assert found["secrets"][0]["secret"] is None
    assert found["secrets"][0]["commitment"]
    factories.play(cup)
    cup = lifecycle.finish(cup)
    found = json.loads(exports.whole_json(cup))
    assert len(bytes.fromhex(found["secrets"][0]["secret"])) == 32
    assert found["table"] == exports.table_rows(cup)
    assert {row["bot"] for row in found["table"]} >= {EVIL, "Йожик, 7♥"}


def test_every_record_is_there_once_and_replays(cup, monkeypatch):
    monkeypatch.setattr(exports, "_BATCH", 3)
    lines = [json.loads(line) for line in exports.record_lines(cup)]
    assert len(lines) == 4 * cup.games_a_match
    assert len({(line["match"], line["deal"], line["rotation"]) for line in lines}) == len(lines)
    for line in lines:
        verify(GameRecord.from_json(line["record"]))


def test_a_damaged_record_is_told_and_stops_nothing(cup, caplog):
    Game.objects.filter(match__tournament=cup, match__number=1, deal=0, rotation=0).update(record=b"damaged")
    lines = [json.loads(line) for line in exports.record_lines(cup)]
    assert len(lines) == 4 * cup.games_a_match
    [damaged] = [line for line in lines if line["record"] is None]
    assert damaged["error"]
    assert "record_unreadable" in caplog.text


def test_records_of_one_day_of_a_ladder():
    ladder = factories.ladder([factories.bot(), factories.bot()])
    factories.play(ladder)
    day = ladder.secrets.get().day
    assert len(list(exports.record_lines(ladder, day))) == 4
    assert list(exports.record_lines(ladder, day.replace(year=2000))) == []


def test_the_queries_do_not_grow(cup, django_assert_max_num_queries):
    with django_assert_max_num_queries(7):
        exports.whole(cup)
