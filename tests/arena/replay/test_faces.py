"""The deck is what the drawing code draws, and whole."""

import re
from xml.etree import ElementTree as ET

from arena.durak import CARDS
from arena.replay.faces import TARGET, sprite

SYMBOL = "{http://www.w3.org/2000/svg}symbol"


def test_the_sprite_in_the_repository_is_the_one_that_is_drawn():
    assert TARGET.read_text(encoding="utf-8") == sprite(), "run `python -m arena.replay.faces` to draw the deck anew"


def test_every_card_has_a_full_and_a_small_face_and_there_is_a_back():
    names = {symbol.get("id") for symbol in ET.fromstring(sprite()).iter(SYMBOL)}  # noqa: S314 - our own drawing
    assert {f"card-{card}" for card in CARDS} | {f"mini-{card}" for card in CARDS} | {"card-back"} <= names


def test_what_a_drawing_uses_is_drawn():
    text = sprite()
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(re.findall(r'id="([^"]+)"', text))


def test_the_drawing_obeys_a_strict_content_policy():
    text = sprite()
    assert "style=" not in text
    assert "<style" not in text
    assert "<script" not in text
