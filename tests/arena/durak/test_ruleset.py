"""Options and presets."""

import ast
import inspect
from dataclasses import FrozenInstanceError, asdict, fields, replace
from itertools import pairwise

import pytest

from arena.durak import PRESETS, Ruleset, RulesetError

# The table of the rules, option by option.
PODKIDNOY = {
    "teams": "none",
    "transfer": False,
    "lead": "single",
    "throw_in_who": "all",
    "throw_in_ranks": "any",
    "throw_in_before_defence": True,
    "throw_in_on_take": True,
    "attack_cap": 6,
    "first_bout_cap": 5,
    "draw_order": "clockwise",
    "first_attacker": "lowest_trump",
    "result": "last_is_fool",
    "stalemate_takes": 40,
    "bout_limit": 500,
}
FIRST_OUT = {
    **PODKIDNOY,
    "first_bout_cap": 6,
    "draw_order": "joining",
    "result": "first_out_wins",
    "stalemate_takes": None,
}
LEAD_RANK = {
    **PODKIDNOY,
    "lead": "group",
    "throw_in_who": "attacker_below_four",
    "throw_in_ranks": "lead_from_four",
    "throw_in_before_defence": False,
    "first_bout_cap": 6,
    "stalemate_takes": None,
}
TABLE = {
    "podkidnoy": PODKIDNOY,
    "perevodnoy": {**PODKIDNOY, "transfer": True},
    "podkidnoy-first-out": FIRST_OUT,
    "perevodnoy-first-out": {**FIRST_OUT, "transfer": True},
    "podkidnoy-lead-rank": LEAD_RANK,
    "perevodnoy-lead-rank": {**LEAD_RANK, "transfer": True},
    "pairs": {**LEAD_RANK, "teams": "pairs"},
}


def test_the_presets_are_those_of_the_table():
    assert {name: preset.options() for name, preset in PRESETS.items()} == TABLE
    assert all(preset.name == name for name, preset in PRESETS.items())


def test_presets_cannot_be_added():
    with pytest.raises(TypeError):
        PRESETS["mine"] = Ruleset()  # type: ignore[index]


def test_how_many_play():
    assert all(list(PRESETS[name].players) == [2, 3, 4, 5, 6] for name in TABLE if name != "pairs")
    assert list(PRESETS["pairs"].players) == [4]


def test_a_preset_is_varied_with_replace():
    varied = replace(PRESETS["podkidnoy"], transfer=True, throw_in_who="neighbours")
    assert (varied.transfer, varied.throw_in_who, varied.lead) == (True, "neighbours", "single")


def test_a_varied_preset_loses_its_name():
    assert replace(PRESETS["podkidnoy"], transfer=True).name == "custom"
    assert replace(PRESETS["podkidnoy"], transfer=True, name="house rules").name == "house rules"
    assert replace(PRESETS["podkidnoy"], transfer=False).name == "podkidnoy"


def test_a_ruleset_is_frozen():
    with pytest.raises(FrozenInstanceError):
        PRESETS["podkidnoy"].transfer = True  # type: ignore[misc]


def test_json_round_trip():
    for preset in PRESETS.values():
        assert Ruleset.from_json(preset.to_json()) == preset
        assert preset.to_json() == {"name": preset.name, **TABLE[preset.name]}


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("teams", "threes", "teams is one of none, pairs, not 'threes'"),
        ("teams", None, "teams is one of none, pairs, not None"),
        ("lead", ["group"], "lead is one of single, group, not"),
        ("transfer", 1, "transfer is True or False, not 1"),
        ("transfer", "yes", "transfer is True or False, not 'yes'"),
        ("throw_in_before_defence", None, "throw_in_before_defence is True or False, not None"),
        ("throw_in_on_take", 0, "throw_in_on_take is True or False, not 0"),
        ("throw_in_who", "defender", "throw_in_who is one of all, neighbours, attacker, attacker_below_four, not"),
        ("throw_in_ranks", "", "throw_in_ranks is one of any, lead, lead_from_four, not ''"),
        ("draw_order", "random", "draw_order is one of clockwise, joining, not"),
        ("first_attacker", "seat0", "first_attacker is one of lowest_trump, left_of_dealer, not"),
        ("result", "points", "result is one of last_is_fool, first_out_wins, not"),
        ("attack_cap", 0, "attack_cap is a whole number from 1 to 36, not 0"),
        ("attack_cap", 37, "attack_cap is a whole number from 1 to 36, not 37"),
        ("attack_cap", True, "attack_cap is a whole number from 1 to 36, not True"),
        ("attack_cap", None, "attack_cap is a whole number from 1 to 36, not None"),
        ("first_bout_cap", 5.0, "first_bout_cap is a whole number from 1 to 36, not 5.0"),
        ("stalemate_takes", 0, "stalemate_takes is a whole number from 1 to 10000 or None, not 0"),
        ("stalemate_takes", "none", "stalemate_takes is a whole number from 1 to 10000 or None, not 'none'"),
        ("bout_limit", None, "bout_limit is a whole number from 1 to 10000, not None"),
        ("bout_limit", 10_001, "bout_limit is a whole number from 1 to 10000, not 10001"),
        ("name", "", "name is a text of 1 to 80 characters"),
        ("name", "x" * 81, "name is a text of 1 to 80 characters"),
        ("name", None, "name is a text of 1 to 80 characters"),
    ],
)
def test_a_value_that_an_option_does_not_have_is_refused(option, value, sentence):
    with pytest.raises(RulesetError) as error:
        replace(PRESETS["podkidnoy"], **{option: value})
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize("value", [1, 36])
def test_the_ends_of_a_range_are_allowed(value):
    assert replace(PRESETS["podkidnoy"], attack_cap=value, first_bout_cap=value).attack_cap == value
    assert replace(PRESETS["podkidnoy"], name="x" * 80).name == "x" * 80
    assert replace(PRESETS["podkidnoy"], name="x").name == "x"


def test_every_number_is_looked_at_where_there_is_no_stalemate():
    with pytest.raises(RulesetError, match="bout_limit is a whole number from 1 to 10000, not 0"):
        replace(PRESETS["podkidnoy-first-out"], bout_limit=0)


def test_json_that_is_no_ruleset_is_refused():
    whole = PRESETS["podkidnoy"].to_json()
    with pytest.raises(RulesetError, match="A ruleset is an object"):
        Ruleset.from_json([whole])
    with pytest.raises(RulesetError, match="The ruleset lacks lead, result"):
        Ruleset.from_json({key: value for key, value in whole.items() if key not in ("lead", "result")})
    with pytest.raises(RulesetError, match="A ruleset has no option 'jokers'"):
        Ruleset.from_json({**whole, "jokers": 2})
    with pytest.raises(RulesetError, match=f"A ruleset has no option '{'x' * 40}'$"):
        Ruleset.from_json({**whole, "x" * 50: 2})
    with pytest.raises(RulesetError, match="teams is one of"):
        Ruleset.from_json({**whole, "teams": 7})


def test_every_option_is_documented():
    """Each field has its own docstring: that is what the pages of the rules are made from."""
    (found,) = ast.parse(inspect.getsource(Ruleset)).body
    assert isinstance(found, ast.ClassDef)
    documented = [
        ast.unparse(first.target)
        for first, second in pairwise(found.body)
        if isinstance(first, ast.AnnAssign) and isinstance(second, ast.Expr)
    ]
    assert documented == [field.name for field in fields(Ruleset)] == list(asdict(Ruleset()))
