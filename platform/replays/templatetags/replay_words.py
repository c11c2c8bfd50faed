"""Sentences of a replay as markup: names isolated, cards as rank and suit with their words for who listens."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from arena.letters import WRITTEN

register = template.Library()


@register.simple_tag
def sentence(parts: Sequence[Any], names: Sequence[str]) -> SafeString:
    """A sentence of `arena.replay.words`, each part escaped by its kind."""
    return format_html_join("", "{}", ((_part(part, names),) for part in parts))


def _part(part: Any, names: Sequence[str]) -> SafeString | str:
    if isinstance(part, str):
        return part
    if isinstance(part, int):
        return format_html('<bdi class="rv-who">{}</bdi>', names[part])
    code, words = part
    return format_html(
        '<span class="rv-chip" data-suit="{suit}"><span aria-hidden="true">{rank}<svg focusable="false">'
        '<use href="{sprite}#pip-{suit}"></use></svg></span><span class="rv-unseen">{words}</span></span>',
        suit=code[1],
        rank=WRITTEN[get_language() or settings.LANGUAGE_CODE][code[0]],
        sprite=static("replay/cards.svg"),
        words=words,
    )


@register.filter
def duration(ms: float | None) -> str:
    """A time that was charged, as the viewer writes it."""
    if ms is None:
        return ""
    if ms < 1000:
        return _("{count} ms").format(count=number_format(f"{ms:g}"))
    return _("{seconds} s").format(seconds=number_format(round(ms / 1000, 2), 2))
