"""One notation a language: the rules, the sentences of a replay and the faces of the cards write a rank alike."""

import re
from xml.etree import ElementTree as ET

import pytest

from arena import rulebook
from arena.durak import CARDS, PRESETS, RANKS
from arena.letters import WRITTEN
from arena.replay import languages
from arena.replay.faces import sprite
from arena.replay.frames import frames
from arena.rulebook.prose import prose
from tests.arena.replay.played import record

SYMBOL = "{http://www.w3.org/2000/svg}symbol"
PLAYERS_WRITE = {"en": "J Q K A", "ru": "В Д К Т", "pl": "W D K A", "uk": "В Д К Т"}
"""As the pages of the rules tell it; spelt out here so that no table is held against itself."""


def test_there_are_letters_for_every_language():
    assert set(rulebook.LANGUAGES) == set(languages.LANGUAGES) == WRITTEN.keys()


@pytest.mark.parametrize("language", WRITTEN)
def test_rules_and_replay_write_a_card_alike(language):
    shown = frames(record(2), words=languages.words_in(language))["ranks"]
    assert [shown[rank] for rank in RANKS] == ["6", "7", "8", "9", "10", *PLAYERS_WRITE[language].split()]
    words = prose(language)
    assert [words.card(str(card))[:-1] for card in CARDS] == [shown[card.rank] for card in CARDS]
    assert f"6 7 8 9 10 {PLAYERS_WRITE[language]}" in rulebook.page(PRESETS["podkidnoy"], language)


@pytest.mark.parametrize("language", WRITTEN)
def test_every_letter_is_drawn(language):
    drawn = {symbol.get("id") for symbol in ET.fromstring(sprite()).iter(SYMBOL)}  # noqa: S314 - our own drawing
    assert {f"rank-{written}" for written in WRITTEN[language].values()} <= drawn


def test_only_the_ranks_that_the_viewer_changes_differ_between_languages():
    for written in WRITTEN.values():
        assert {rank for rank in RANKS if written[rank] != WRITTEN["en"][rank]} <= set("JQKA")


def test_a_letter_of_one_language_fits_where_that_of_another_stood():
    boxes = dict(re.findall(r'<symbol id="rank-([^"]+)" viewBox="([^"]+)"', sprite()))
    assert {boxes[written[rank]] for written in WRITTEN.values() for rank in "JQKA"} == {boxes["J"]}


def test_records_are_written_alike_everywhere():
    told = [frames(record(3), words=languages.words_in(language))["notation"] for language in WRITTEN]
    assert all(moves == told[0] for moves in told)
    assert not re.search(r"[ВДКТW]", "".join(told[0]))
