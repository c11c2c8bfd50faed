"""The catalogs: nothing untranslated, nothing fuzzy, nothing lost on the way, and compiled as they stand."""

import gettext
import re
from pathlib import Path
from typing import Any

import django
import pytest
from django.apps import apps
from django.utils import translation

from arena.replay import ASSETS
from pages.management import catalogs, po

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}|%%")
LANGUAGES = pytest.mark.parametrize("language", catalogs.LANGUAGES)
BOTH = [
    *((language, "source") for language in catalogs.LANGUAGES),
    *((language, "overrides") for language in catalogs.OVERRIDDEN),
]
CATALOGS = pytest.mark.parametrize(
    "path", [getattr(catalogs, kind)(language) for language, kind in BOTH], ids=["-".join(one) for one in BOTH]
)

HARMLESS = {"Accounts", "All", "Edit", "content", "created", "name", "or"}
"""Messages that a package has too and says in another word of the same meaning."""

FORMS = 3
"""Russian, Polish and Ukrainian tell three kinds of whole numbers apart, such as 1, 2 and 5."""


AS_A_LABEL = {"by", "Every move and its time; check it with"}
"""What runs on into the name behind it in English; other languages put a colon, since a name cannot be declined."""


def messages(path):
    return [message for message in po.read(path) if message.id]


def translated(path):
    return [message for message in messages(path) if message.is_translated]


def test_the_languages_are_those_of_the_site():
    assert set(catalogs.LANGUAGES) == {"ru", "pl", "uk"}


@CATALOGS
def test_every_message_is_translated(path):
    assert [message.id for message in messages(path) if not message.is_translated] == []


@CATALOGS
def test_no_translation_is_a_guess(path):
    assert [message.id for message in messages(path) if "fuzzy" in message.flags] == []


@CATALOGS
def test_every_plural_form_is_there(path):
    wrong = [
        message.id
        for message in messages(path)
        if sorted(message.forms) != (list(range(FORMS)) if message.plural else [0])
    ]
    assert wrong == []


@CATALOGS
def test_every_placeholder_is_kept(path):
    for message in translated(path):
        wanted = sorted(PLACEHOLDER.findall(message.plural or message.id))
        for form in message.forms.values():
            assert sorted(PLACEHOLDER.findall(form)) == wanted, f"{message.id!r}: {form!r}"


@CATALOGS
def test_a_translation_begins_and_ends_as_its_message_does(path):
    """A full stop, a colon, an ellipsis and a capital letter are part of what a message is for."""
    for message in translated(path):
        for form in message.forms.values():
            for sign in ".:…":
                kept = form.endswith(sign) == message.id.endswith(sign)
                assert kept or message.id in AS_A_LABEL, f"{message.id!r}: {form!r}"
            if message.id[0].isalpha() and form[0].isalpha() and not message.id[:2].isupper():
                assert form[0].isupper() == message.id[0].isupper(), f"{message.id!r}: {form!r}"


@pytest.mark.parametrize("kind", ["source", "overrides"])
@pytest.mark.parametrize("language", catalogs.SHORT_WORDS)
def test_no_line_can_end_with_a_word_of_one_letter(language, kind):
    """If this fails, run `make messages`: it joins them to the next word."""
    rule = catalogs.SHORT_WORDS[language]
    forms = [form for message in translated(getattr(catalogs, kind)(language)) for form in message.forms.values()]
    assert [form for form in forms if rule.search(form)] == []
    assert any("\u00a0" in form for form in forms)


@CATALOGS
def test_the_compiled_catalog_says_what_the_written_one_says(path):
    """Needs no gettext. If this fails, run `make messages` and commit both files."""
    with catalogs.compiled(path).open("rb") as file:
        made: Any = gettext.GNUTranslations(file)
    said = dict(made._catalog)
    said.pop("")
    written: dict[Any, str] = {}
    for message in translated(path):
        key = message.id if message.context is None else f"{message.context}\x04{message.id}"
        if message.plural:
            written.update({(key, form): text for form, text in message.forms.items()})
        else:
            written[key] = message.forms[0]
    assert said == written


@LANGUAGES
def test_the_catalog_counts_as_its_language_does(language):
    with catalogs.compiled(catalogs.source(language)).open("rb") as file:
        made: Any = gettext.GNUTranslations(file)
    ones = {"pl": [1]}.get(language, [1, 21, 101])
    few, many = [2, 3, 4, 22, 104], [0, 5, 11, 12, 14, 20, 111]
    assert [{made.plural(number) for number in group} for group in (ones, few, many)] == [{0}, {1}, {2}]
    assert made.plural(21) == (2 if language == "pl" else 0)


@LANGUAGES
def test_the_site_reads_the_catalog(language):
    with translation.override(language):
        assert translation.gettext("Leaderboard") != "Leaderboard"
        assert not translation.ngettext("%(counter)s bot", "%(counter)s bots", 5).endswith(("bot", "bots"))


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """The messages of the site as it is now."""
    if lacking := catalogs.missing_programs():
        pytest.skip(f"needs gettext: {', '.join(lacking)} not found; `make services` installs it")
    path = tmp_path_factory.mktemp("messages") / "django.pot"
    catalogs.extract(path)
    return po.read(path)


@LANGUAGES
def test_the_catalog_has_the_messages_of_the_site(language, template):
    """If this fails, run `make messages`, translate what it lists, and run it again."""
    now = {message.key for message in template if message.id}
    known = {message.key for message in messages(catalogs.source(language))}
    assert sorted(key[1] for key in now - known) == []
    assert sorted(key[1] for key in known - now) == []


def packaged(language):
    """What Django and allauth themselves say in a language, by context and text."""
    said = {}
    folders = [Path(django.__file__).parent / "conf", *(Path(config.path) for config in apps.get_app_configs())]
    for place in folders:
        file = place / "locale" / language / "LC_MESSAGES" / "django.po"
        if catalogs.folder() not in file.parents and file.exists():
            said.update({message.key[:2]: message for message in po.read(file)})
    return said


@pytest.mark.parametrize("language", catalogs.OVERRIDDEN)
def test_what_is_said_otherwise_is_said_by_a_package_at_all(language):
    """A package that words its message anew would no longer be overruled."""
    known = packaged(language)
    assert [message.id for message in messages(catalogs.overrides(language)) if message.key[:2] not in known] == []


def test_english_titles_are_written_like_every_other_sentence_of_the_site(client):
    """The packages write Every Word With a Capital."""
    page = client.get("/accounts/login/", headers={"accept-language": "en"}).content.decode()
    assert re.search(r"<h1>\s*Sign in\s*</h1>", page)


@LANGUAGES
def test_a_replay_says_the_same_on_the_command_line_as_on_the_site(language):
    names = {f"{ASSETS.parent.name}/{name}" for name in ("interface.py", "words.py")}
    with catalogs.replays(language).open("rb") as file:
        alone = gettext.GNUTranslations(file)
    said = [message for message in messages(catalogs.source(language)) if names & message.places]
    assert len(said) > 100
    for message in said:
        context, text, _ = message.key
        assert (alone.pgettext(context, text) if context else alone.gettext(text)) == message.forms[0]


@LANGUAGES
def test_no_message_of_ours_changes_what_a_package_says(language):
    """A catalog of the site goes before those of packages: our `May` would be the name of a month in Django."""
    known = packaged(language)
    changed = {
        message.id
        for message in messages(catalogs.source(language))
        if message.key[:2] in known and not message.forms.items() <= known[message.key[:2]].forms.items()
    }
    assert changed <= HARMLESS
