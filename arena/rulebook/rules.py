"""A page of rules, put together from the options of a ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from arena.durak import PRESETS, Ruleset
from arena.rulebook.examples import EXAMPLES, Example
from arena.rulebook.prose import LANGUAGES, Prose, prose

__all__ = ["LANGUAGES", "RulebookError", "option_key", "page", "pieces", "title"]

_LEGAL: Final = re.compile(r"\{legal(?::(\d+))?\}")


class RulebookError(ValueError):
    """There is no page in such a language; the sentence says which there are."""


def page(ruleset: Ruleset, language: str) -> str:
    """Return the rules of ``ruleset`` in ``language`` (one of `LANGUAGES`) as Markdown.

    The page says what the engine plays: every option has its sentence, and every example is played while the page is
    made. Raises RulebookError for another language.
    """
    words = _prose(language)
    numbers = _numbers(ruleset)
    lines = [f"# {title(ruleset, language)}", words.text(f"lead-in.{_name(ruleset)}")]
    for heading, keys in pieces(ruleset):
        lines.append(f"## {words.text(heading)}")
        lines += [words.text(key, numbers) for key in keys]
    lines.append(f"## {words.text('h.examples')}")
    lines += [_example(example, ruleset, words) for example in EXAMPLES if example.applies(ruleset)]
    lines += [f"## {words.text('h.notation')}", words.text("notation")]
    lines += [f"## {words.text('h.ours')}", words.text("ours.note").replace("{ours}", words.text("ours"))]
    return "\n\n".join(lines) + "\n"


def title(ruleset: Ruleset, language: str) -> str:
    """Return what the ruleset is called in ``language``; a ruleset of one's own is called by its own name as well."""
    words = _prose(language)
    name = words.text(f"title.{_name(ruleset)}")
    return name if ruleset.name in PRESETS or ruleset.name == "custom" else f"{name}: {ruleset.name}"


def pieces(ruleset: Ruleset) -> Iterator[tuple[str, list[str]]]:
    """Yield the keys of each section: its heading, and its sentences in order."""
    pairs = ruleset.teams == "pairs"

    def key(option: str, name: str = "") -> str:
        return option_key(ruleset, option, name)

    yield "h.goal", [key("result"), *([] if pairs else [key("teams")])]
    if pairs:
        yield "h.pairs", [key("teams")]
    yield "h.deal", ["deal", *([] if pairs else ["deal.six"]), key("first_attacker")]
    yield "h.bout", ["bout", key("lead"), key("throw_in_before_defence")]
    yield "h.beat", ["beat", "take", *([] if ruleset.transfer else [key("transfer")])]
    if ruleset.transfer:
        yield "h.transfer", [key("transfer")]
    cap = "cap" if ruleset.first_bout_cap == ruleset.attack_cap else "cap.first"
    yield "h.throw", [key("throw_in_who"), key("throw_in_ranks"), cap, "window", key("throw_in_on_take")]
    yield "h.end-of-bout", ["end-of-bout", key("draw_order"), "next"]
    yield "h.end", ["out", key("result", "ending"), key("stalemate_takes"), "bout_limit"]


def option_key(ruleset: Ruleset, option: str, name: str = "") -> str:
    """Return the key of the sentence for the value that ``option`` has, or of a variant for pairs or transfers.

    ``name`` stands in place of the option's name where an option has a second sentence.
    """
    value = getattr(ruleset, option)
    if option == "stalemate_takes":
        value = "none" if value is None else "number"
    if isinstance(value, bool):
        value = str(value).lower()
    key = f"{name or option}.{value}"
    variants = [f"{key}.pairs"] if ruleset.teams == "pairs" else []
    variants += [f"{key}.transfer"] if ruleset.transfer else []
    return next((variant for variant in variants if variant in prose("en")), key)


def _example(example: Example, ruleset: Ruleset, words: Prose) -> str:
    legal = example.legal(ruleset)
    return _LEGAL.sub(lambda match: words.moves(legal[int(match[1] or 0)]), words.text(f"example.{example.key}"))


def _prose(language: str) -> Prose:
    if language not in LANGUAGES:
        raise RulebookError(f"The rules are written in {', '.join(LANGUAGES)}, not in {language!r}.")
    return prose(language)


def _name(ruleset: Ruleset) -> str:
    return ruleset.name if ruleset.name in PRESETS else "custom"


def _numbers(ruleset: Ruleset) -> dict[str, int | None]:
    return {name: getattr(ruleset, name) for name in ("attack_cap", "first_bout_cap", "stalemate_takes", "bout_limit")}
