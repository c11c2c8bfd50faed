"""Names that people give, and the addresses made from them."""

import unicodedata
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

# Marks that turn the direction of the text around them: a name with one would reorder the line it stands in.
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_LETTERS = str.maketrans(
    dict(zip("абвгґдезиіїйклмнопрстуфыэў", "abvggdeziiiyklmnoprstufyeu", strict=True))
    | {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ё": "yo", "ю": "yu", "я": "ya", "є": "ye"}
    | {"ь": "", "ъ": "", "ł": "l", "ß": "ss", "ø": "o", "đ": "d"}
)

RESERVED_SLUGS = frozenset({"new", "mine", "compare", "ladder", "all", "search"})
"""Addresses that pages of their own have, or may want."""


def validate_name(name: str) -> None:
    """Refuse a name that could not stand in a table: with control characters, or marks of direction.

    Raises:
        ValidationError: with a sentence for who gave the name.
    """
    if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in name):
        raise ValidationError(_("The name has a control character or a line break in it. Please leave it out."))
    if set(name) & _DIRECTION_MARKS:
        raise ValidationError(_("The name has an invisible mark of text direction in it. Please leave it out."))
    if not any(unicodedata.category(character)[0] in "LNSP" for character in name):
        raise ValidationError(_("The name has nothing in it that could be seen."))


def free_slug(taken: QuerySet[Any], name: str, fallback: str) -> str:
    """An address made from a name, in plain letters, that no row of `taken` has.

    Somebody may take it before the caller does; the database then refuses, and the caller asks again.

    Args:
        fallback: what to make it from where the name has no letter that can be written in Latin.
    """
    base = slugify(name.lower().translate(_LETTERS))[:60].strip("-_") or fallback
    used = set(taken.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED_SLUGS
    if base not in used and not base.isdecimal():
        return base
    number = 2
    while f"{base}-{number}" in used:
        number += 1
    return f"{base}-{number}"
