"""The sentences of a replay in the languages of the site, without the site."""

from __future__ import annotations

import gettext
from pathlib import Path
from typing import Final

from arena.replay.words import Words

LANGUAGES: Final = ("en", "ru", "pl", "uk")
"""The codes of the languages; what is not translated stays in English."""

_LOCALE: Final = Path(__file__).resolve().parent / "locale"


def words_in(language: str) -> Words:
    """The sentences in one of `LANGUAGES`. Raises ValueError for any other."""
    if language not in LANGUAGES:
        raise ValueError(f"Replays speak {', '.join(LANGUAGES)}, not {language}.")
    if language == "en":
        return Words()
    found = gettext.translation("replay", _LOCALE, [language])
    return Words(found.gettext, found.ngettext, found.pgettext, language)
