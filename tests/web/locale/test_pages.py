"""The pages of the documentation that are written in four languages."""

import re

import pytest

from pages import docs
from pages.management import catalogs, po

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")
LANGUAGES = pytest.mark.parametrize("language", catalogs.LANGUAGES)
PAGE = "five-minutes"


def written(language=""):
    return (docs.folder() / f"{PAGE}{language and '.'}{language}.md").read_text()


def blocks(text):
    """The code of a page, without the comments of its shell commands."""
    return [re.sub(r" +# .*", "", code) if not kind else code for kind, code in BLOCK.findall(text)]


def headings(text):
    return [line.split(" ")[0] for line in BLOCK.sub("", text).splitlines() if line.startswith("#")]


@LANGUAGES
def test_the_page_is_served_in_the_readers_language(client, language):
    shown = client.get(f"/docs/{PAGE}/", headers={"accept-language": language}).content.decode()
    assert f'<article class="docs__body" lang="{language}">' in shown


@LANGUAGES
def test_the_page_has_the_code_the_parts_and_the_links_of_the_english_one(language):
    english, other = written(), written(language)
    assert blocks(other) == blocks(english)
    assert headings(other) == headings(english)
    assert re.findall(r"\]\((.*?)\)", other) == re.findall(r"\]\((.*?)\)", english)
    assert re.findall(r"\| `(.*?)` \|", other) == re.findall(r"\| `(.*?)` \|", english)


@LANGUAGES
def test_the_page_calls_buttons_what_the_site_calls_them(language):
    said = {message.id: message.forms[0] for message in po.read(catalogs.source(language))}
    labels = LABEL.findall(BLOCK.sub("", written()))
    assert labels
    assert LABEL.findall(BLOCK.sub("", written(language))) == [said[label].replace("\u00a0", " ") for label in labels]


def test_a_page_without_a_translation_says_that_it_is_english(client):
    shown = client.get("/docs/bot-api/", headers={"accept-language": "pl"}).content.decode()
    assert '<article class="docs__body" lang="en">' in shown
    assert "Ta strona jest napisana po angielsku." in shown
