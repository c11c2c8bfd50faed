"""``python -m arena study``."""

import json

import pytest
import typer
from typer.testing import CliRunner

from arena.cli.study import study
from arena.study import Comparison


def run(*words, code=0):
    app = typer.Typer()
    app.command()(study)
    result = CliRunner().invoke(app, list(map(str, words)), env={"COLUMNS": "160"})
    assert result.exit_code == code, (result.output, result.exception)
    return result.stdout


def test_both_tables_stand_side_by_side():
    text = run("--scale", 0.1)
    assert "2 players, 300 games here and 3000 there" in text
    assert text.count("fool with 0 trumps dealt") == 3
    assert text.count("agrees") == 6
    assert "DIFFERS" not in text


def test_json_has_every_figure_with_its_error():
    data = json.loads(run("--scale", 0.1, "--seed", 5, "--json"))
    assert data["seed"] == 5
    assert data["agrees"] is True
    assert [table["players"] for table in data["tables"]] == [2, 3, 4]
    for table in data["tables"]:
        assert table["fool_with_trumps"]["0"]["error"] > 0
        assert {c["figure"] for c in table["comparisons"] if c["judged"]} == {
            "fool with 0 trumps dealt",
            "fool with 3 trumps dealt",
        }


def test_habits_of_the_bot_can_be_changed():
    usual, greedy = (
        json.loads(run("--scale", 0.05, "--json", *words, code=code))["tables"][0]["bouts"]["value"]
        for words, code in (((), 0), (("--takes", 0.8, "--declines", 0.9, "--each-card"), 0))
    )
    assert greedy > usual + 5


def test_what_is_not_a_number_is_null():
    data = json.loads(run("--scale", 0.001, "--json", code=1), parse_constant=lambda name: pytest.fail(name))
    assert None in [c["apart"] for table in data["tables"] for c in table["comparisons"] if c["judged"]]


def test_a_table_that_differs_is_an_exit_code(monkeypatch):
    monkeypatch.setattr(Comparison, "agrees", False)
    assert "DIFFERS" in run("--scale", 0.01, code=1)


def test_a_scale_of_nothing_is_refused():
    run("--scale", 0, code=2)
