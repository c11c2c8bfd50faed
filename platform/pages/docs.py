"""The documentation: Markdown files of the repository's `docs/`, shown as pages.

One source serves the repository and the site: links between files (`[ratings](ratings.md)`) become links between pages.
Markdown is rendered without raw HTML, so that a page can hold no markup but its own.
"""

import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from arena.durak import PRESETS

SECTIONS: Sequence[tuple[Any, Sequence[str]]] = (
    (gettext_lazy("Start"), ("five-minutes", "samples", "thinking", "testing")),
    (
        gettext_lazy("Reference"),
        ("bot-api", "bot-reference", "limits-and-failures", "wire-format", "api", "changelog"),
    ),
    (gettext_lazy("Rules"), tuple(f"rules/{name}" for name in PRESETS)),
    (gettext_lazy("How the arena judges"), ("fair-deals", "ratings", "study")),
    (
        gettext_lazy("Running a site"),
        (
            "first-competition",
            "organising",
            "operations",
            "monitoring",
            "capacity",
            "moderation",
            "disaster-recovery",
            "upgrading",
            "security",
            "threat-model",
            "settings",
        ),
    ),
    (gettext_lazy("How it is made"), ("design-system",)),
)
"""Sections of the index and the pages they name, in reading order. Files they do not name follow by folder."""

PICTURE = re.compile(r"(?:\.\./)?images/([a-z-]+\.png)")
LANGUAGE = re.compile(r"\.[a-z]{2}$")
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LONGEST = 100
"""A longer slug is no page's. To look for a file of whatever name would fail where no file may be called so."""
SHORT_CODE = 20
"""Signs of a word of code that a line of a phone holds whole."""


@dataclass(frozen=True)
class Heading:
    """A second-level heading of a page: its anchor and its words."""

    anchor: str
    text: str


@dataclass(frozen=True)
class Document:
    """A page of the documentation, rendered."""

    slug: str
    title: str
    language: str
    """Which language it is written in: the reader's, or English where there is no translation."""
    summary: str
    """The first paragraph as plain text, for the index and search engines."""
    html: SafeString
    headings: Sequence[Heading]


@dataclass(frozen=True)
class Section:
    """A part of the index."""

    title: str
    pages: Sequence[Document]


def folder() -> Path:
    """Where the Markdown files are."""
    return Path(settings.BASE_DIR) / "docs"


def slugs() -> list[str]:
    """The slugs of all pages: a file's path without its ending. Names such as README make no page."""
    found = []
    for path in sorted(folder().rglob("*.md")):
        parts = path.relative_to(folder()).with_suffix("").parts
        if len(parts) <= 2 and all(NAME.fullmatch(part) for part in parts):
            found.append("/".join(parts))
    return found


def load(slug: str, language: str | None = None) -> Document | None:
    """The page with a slug, in the reader's language where it is written in it; None where there is no such page."""
    parts = slug.split("/")
    if len(slug) > LONGEST or len(parts) > 2 or not all(NAME.fullmatch(part) for part in parts):
        return None
    chosen = (language or get_language() or "en").partition("-")[0]
    for name, written in ((f"{slug}.{chosen}.md", chosen), (f"{slug}.md", "en")):
        path = folder() / name
        if path.is_file():
            return render(slug, written, path, path.stat().st_mtime_ns)
    return None


def sections() -> list[Section]:
    """The index: the named sections, then one for each folder, then the rest."""
    left = slugs()
    result = []
    for title, named in SECTIONS:
        pages = [page for slug in named if slug in left and (page := load(slug))]
        left = [slug for slug in left if slug not in named]
        if pages:
            result.append(Section(str(title), pages))
    folders = sorted({slug.partition("/")[0] for slug in left if "/" in slug})
    for name in folders:
        pages = [page for slug in left if slug.startswith(f"{name}/") and (page := load(slug))]
        result.append(Section(name.replace("-", " ").capitalize(), pages))
    rest = [page for slug in left if "/" not in slug and (page := load(slug))]
    if rest:
        result.append(Section(str(gettext_lazy("More")), rest))
    return result


