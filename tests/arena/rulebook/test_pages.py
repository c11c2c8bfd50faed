"""Rules pages: complete in every language, and saying what the engine plays."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import product
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings

from arena.durak import PRESETS, Ruleset
from arena.rulebook import LANGUAGES, RulebookError, page, title
from arena.rulebook.__main__ import write_pages
from arena.rulebook.examples import EXAMPLES
from arena.rulebook.prose import prose
from arena.rulebook.rules import option_key, pieces
from tests.arena.durak.strategies import rulesets

DOCS = Path(__file__).parents[3] / "docs" / "rules"
CARD = re.compile(r"\{[6789TJQKA][cdhs]\}")
ALWAYS = {"h.examples", "h.notation", "notation", "h.ours", "ours.note", "ours", "language"}
MOVES = {"move.lay", "move.beat", "move.transfer", "move.take", "move.pass"}


def option_values() -> Iterator[tuple[str, Any]]:
    """Every option with each of its values; numbers have one sentence, with the number in it."""
    hints = get_type_hints(Ruleset)
    for field in fields(Ruleset):
        if field.name == "name":
            continue
        choices: list[Any] = [choice for choice in get_args(hints[field.name]) if isinstance(choice, str)]
        if field.name == "stalemate_takes":
            choices = [None, 40]
        elif hints[field.name] is bool:
            choices = [True, False]
        elif hints[field.name] is int:
            choices = [5]
        for choice in choices:
            yield field.name, choice


def varied():
    """A ruleset for each option value, for pairs and not, with transfers and without."""
    for (option, value), teams, transfer in product(option_values(), ("none", "pairs"), (False, True)):
        yield option, replace(PRESETS["podkidnoy"], **{"teams": teams, "transfer": transfer, option: value})


def sentences(ruleset):
    return [key for heading, keys in pieces(ruleset) for key in [heading, *keys]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_value_has_a_sentence(language):
    words = prose(language)
    for option, ruleset in varied():
        keys = sentences(ruleset)
        assert all(key in words for key in keys)
        if option in {"attack_cap", "first_bout_cap"}:
            assert any(key.startswith("cap") for key in keys)
        elif option == "bout_limit":
            assert "bout_limit" in keys
        else:
            assert option_key(ruleset, option) in keys, (option, ruleset)


@pytest.mark.parametrize("option", [name for name, _ in option_values()])
def test_another_value_makes_another_page(option):
    values = [value for name, value in option_values() if name == option] + (
        [7] if option in {"attack_cap", "first_bout_cap", "bout_limit"} else []
    )
    base = PRESETS["perevodnoy-first-out"]
    pages = {page(replace(base, name="custom", **{option: value}), "en") for value in values}
    assert len(pages) == len(values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_piece_is_left_over(language):
    used = ALWAYS | MOVES | {f"example.{example.key}" for example in EXAMPLES}
    for name in [*PRESETS, "custom"]:
        used |= {f"title.{name}", f"lead-in.{name}"}
    for _, ruleset in varied():
        used |= set(sentences(ruleset))
    assert prose(language).keys() == used


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_languages_say_the_same_things(language):
    english, other = prose("en"), prose(language)
    assert english.keys() == other.keys()
    for key in sorted(english.keys()):
        ours, theirs = english.raw(key), other.raw(key)
        for pattern in (CARD, re.compile(r"\{legal(?::\d)?\}"), re.compile(r"\{(\w+)[|}]"), re.compile(r"\[/?ours\]")):
            assert Counter(pattern.findall(ours)) == Counter(pattern.findall(theirs)), key
        assert set(re.findall(r"`[^`]+`", ours)) <= set(re.findall(r"`[^`]+`", theirs)), key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_a_page(name, language):
    text = page(PRESETS[name], language)
    assert text.startswith(f"# {title(PRESETS[name], language)}\n")
    assert not re.search(r"[{}\[\]|]|None", text)
    assert text.count("\n## ") == len(re.findall(r"^## \S.*$", text, flags=re.MULTILINE))
    assert text.count(f"*({prose(language).text('ours')})*") >= 5
    assert "  " not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_tell_presets_apart(language):
    assert len({title(ruleset, language) for ruleset in PRESETS.values()}) == len(PRESETS)


def test_a_language_is_written_in_its_own_letters():
    for language, letters in (("ru", "ыэё"), ("pl", "ąęśż"), ("uk", "іїє")):
        text = page(PRESETS["perevodnoy"], language)
        assert all(letter in text for letter in letters)
    assert not re.search(r"[ыэёъ]", page(PRESETS["perevodnoy"], "uk"))
    assert not re.search(r"[іїєґ]", page(PRESETS["perevodnoy"], "ru"))


def test_cards_are_named_as_players_of_the_language_name_them():
    assert [prose(language).card("Jh") for language in LANGUAGES] == ["J♥", "В♥", "W♥", "В♥"]
    assert [prose(language).card("Ts") for language in LANGUAGES] == ["10♠"] * 4
    assert [prose(language).card("Ad") for language in LANGUAGES] == ["A♦", "Т♦", "A♦", "Т♦"]


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", {1: "1 attack card", 2: "2 attack cards", 21: "21 attack cards"}),
        ("ru", {1: "1 карты", 2: "2 карт", 5: "5 карт", 11: "11 карт", 21: "21 карты"}),
        ("pl", {1: "1 karta", 2: "2 karty", 5: "5 kart", 12: "12 kart", 21: "21 kart", 22: "22 karty"}),
        ("uk", {1: "1 карта", 2: "2 карти", 5: "5 карт", 12: "12 карт", 21: "21 карта", 22: "22 карти"}),
    ],
)
def test_words_agree_with_their_numbers(language, forms):
    for number, form in forms.items():
        text = page(replace(PRESETS["podkidnoy"], name="custom", attack_cap=number, first_bout_cap=number), language)
        assert re.search(rf"\b{form}\b", text)


def test_a_ruleset_of_ones_own_bears_its_name():
    own = replace(PRESETS["podkidnoy"], name="Club evening", transfer=True, attack_cap=5)
    assert title(own, "en") == "Durak by rules of your own: Club evening"
    assert "at most 5 attack cards" in page(own, "en")
    assert title(replace(own, name="custom"), "en") == "Durak by rules of your own"


def test_an_unknown_language_is_refused():
    for make in (page, title):
        with pytest.raises(RulebookError, match="in en, ru, pl, uk, not in 'de'"):
            make(PRESETS["podkidnoy"], "de")


def test_the_pages_in_docs_are_fresh(tmp_path):
    write_pages(tmp_path)
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md") if path.name != "README.md"}
    assert made == kept, "Run: python -m arena.rulebook docs/rules"
    assert len(made) == len(PRESETS) * len(LANGUAGES)
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(([\w-]+(?:\.\w\w)?\.md)\)", index)) == set(made)


def test_a_very_short_game_has_a_page_too():
    assert "After 1 bout the game ends" in page(replace(PRESETS["podkidnoy"], bout_limit=1, stalemate_takes=1), "en")


@given(rulesets())
@settings(max_examples=60, deadline=None)
def test_any_ruleset_has_a_page(ruleset):
    for language in LANGUAGES:
        text = page(ruleset, language)
        assert not re.search(r"[{}\[\]|]", text)
