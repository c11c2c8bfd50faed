"""The rules as people read them: one page for any ruleset, in English, Russian, Polish and Ukrainian."""

from __future__ import annotations

from arena.rulebook.rules import LANGUAGES, RulebookError, page, title

__all__ = ["LANGUAGES", "RulebookError", "page", "title"]