@lru_cache(maxsize=256)
def render(slug: str, language: str, path: Path, changed: int) -> Document:  # noqa: ARG001 - an edited file is another key
    """Render one file. Cached until the file changes."""
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False, "xhtmlOut": False}).enable("table")
    markdown.add_render_rule("table_open", open_table)
    markdown.add_render_rule("table_close", close_table)
    markdown.add_render_rule("fence", code)
    markdown.add_render_rule("code_block", code)
    tokens = markdown.parse(path.read_text(encoding="utf-8"))
    headings = list(anchor_headings(tokens))
    free_corners(tokens)
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("href", page_link(slug, str(child.attrGet("href") or "")))
            elif child.type == "image":
                show_picture(child)
            elif child.type == "code_inline" and len(child.content) <= SHORT_CODE and " " not in child.content:
                child.attrSet("class", "whole")
    title = next((plain(tokens[i + 1]) for i, token in enumerate(tokens) if token.tag == "h1"), slug)
    summary = next((plain(tokens[i + 1]) for i, token in enumerate(tokens) if token.type == "paragraph_open"), "")
    html = markdown.renderer.render(tokens, markdown.options, {})
    safe = mark_safe(html)  # noqa: S308 - the renderer escapes, and raw HTML is off
    return Document(slug, title, language, summary, safe, headings)


def open_table(
    _renderer: RendererHTML, _tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType
) -> str:
    """A table that is wider than a phone scrolls inside a region that the keyboard reaches."""
    return '<div class="table-wrap" tabindex="0"><table>'


def close_table(
    _renderer: RendererHTML, _tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType
) -> str:
    """The end of what `open_table` began."""
    return "</table></div>\n"


def code(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """A block of code, which scrolls like a table."""
    shown: str = getattr(renderer, tokens[index].type)(tokens, index, options, env)
    return shown.replace("<pre>", '<pre tabindex="0">', 1)


def plain(inline: Token) -> str:
    """The words of an inline token, without its markup."""
    return "".join(child.content or " " for child in inline.children or () if not child.nesting).strip()


def anchor_headings(tokens: Sequence[Token]) -> Iterable[Heading]:
    """Give each heading below the title an anchor of its own, and yield those of the second level."""
    taken: set[str] = set()
    for index, token in enumerate(tokens):
        if token.type != "heading_open" or token.tag == "h1":
            continue
        text = plain(tokens[index + 1])
        base = anchor = slugify(text, allow_unicode=True) or "section"
        number = 1
        while anchor in taken:
            number += 1
            anchor = f"{base}-{number}"
        taken.add(anchor)
        token.attrSet("id", anchor)
        if token.tag == "h2":
            yield Heading(anchor, text)


def free_corners(tokens: Sequence[Token]) -> None:
    """The empty corner of a table heads nothing: it is a cell like any other."""
    for opened, inside, closed in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opened.type == "th_open" and not inside.content.strip():
            opened.tag = closed.tag = "td"


def show_picture(image: Token) -> None:
    """Have a picture of `docs/images/` come from where the site keeps its files, with its room left free until then."""
    name = PICTURE.fullmatch(str(image.attrGet("src") or ""))
    if name is None:
        return
    image.attrSet("src", static(f"docs/{name[1]}"))
    # A PNG begins with a signature and its header, in which width and height stand.
    width, height = struct.unpack(">II", (folder() / "images" / name[1]).read_bytes()[16:24])
    image.attrSet("width", str(width))
    image.attrSet("height", str(height))
    image.attrSet("loading", "lazy")


def page_link(slug: str, href: str) -> str:
    """Where a link of the page `slug` leads on the site: a link to another file of `docs/` leads to its page.

    The page is there in the reader's language, whichever the link was to.
    """
    parts = urlsplit(href)
    if parts.scheme or parts.netloc or not parts.path.endswith(".md"):
        return href
    place = list(slug.split("/")[:-1])
    for step in LANGUAGE.sub("", parts.path.removesuffix(".md")).split("/"):
        if step == "..":
            place = place[:-1]
        elif step != ".":
            place.append(step)
    target = reverse("docs:page", args=["/".join(place)])
    return f"{target}#{parts.fragment}" if parts.fragment else target
