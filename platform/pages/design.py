"""The design system as a page: read from `static/site.css` itself, so that the page cannot lag behind."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.conf import settings

SLUG = "design-system"
"""The page of the documentation that the specimens follow."""

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TOKEN = re.compile(r"--([\w-]+):\s*([^;]+);")
PAIR = re.compile(r"light-dark\((.+?), (?=#|rgb)(.+)\)")
CLASS = re.compile(r"\.([a-z][\w-]*)")
BRACES = re.compile(r"\{[^{}]*\}")

PAGE_PARTS = frozenset(
    {
        # The frame of every page, which stands around the specimens too.
        *("skip", "masthead", "brand", "menu", "menu-button", "theme", "to-dark", "to-light", "colophon", "suits"),
        *("page", "page-head", "wrap", "banner", "screen-only", "docs"),
        # Parts of one page, or of one kind of page, that are shown nowhere else.
        *("hero", "steps", "account", "entrance", "misfortune", "eyebrow", "sheet", "stack", "waiting", "idea"),
        *("meeting", "is-next", "group-note", "pulse", "bar-cell", "brief", "versus", "waits", "first", "link-button"),
        *("code-plain", "code-wrap", "plate", "label", "or", "cross", "self", "gap", "here", "none", "over", "diff"),
    }
)
"""Classes that are no component: they are part of a page."""


@dataclass(frozen=True)
class Token:
    """A value that everything else is made of."""

    name: str
    """As it is written in a rule: `--red`."""
    light: str
    dark: str
    """The same as `light` where the scheme does not matter."""

    @property
    def is_colour(self) -> bool:
        """Whether it can be shown as a patch of colour."""
        return self.light.startswith(("#", "rgb"))

    @property
    def pixels(self) -> int | None:
        """How long it is at the usual size of text, where it is a plain length."""
        found = re.fullmatch(r"([\d.]+)rem", self.light)
        return round(float(found[1]) * 16) if found else None


def source() -> str:
    """The stylesheet."""
    return (settings.PLATFORM_DIR / "static/site.css").read_text(encoding="utf-8")


@cache
def tokens() -> Sequence[Token]:
    """The tokens, in the order of the stylesheet."""
    root = re.search(r"^:root \{(.*?)^\}", COMMENT.sub("", source()), re.DOTALL | re.MULTILINE)
    found = []
    for name, value in TOKEN.findall(root[1] if root else ""):
        pair = PAIR.fullmatch(value)
        light, dark = (pair[1], pair[2]) if pair else (value, value)
        found.append(Token(f"--{name}", light, dark))
    return found


def classes() -> set[str]:
    """Every class that the stylesheet has rules for."""
    return set(CLASS.findall(BRACES.sub("{}", COMMENT.sub("", source()))))


def blocks() -> set[str]:
    """The names of its components: `button` for `.button--main` and `.button` alike."""
    return {re.split("__|--", name)[0] for name in classes()}


def context() -> dict[str, object]:
    """What the specimens need."""
    every = tokens()
    return {
        "schemes": ("light", "dark"),
        "colours": [token for token in every if token.is_colour],
        "spaces": [token for token in every if re.fullmatch(r"--s\d", token.name)],
        "sizes": [token for token in every if token.name.startswith("--text-")],
        "others": [
            token
            for token in every
            if not token.is_colour and not re.fullmatch(r"--s\d", token.name) and not token.name.startswith("--text-")
        ],
        "heats": [f"heat-{shade}" for shade in range(9)],
        "course": [1500, 1516, 1509, 1533, 1547, 1539, 1558, 1571, 1566, 1580],
    }
