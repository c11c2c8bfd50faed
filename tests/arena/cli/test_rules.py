"""``python -m arena rules``."""

import typer
from typer.testing import CliRunner

from arena.cli.rules import rules
from arena.durak import PRESETS
from arena.rulebook import page


def run(*words, code=0):
    app = typer.Typer()
    app.command()(rules)
    result = CliRunner().invoke(app, list(words), env={"COLUMNS": "160"})
    assert result.exit_code == code, (result.output, result.exception)
    return result


def test_the_page_is_printed_as_it_stands():
    assert run("perevodnoy", "--language", "pl").stdout == page(PRESETS["perevodnoy"], "pl")
    assert run("pairs").stdout == page(PRESETS["pairs"], "en")


def test_without_a_name_rulesets_are_listed_in_the_language():
    text = run("-l", "uk").stdout
    assert all(name in text for name in PRESETS)
    assert "Підкидний дурень" in text


def test_what_there_is_not_is_told_in_a_sentence():
    assert "There is no ruleset bridge" in run("bridge", code=2).stderr
    assert "not in 'de'" in run("pairs", "--language", "de", code=2).stderr
