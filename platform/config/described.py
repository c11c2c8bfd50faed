"""docs/settings.md: every variable of the environment, as the settings themselves describe it.

`python -m config.described` writes it.
"""

from collections.abc import Mapping
from itertools import groupby

from config.environment import SECRETS, VARIABLES, Variable

HEAD = """\
# Settings

Every variable of the environment that a site reads. This page is made from the settings themselves
(`make settings-page`), and a test keeps it so.

Each may be a file instead: `SECRET_KEY_FILE=/run/secrets/key` reads the value from that file, which is how secrets
should come in. A variable and its file at once are refused; an empty value counts as not set; what does not fit is
refused with a sentence before a process starts. Web, workers and clock take the same variables: give all of them the
same values.

A ✱ marks a secret. What `compose.yaml` takes from `.env` (`ARENA_HOST`, `ARENA_SLOTS` and others) stands in
[Running a site](operations.md).
"""


def page(variables: Mapping[str, Variable] = VARIABLES) -> str:
    """The page as Markdown."""
    parts = [HEAD]
    for title, group in groupby(variables.values(), key=lambda one: one.section):
        rows = [
            f"| `{one.name}`{' ✱' if one.name in SECRETS else ''} | {_shown(one.default)} | {_escaped(one.meaning)} |"
            for one in group
        ]
        parts.append("\n".join([f"## {title}", "", "| Variable | Default | Meaning |", "|---|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _shown(default: str) -> str:
    if not default:
        return "none"
    # A default in words ("SQLite in DATA_DIR") is prose; one that could be typed is code.
    return default if " " in default and "@" not in default else f"`{default}`"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "\\<")


def main() -> None:
    """Write the page."""
    from config import settings

    path = settings.BASE_DIR / "docs/settings.md"
    path.write_text(page(), encoding="utf-8")
    print(f"{path.relative_to(settings.BASE_DIR)} is written.")


if __name__ == "__main__":
    main()
