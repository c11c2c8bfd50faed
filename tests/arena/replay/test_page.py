"""A replay in one file: whole, closed to every network, and safe whatever a bot is called."""

import json
import re
from html.parser import HTMLParser

import pytest

from arena.replay import ASSETS
from arena.replay.frames import frames
from arena.replay.languages import LANGUAGES, words_in
from arena.replay.page import bundle, make_page
from tests.arena.replay.played import record

TOP_LEVEL = re.compile(r"^(?:async )?(?:export )?(?:function|class|const|let) (\w+)", re.MULTILINE)


class Parts(HTMLParser):
    """What stands in the elements of a page, by their id or name."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.parts, self._open, self.tags = {}, None, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._open = dict(attributes).get("id") or tag

    def handle_data(self, data):
        self.parts[self._open] = self.parts.get(self._open, "") + data

    def handle_endtag(self, tag):  # noqa: ARG002 - the signature is its
        self._open = None


def test_the_page_holds_the_frames_the_deck_and_the_viewer():
    made = frames(record(3))
    parts = Parts(make_page(made)).parts
    assert json.loads(parts["told"]) == json.loads(json.dumps(made))
    assert parts["deck"] == (ASSETS / "cards.svg").read_text()
    assert "mount(document.getElementById" in parts["script"]


def test_nothing_of_the_page_comes_from_anywhere_else():
    page = Parts(make_page(frames(record(2))))
    assert {tag for tag, _ in page.tags} >= {"style", "script", "main"}
    assert [attributes for _, attributes in page.tags if {"src", "href"} & attributes.keys()] == []
    assert "import" not in re.sub(r"//.*|/\*.*?\*/", "", page.parts["script"], flags=re.DOTALL).split()
    policy = next(attributes["content"] for _, attributes in page.tags if "http-equiv" in attributes)
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_a_name_cannot_end_the_script_that_holds_it():
    made = frames(record(2))
    made["seats"][0]["name"] = "</script><script>alert(1)</script><!--"
    page = Parts(make_page(made))
    assert json.loads(page.parts["told"])["seats"][0]["name"] == made["seats"][0]["name"]
    assert [tag for tag, _ in page.tags].count("script") == 3


def test_names_of_modules_do_not_meet_when_they_become_one():
    names = TOP_LEVEL.findall(bundle())
    assert len(names) > 40
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_replay_speaks_each_language(language):
    text = frames(record(2), words=words_in(language))["text"]["play"]
    assert {"en": "Play", "ru": "Пуск", "pl": "Odtwórz", "uk": "Пуск"}[language] == text


def test_a_language_that_it_does_not_speak_is_refused():
    with pytest.raises(ValueError, match="en, ru, pl, uk, not de"):
        words_in("de")
