"""The reader of catalogs."""

import pytest

from pages.management import po

CATALOG = """msgid ""
msgstr ""
"Language: ru\\n"

#: a.py
#, python-format, fuzzy
msgctxt "card"
msgid "one \\"%(a)s\\""
msgid_plural "many "
"of them"
msgstr[0] "раз"
msgstr[1] "два"

# Nothing but a comment.

msgid "last"
msgstr ""

"""


def test_a_catalog_is_read(tmp_path):
    (tmp_path / "django.po").write_text(CATALOG)
    header, plural, last = po.read(tmp_path / "django.po")
    assert (header.id, header.forms) == ("", {0: "Language: ru\n"})
    assert plural.key == ("card", 'one "%(a)s"', "many of them")
    assert (plural.forms, sorted(plural.flags)) == ({0: "раз", 1: "два"}, ["fuzzy", "python-format"])
    assert plural.places == {"a.py"}
    assert (plural.is_translated, last.is_translated) == (True, False)


@pytest.mark.parametrize("line", ["msgnot 'x'", '"out of place"', "msgid unquoted"])
def test_a_line_that_is_none_is_named(tmp_path, line):
    (tmp_path / "django.po").write_text(f"\n{line}\n")
    with pytest.raises(ValueError, match=r"django\.po, line 2"):
        po.read(tmp_path / "django.po")
