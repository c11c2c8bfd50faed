"""The reference of what a bot imports, as Markdown, made from the docstrings.

    python -m arena.reference docs/bot-reference.md

What a class says about itself stands in its source: its docstring, the text below each field, the docstrings of its
public methods. Read from the syntax tree, since Python keeps no text of a field at run time.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bot import Bot, GameInfo, View
from arena.durak import Card, Ending, Event, EventKind, Game, Move, MoveKind, Outcome, Ruleset
from arena.durak._state import State

SECTIONS: Sequence[tuple[str, type, Sequence[type]]] = (
    ("Bot", Bot, ()),
    ("GameInfo", GameInfo, ()),
    ("View", View, ()),
    ("Card", Card, ()),
    ("Move", Move, ()),
    ("MoveKind", MoveKind, ()),
    ("Event", Event, ()),
    ("EventKind", EventKind, ()),
    ("Game", Game, (State,)),
    ("Outcome", Outcome, ()),
    ("Ending", Ending, ()),
    ("Ruleset", Ruleset, ()),
)
"""The classes with their names, and those whose members count as theirs."""

IMPORTED_FROM = {"Bot": "arena", "GameInfo": "arena", "View": "arena", "Card": "arena", "Move": "arena"}

HEAD = """\
# Bot reference

Every public field and method of what a bot works with, from the docstrings of the code: `python -m arena.reference`
makes this page. [Bot API](bot-api.md) tells the same as a whole, with examples.

`Bot`, `GameInfo`, `View`, `Card` and `Move` come from `arena`, everything else from `arena.durak`.
"""

_KEPT = {"__init__", "__str__", "__call__"}


@dataclass(frozen=True)
class Member:
    """A field, a property or a method."""

    signature: str
    text: str


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for name, described, bases in SECTIONS:
        source = IMPORTED_FROM.get(name, "arena.durak")
        parts.append(f"## {name}\n\n`from {source} import {name}`\n\n{_prose(inspect.getdoc(described) or '')}\n")
        members = [member for kind in (described, *bases) for member in _members(kind)]
        if members:
            parts.append("".join(f"- `{member.signature}`{_after(member.text)}\n" for member in members))
    return "\n".join(parts)


def _members(described: type) -> Iterator[Member]:
    """The public members of a class, in the order of its source."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(described)))
    (body,) = [node.body for node in tree.body if isinstance(node, ast.ClassDef)]
    for number, node in enumerate(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if not node.target.id.startswith("_"):
                default = "" if node.value is None else f" = {ast.unparse(node.value)}"
                yield Member(f"{node.target.id}: {ast.unparse(node.annotation)}{default}", _below(body, number))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if not name.startswith("_"):
                yield Member(f"{name} = {ast.unparse(node.value)}", _below(body, number))
        elif isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name in _KEPT):
            text = ast.get_docstring(node) or ""
            if text or node.name not in _KEPT:
                yield Member(_signature(node), text)


def _signature(node: ast.FunctionDef) -> str:
    marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
    returns = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    if "property" in marks:
        return f"{node.name}{returns.replace(' -> ', ': ')}"
    arguments = node.args
    if "staticmethod" not in marks and arguments.args:
        arguments = ast.arguments(
            posonlyargs=arguments.posonlyargs,
            args=arguments.args[1:],
            vararg=arguments.vararg,
            kwonlyargs=arguments.kwonlyargs,
            kw_defaults=arguments.kw_defaults,
            kwarg=arguments.kwarg,
            defaults=arguments.defaults,
        )
    return f"{node.name}({ast.unparse(arguments)}){returns}"


def _below(body: Sequence[ast.stmt], number: int) -> str:
    """The text that stands below a field."""
    if number + 1 < len(body):
        node = body[number + 1]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return inspect.cleandoc(node.value.value)
    return ""


def _prose(text: str) -> str:
    """A docstring as Markdown: marks of other tools go, paragraphs stay."""
    return re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text.replace("``", "`"))


def _after(text: str) -> str:
    """The text of a member on the line of its signature."""
    return f": {' '.join(_prose(text).split())}" if text else ""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the file to write: python -m arena.reference docs/bot-reference.md")
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
