"""CSV that is safe to open in a spreadsheet.

A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@` (or their full-width forms), a tab or a line end for a
formula, and a formula can send what stands beside it elsewhere. Names are chosen by strangers, so such a text gets an
apostrophe in front, which spreadsheets hide. Numbers are written as numbers, whatever their sign.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_FORMULA = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
BOM = "\ufeff"
"""Goes first: without it spreadsheets read names that are not English as another alphabet."""


def safe(value: Any) -> Any:
    """A value as it may stand in a cell: None as nothing, a text so that it can be no formula, lists joined."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        value = str(value)
    if not isinstance(value, str):
        return value
    text = "".join(" " if unicodedata.category(letter) in {"Cc", "Zl", "Zp"} else letter for letter in value)
    starts = {value[:1], value.lstrip()[:1]}
    return f"'{text}" if starts & _FORMULA else text


def lines(rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """The rows as lines of CSV, made one at a time; the byte order mark stands before the first."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    buffer.write(BOM)
    for row in rows:
        writer.writerow([safe(value) for value in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
