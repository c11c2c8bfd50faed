"""Tags that draw: interval bars, rating histories, bars of games, crosstable shades."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from pages import charts

register = template.Library()

COLUMNS = frozenset({"play", "time", "illegal", "crash", "memory"})
"""Causes of lost games that have a column in the table."""


@register.simple_tag
def interval(rating: float | None, low: float | None, high: float | None, scale: charts.Scale | None) -> str:
    """A rating with its 95 % interval as a bar on the scale of its table. Nothing where there is no rating yet."""
    if rating is None or low is None or high is None or scale is None:
        return ""
    label = _("Rating %(rating)s, between %(low)s and %(high)s") % {
        "rating": whole(rating),
        "low": whole(low),
        "high": whole(high),
    }
    left, point, right = (charts.number(scale.at(value)) for value in (low, rating, high))
    # A viewBox stretched to the cell would stretch the point as well: nested percentages keep it round.
    return format_html(
        '<svg class="interval" role="img" aria-label="{label}">'
        '<line class="interval__rail" x1="0%" x2="100%" y1="50%" y2="50%"/>'
        '<line class="interval__span" x1="{left}%" x2="{right}%" y1="50%" y2="50%"/>'
        '<line class="interval__end" x1="{left}%" x2="{left}%" y1="25%" y2="75%"/>'
        '<line class="interval__end" x1="{right}%" x2="{right}%" y1="25%" y2="75%"/>'
        '<circle class="interval__point" cx="{point}%" cy="50%" r="4"/></svg>',
        label=label,
        left=left,
        right=right,
        point=point,
    )


@register.simple_tag
def rating_scale(low: float | None, high: float | None) -> charts.Scale | None:
    """The scale that all interval bars of one table share; None where nobody has a rating yet."""
    return None if low is None or high is None else charts.rating_scale(low, high)


@register.filter
def half_width(line: Any) -> float | None:
    """Half of an interval (of anything with `low` and `high`): what stands behind "plus or minus"."""
    return None if line.low is None or line.high is None else (line.high - line.low) / 2


@register.filter
def other_failures(lost_by: Mapping[str, int]) -> int:
    """Games lost by the reasons that have no column of their own."""
    return sum(count for reason, count in lost_by.items() if reason not in COLUMNS)


@register.filter
def whole(value: float | None) -> str:
    """A rating or count in the reader's notation, without decimals; a dash where there is none."""
    return "–" if value is None else number_format(round(value))


@register.filter
def milliseconds(value: float | None) -> str:
    """How long a thought took, as exactly as its size deserves, with its unit; a dash where there was none."""
    if not isinstance(value, int | float):
        return "–"
    # Rounded here: Django would cut the digits off.
    if round(value) >= 1000:
        shown = _("%(time)s s") % {"time": number_format(round(value / 1000, 2), 2)}
    elif round(value, 2) >= 10:
        shown = _("%(time)s ms") % {"time": number_format(round(value))}
    else:
        shown = _("%(time)s ms") % {"time": number_format(round(value, 2), 2)}
    return shown.replace(" ", "\u00a0")


@register.filter
def seconds(value: float | None) -> str:
    """The same of what is counted in seconds."""
    return milliseconds(1000 * value if isinstance(value, int | float) else None)


@register.simple_tag
def count(value: int | None) -> str:
    """A number of a table in which most are nothing: a nought stays in the background."""
    return format_html('<span class="nil">{}</span>' if not value else "{}", whole(value or 0))


@register.filter
def signed(value: float | None) -> str:
    """A change with its sign, one decimal."""
    if value is None:
        return "–"
    sign = "+" if value > 0 else "−" if value < 0 else "±"
    return sign + number_format(round(abs(value), 1), 1)


@register.filter
def percent(value: float | None, decimals: int = 1) -> str:
    """A share between 0 and 1 as per cent, never above 100."""
    if value is None:
        return "–"
    number = round(min(1.0, max(0.0, value)) * 100, decimals)
    return _("%(number)s %%") % {"number": number_format(number, decimals)}


@register.filter
def best_score(seats: Iterable[Any]) -> float | None:
    """The highest score at a table; None where it has none, or all have the same."""
    scores = {seat.score for seat in seats if seat.score is not None}
    return max(scores) if len(scores) > 1 else None


@register.filter
def heat(share: float) -> str:
    """The class of a crosstable's cell for a score between 0 and 1."""
    return f"heat-{charts.heat(share)}"


@register.simple_tag
def outcome_bar(won: int, drawn: int, lost: int) -> str:
    """Games won, drawn and lost as one bar. The numbers stand beside it in words; the bar is decoration."""
    total = won + drawn + lost
    if not total:
        return ""
    first, second = 100 * won / total, 100 * (won + drawn) / total
    return bar(
        ("bar__won", 0, first),
        ("bar__drawn", first, second - first),
        ("bar__lost", second, 100 - second),
        middle=True,
    )


@register.simple_tag
def score_bar(score: float) -> str:
    """A score between 0 and 1 as a bar from the middle: to the right what is above half, to the left what is below."""
    share = min(1.0, max(0.0, score)) * 100
    return bar(("bar__won" if share >= 50 else "bar__lost", min(50.0, share), abs(share - 50)), middle=True)


@register.simple_tag
def share_bar(part: float, whole_: float) -> str:
    """A part of a whole as a bar; decoration beside the number."""
    return bar(("bar__lost", 0, 100 * min(1.0, part / whole_))) if whole_ else ""


def bar(*pieces: tuple[str, float, float], middle: bool = False) -> str:
    """A bar made of pieces: class, start and length, the latter two in per cent of the whole."""
    drawn = format_html_join(
        "",
        '<rect class="{}" x="{}%" width="{}%" height="100%"/>',
        ((kind, charts.number(start), charts.number(length)) for kind, start, length in pieces),
    )
    line = mark_safe('<line class="bar__mid" x1="50%" x2="50%" y1="0" y2="100%"/>') if middle else ""
    return format_html(
        '<svg class="bar" aria-hidden="true" focusable="false">'
        '<rect class="bar__rail" width="100%" height="100%" rx="3"/>{}{}</svg>',
        drawn,
        line,
    )


@register.inclusion_tag("includes/rating_history.html")
def rating_history(values: Sequence[float], *, start: float, label: str) -> dict[str, Any]:
    """The course of a rating as a drawing; the page puts the table behind it."""
    return {"line": charts.line(values, start=start), "label": label}
