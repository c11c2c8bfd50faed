"""Worked examples of the rules pages hold on the engine, whatever the ruleset."""

import re

import pytest
from hypothesis import given, settings

from arena.durak import PRESETS
from arena.rulebook import LANGUAGES
from arena.rulebook.examples import EXAMPLES
from arena.rulebook.prose import prose
from tests.arena.durak.strategies import rulesets


def check(example, ruleset):
    for found, (_, expected) in zip(example.legal(ruleset), example.steps, strict=True):
        assert expected is None or found == list(expected), (example.key, ruleset)
    assert example.holds(example.end(ruleset)), (example.key, ruleset)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.key)
def test_an_example_holds_for_every_preset_that_it_belongs_to(example):
    where = [ruleset for ruleset in PRESETS.values() if example.applies(ruleset)]
    assert where
    for ruleset in where:
        check(example, ruleset)


@given(rulesets())
@settings(max_examples=150, deadline=None)
def test_examples_hold_for_any_ruleset_that_they_belong_to(ruleset):
    for example in EXAMPLES:
        if example.applies(ruleset):
            check(example, ruleset)


def test_every_preset_has_enough_of_them():
    for ruleset in PRESETS.values():
        assert sum(example.applies(ruleset) for example in EXAMPLES) >= 7


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.key)
def test_the_prose_speaks_of_cards_that_are_there(example, language):
    raw = prose(language).raw(f"example.{example.key}")
    shown = set(re.findall(r"\{([6789TJQKA][cdhs])\}", raw))
    there = " ".join([*example.hands, str(example.position.get("table", "")), str(example.position.get("talon", ""))])
    assert shown <= set(re.findall(r"[6789TJQKA][cdhs]", there))
    steps = {int(number or 0) for number in re.findall(r"\{legal(?::(\d))?\}", raw)}
    assert all(example.steps[step][1] is not None for step in steps)
