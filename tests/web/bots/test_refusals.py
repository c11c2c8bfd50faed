"""An upload is refused in the language in which its author reads the site."""

import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.translation import override

from arena import archive
from arena.archive import ArchiveError, read_upload
from bots.refusals import said
from tests.web import factories


def refused(name: str, content: bytes) -> ArchiveError:
    with pytest.raises(ArchiveError) as caught:
        read_upload(name, content)
    return caught.value


def test_every_sentence_of_the_archive_is_marked_for_translators():
    source = Path(archive.__file__).read_text()
    raised = re.findall(r"ArchiveError\((?!ValueError)\s*(\w+)", source)
    assert len(raised) > 30
    assert set(raised) == {"gettext_noop", "sentence"}
    assert len(re.findall(r"sentence = (?!gettext_noop)", source)) == 1  # where the error keeps it


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "The file has 256.0\u00a0KB; one .py file may have 256.0\u00a0KB at most."),
        ("ru", "Размер файла — 256,0\u00a0КБ, а\u00a0один файл .py может занимать не больше 256,0\u00a0КБ."),
        ("pl", "Plik ma 256,0\u00a0KB, a\u00a0jeden plik .py może mieć najwyżej 256,0\u00a0KB."),
        ("uk", "Розмір файла — 256,0\u00a0КБ, а\u00a0один файл .py може мати щонайбільше 256,0\u00a0КБ."),
    ],
)
def test_it_is_said_in_the_readers_language_with_sizes_as_the_site_writes_them(language, words):
    error = refused("bot.py", b"#" * (archive.MAX_SOURCE_BYTES + 1))
    with override(language):
        assert said(error).startswith(words)
    assert str(error).startswith("The file has 256 KB; one .py file may have 256 KB at most.")


def test_a_name_that_looks_like_a_gap_is_a_name():
    assert '"100%(file)s.py"' in said(ArchiveError("%(file)s is in the zip twice; keep one.", file='"100%(file)s.py"'))
    assert said(ArchiveError("100 % of it")) == "100 % of it"


@pytest.mark.django_db
def test_the_form_says_it_beside_its_field(client):
    client.force_login(factories.user())
    shown = client.post(
        reverse("bots:new"),
        {"name": "Mine", "file": SimpleUploadedFile("bot.txt", b"x")},
        headers={"accept-language": "ru"},
    )
    assert shown.status_code == 422
    assert "Загрузите один файл .py" in shown.content.decode()


@pytest.mark.django_db
def test_a_bot_keeps_a_name(client):
    bot = factories.bot()
    client.force_login(bot.owner)
    shown = client.post(reverse("bots:edit", args=[bot.slug]), {"name": "", "description": "kept"})
    assert "Give your bot a name." in shown.content.decode()
    assert "kept" in shown.content.decode()
