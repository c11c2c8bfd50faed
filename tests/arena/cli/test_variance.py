"""``python -m arena variance``."""

import json

import pytest
import typer
from typer.testing import CliRunner

from arena.cli.variance import variance


def run(*words, code=0):
    app = typer.Typer()
    app.command()(variance)
    result = CliRunner().invoke(app, list(map(str, words)), env={"COLUMNS": "160"})
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def test_a_line_for_each_format():
    text = run("-r", "podkidnoy", "-n", 2, "-n", 3, "-d", 5)
    assert [line.split()[:3] for line in text.splitlines()[1:3]] == [["podkidnoy", "2", "10"], ["podkidnoy", "3", "15"]]
    assert "95 % interval" in text


def test_json_has_every_figure():
    data = json.loads(run("-r", "pairs", "-d", 4, "--seed", 9, "--json"))
    (line,) = data["lines"]
    assert (data["seed"], data["deals"]) == (9, 4)
    assert (line["ruleset"], line["players"], line["games"]) == ("pairs", 4, 16)
    assert line["ratio"] == pytest.approx(line["duplicate"] / line["single"])
    assert line["low"] <= line["high"]
    assert line["removed"] == pytest.approx(1 - line["ratio"])


def test_the_bots_named_are_the_table():
    words = [word for name in ("easy", "lowest", "random") for word in ("-b", name)]
    (line,) = json.loads(run("-r", "podkidnoy", "-d", 3, "--json", *words))["lines"]
    assert line["bots"] == ["easy", "lowest", "random"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-b", "nobody"), "no sample nobody"),
        (("-b", "easy", "-b", "easy"), "each bot once"),
        (("-b", "easy", "-b", "lowest", "-n", 3), "needs 3 bots"),
        (("-r", "whist"), "no ruleset whist"),
        (("-r", "pairs", "-n", 2), "played by four"),
        (("-s", 2**256), "--seed"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(words, told):
    assert told in run(*words, code=2)
