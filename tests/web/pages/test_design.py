"""The page of the design system shows all of it."""

import re

import pytest
from django.conf import settings
from django.urls import reverse

from pages import design

pytestmark = pytest.mark.django_db


@pytest.fixture
def shown(client):
    return client.get(reverse("docs:page", args=[design.SLUG])).content.decode()


def shown_blocks(page):
    names = {name for value in re.findall(r'class="([^"]*)"', page) for name in value.split()}
    return {re.split("__|--", name)[0] for name in names}


def test_every_token_is_on_the_page(shown):
    every = design.tokens()
    assert len(every) > 40
    assert [token.name for token in every if f"<code>{token.name}</code>" not in shown] == []


def test_every_rule_of_the_stylesheet_takes_its_colours_from_the_tokens():
    rules = design.COMMENT.sub("", design.source()).split(':root[data-theme="light"]', 1)[1]
    assert re.findall(r":[^;{}]*(?:#[0-9a-f]{3,8}\b|rgb\()[^;]*;", rules.partition("@media print")[0]) == []


def test_every_token_that_a_rule_uses_is_there():
    used = set(re.findall(r"var\((--[\w-]+)[,)]", design.source()))
    assert used - {token.name for token in design.tokens()} == set()


def test_every_component_is_on_the_page_in_both_schemes(shown):
    light, _, dark = shown.partition("scheme--dark")
    components = design.blocks() - design.PAGE_PARTS
    assert len(components) > 50
    assert sorted(components - shown_blocks(light)) == []
    used_below = shown_blocks(shown.partition("scheme--light")[2].partition("scheme--dark")[0])
    assert used_below - shown_blocks(dark) == set()


def test_no_part_of_a_page_is_listed_that_the_stylesheet_has_not():
    assert sorted(design.PAGE_PARTS - design.blocks()) == []


def test_a_colour_has_a_value_by_day_and_one_by_night():
    red = next(token for token in design.tokens() if token.name == "--red")
    assert (red.light, red.dark, red.is_colour) == ("#a3201b", "#f0867a", True)
    shadow = next(token for token in design.tokens() if token.name == "--shadow")
    assert (shadow.light, shadow.dark) == ("rgb(60 45 20 / 0.12)", "rgb(0 0 0 / 0.5)")


def test_the_stylesheet_has_no_class_that_nothing_uses():
    folders = (settings.PLATFORM_DIR, settings.BASE_DIR / "arena/replay/assets")
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".html", ".py", ".js"}]
    used = set(re.findall(r"[a-z][\w-]*", "".join(path.read_text() for path in files)))
    composed = {*(f"heat-{shade}" for shade in range(9)), "scheme--light", "scheme--dark"}
    assert sorted(design.classes() - used - composed) == []
