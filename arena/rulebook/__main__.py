"""``python -m arena.rulebook FOLDER`` writes every preset's page in every language: FOLDER/pl/perevodnoy.md."""

from __future__ import annotations

import sys
from pathlib import Path

from arena.durak import PRESETS
from arena.rulebook import LANGUAGES, page


def write_pages(folder: Path) -> None:
    """Write all pages below ``folder``."""
    for language in LANGUAGES:
        (folder / language).mkdir(parents=True, exist_ok=True)
        for name, ruleset in PRESETS.items():
            (folder / language / f"{name}.md").write_text(page(ruleset, language), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the folder to write to: python -m arena.rulebook docs/rules")
    write_pages(Path(sys.argv[1]))
