"""``python -m arena.rulebook FOLDER`` writes every preset's page in every language: perevodnoy.md, perevodnoy.pl.md."""

from __future__ import annotations

import sys
from pathlib import Path

from arena.durak import PRESETS
from arena.rulebook import LANGUAGES, page


def write_pages(folder: Path) -> None:
    """Write all pages to ``folder``. Languages but English stand in the file's name, as in all of ``docs``."""
    folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        ending = ".md" if language == "en" else f".{language}.md"
        for name, ruleset in PRESETS.items():
            (folder / f"{name}{ending}").write_text(page(ruleset, language), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the folder to write to: python -m arena.rulebook docs/rules")
    write_pages(Path(sys.argv[1]))
