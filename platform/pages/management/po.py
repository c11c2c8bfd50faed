"""Reads a catalog of translations (a .po file as GNU gettext writes it), so that it can be checked without gettext."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d+)\])? )?(".*")')


@dataclass
class Message:
    """One message and its translation."""

    id: str = ""
    context: str | None = None
    plural: str | None = None
    """The English plural; None for a message without a number."""
    forms: dict[int, str] = field(default_factory=dict)
    """The translation by the number of its plural form; 0 alone for a message without a number."""
    flags: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    """The sources that say it."""

    @property
    def key(self) -> tuple[str | None, str, str | None]:
        """What makes it this message: context, text, plural."""
        return self.context, self.id, self.plural

    @property
    def is_translated(self) -> bool:
        """Whether every form says something."""
        return bool(self.forms) and all(self.forms.values())


def read(path: Path) -> list[Message]:
    """The messages of a catalog, with the header first (the message with an empty text).

    Raises:
        ValueError: the file is no catalog; the sentence names the line.
    """
    return [message for block in _blocks(path) if (message := _message(path, block)) is not None]


def _blocks(path: Path) -> Iterator[list[tuple[int, str]]]:
    """The lines of each message with their numbers: an empty line ends one."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _message(path: Path, block: list[tuple[int, str]]) -> Message | None:
    message, seen, part, form = Message(), False, "", 0
    for number, line in block:
        if line.startswith("#"):
            if line.startswith("#,"):
                message.flags |= {flag.strip() for flag in line[2:].split(",")}
            elif line.startswith("#:"):
                message.places |= set(line[2:].split())
            continue
        found = _LINE.fullmatch(line)
        if not found or not (found[1] or part):
            raise ValueError(f"{path.name}, line {number}: this is no line of a catalog: {line}")
        seen, part, form = True, found[1] or part, int(found[2] or 0) if found[1] else form
        text = ast.literal_eval(found[3])
        if part == "msgctxt":
            message.context = (message.context or "") + text
        elif part == "msgid":
            message.id += text
        elif part == "msgid_plural":
            message.plural = (message.plural or "") + text
        else:
            message.forms[form] = message.forms.get(form, "") + text
    return message if seen else None
