"""Tags for the small parts that all pages share: icons, names, form fields, pages of a list, states."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django import template
from django.core.paginator import Page
from django.forms import BoundField
from django.templatetags.static import static
from django.utils.formats import date_format, number_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince
from django.utils.timezone import localtime, now
from django.utils.translation import gettext, ngettext, npgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.words import RULESETS

register = template.Library()

REASONS = {
    "play": _("play"),
    "load": _("did not load"),
    "crash": _("crash"),
    "illegal": _("illegal move"),
    "protocol": _("protocol"),
    "time": _("time"),
    "memory": _("memory"),
    "output": _("too much output"),
    "pondering": _("thought out of turn"),
}

ENDINGS = {
    "fool": _("a fool"),
    "draw": _("draw"),
    "win": _("win"),
    "stalemate": _("stalemate"),
    "bout_limit": _("bout limit"),
    "forfeit": _("forfeit"),
}

ENTRY_STATES = {
    "active": _("playing"),
    "replaced": _("replaced by a newer version"),
    "withdrawn": _("withdrawn"),
    "disqualified": _("disqualified"),
    "suspended": _("suspended"),
}

# Django's own words for spans of time stand in the nominative; after "ago" some languages need another case.
SPANS: dict[str, Any] = {
    "year": npgettext_lazy("so long ago", "%(num)d year", "%(num)d years", "num"),
    "month": npgettext_lazy("so long ago", "%(num)d month", "%(num)d months", "num"),
    "week": npgettext_lazy("so long ago", "%(num)d week", "%(num)d weeks", "num"),
    "day": npgettext_lazy("so long ago", "%(num)d day", "%(num)d days", "num"),
    "hour": npgettext_lazy("so long ago", "%(num)d hour", "%(num)d hours", "num"),
    "minute": npgettext_lazy("so long ago", "%(num)d minute", "%(num)d minutes", "num"),
}

CODE_WORDS = re.compile(r"`([^`\n]+)`")

LIMITS_IN_SECONDS = {"bank", "move_limit", "start_limit", "pondering_seconds", "overhead"}

STATE_BADGES = {
    "checking": "busy",
    "replaced": "plain",
    "ready": "good",
    "rejected": "bad",
    "draft": "plain",
    "open": "good",
    "running": "busy",
    "paused": "plain",
    "queued": "plain",
    "finished": "good",
    "cancelled": "plain",
    "parked": "bad",
    "active": "good",
    "withdrawn": "plain",
    "disqualified": "bad",
    "suspended": "bad",
}


@register.simple_tag
def icon(name: str, *, red: bool = False) -> SafeString:
    """One of the drawings of `static/icons.svg`, as decoration beside words."""
    return format_html(
        '<svg class="icon{}" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        " icon--red" if red else "",
        static("icons.svg"),
        name,
    )


def clean_name(text: str) -> str:
    """A name that somebody chose, without the signs that steer direction or cannot be seen."""
    kept = (sign for sign in text if unicodedata.category(sign) not in {"Cc", "Cf", "Cs"} or sign == "\u200d")
    return "".join(kept).strip() or "?"


@register.simple_tag
def name(text: Any, *, long: bool = False) -> SafeString:
    """A name that somebody chose: escaped, isolated from the text around it, and cut by the stylesheet.

    The whole name is in `title` where it may have been cut. `long` gives it twice the room.
    """
    shown = clean_name(str(text))
    kind = "name name--long" if long else "name"
    if len(shown) > 18:
        return format_html('<bdi class="{}" title="{}">{}</bdi>', kind, shown[:200], shown[:500])
    return format_html('<bdi class="{}">{}</bdi>', kind, shown)


@register.filter
def coded(text: Any) -> SafeString:
    """A text of our own in which `such` words are code."""
    return mark_safe(CODE_WORDS.sub(r"<code>\1</code>", escape(text)))  # noqa: S308 - escaped just before


@register.filter
def plain_name(text: Any) -> str:
    """A name for a title or an attribute, where no element can isolate it: cleaned and short."""
    shown = clean_name(str(text))
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


def written(moment: datetime) -> str:
    """A moment for the attribute `datetime`, which takes no more than milliseconds."""
    return moment.isoformat(timespec="seconds")


@register.simple_tag
def when(moment: datetime) -> str:
    """A moment in full, in the reader's words."""
    here = localtime(moment)
    day, clock = date_format(here, "j E Y"), f"{date_format(here, 'H:i')} {here.tzname()}"
    # A line may end between the two and nowhere else.
    shown = ", ".join(part.replace(" ", "\u00a0") for part in (day, clock))
    return format_html('<time datetime="{}" class="nowrap">{}</time>', written(moment), shown)


@register.simple_tag
def ago(moment: datetime) -> str:
    """How long ago something was, in one unit; the moment itself is in the element."""
    if (now() - moment).total_seconds() < 60:
        words = gettext("just now")
    else:
        words = gettext("%(time)s ago") % {"time": timesince(moment, time_strings=SPANS, depth=1)}
    return format_html('<time datetime="{}" class="nowrap">{}</time>', written(moment), words)


@register.filter
def so_long(moment: datetime) -> str:
    """How long something has lasted that began then."""
    elapsed = (now() - moment).total_seconds()
    return gettext("under a minute") if elapsed < 60 else rough_time(elapsed)


@register.filter
def plain_names(texts: Iterable[Any]) -> str:
    """Several names for a title or an attribute."""
    return " – ".join(plain_name(text) for text in texts)


@register.filter
def versus_title(seats: Iterable[Any]) -> str:
    """Who meets whom, with the score in per cent where there is one: for a title, where no element can be."""
    scores = ["" if seat.score is None else f" {round(100 * seat.score)}" for seat in seats]
    names = [plain_name(seat.version.bot.name) for seat in seats]
    return " – ".join(f"{name}{score}" for name, score in zip(names, scores, strict=True))


@register.simple_tag(takes_context=True)
def absolute(context: template.Context, path: str) -> str:
    """An address of this site in full, for readers elsewhere."""
    address: str = context["request"].build_absolute_uri(path)
    return address


@register.simple_tag(takes_context=True)
def social_picture(context: template.Context, name: str) -> str:
    """The address, in full, of the picture that stands beside a shared link: one of `static/social/`."""
    return absolute(context, static(f"social/{name}.png"))


@register.simple_tag
def state(value: str, label: str = "") -> SafeString:
    """The badge of a state of a version, match, tournament or entry. Its word says what its colour says."""
    return format_html(
        '<span class="badge badge--{}">{}</span>', STATE_BADGES.get(str(value), "plain"), label or str(value)
    )


@register.simple_tag
def option(value: Any) -> str:
    """The value of an option of a ruleset, or of a limit."""
    if value is None:
        return gettext("none")
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return number_format(value) if isinstance(value, int) else str(value).removesuffix(".0")


@register.simple_tag
def limit(name: str, value: float) -> str:
    """The value of a limit of a match (`arena.limits.Limits`) with its unit."""
    if name == "output_bytes":
        return limit("output_mb", value / 2**20)
    shown = number_format(int(value) if value == int(value) else value)
    if name.endswith("_mb"):
        return gettext("%(megabytes)s MB") % {"megabytes": shown}
    return gettext("%(seconds)s s") % {"seconds": shown} if name in LIMITS_IN_SECONDS else shown


@register.filter
def reason_name(reason: str) -> str:
    """A reason of a failure in a word or two; an unknown one as it stands."""
    return str(REASONS.get(reason, reason))


@register.filter
def ending_name(ending: str) -> str:
    """How a game ended without anybody to name."""
    return str(ENDINGS.get(ending, ending))


@register.filter
def entry_state_name(state: str) -> str:
    """The state of an entry in the words of its model, which this file must not know."""
    return str(ENTRY_STATES.get(state, state))


@register.filter
def rough_time(seconds: float) -> str:
    """A length of time in its largest fitting unit, rounded: for estimates."""
    minutes = max(1, round(seconds / 60))
    if minutes < 90:
        return ngettext("%(num)d minute", "%(num)d minutes", minutes) % {"num": minutes}
    hours = round(minutes / 60)
    if hours < 48:
        return ngettext("%(num)d hour", "%(num)d hours", hours) % {"num": hours}
    days = round(hours / 24)
    return ngettext("%(num)d day", "%(num)d days", days) % {"num": days}


@register.filter
def ruleset_title(name: str) -> str:
    """A ruleset in the reader's words; one of somebody's own as it was named."""
    return str(RULESETS.get(name, name))


@register.inclusion_tag("includes/field.html")
def field(bound_field: BoundField, *, hide_optional: bool = False) -> dict[str, Any]:
    """One field of a form: label, help, errors, control, tied to each other for screen readers."""
    return {"field": bound_field, "hide_optional": hide_optional}


@register.inclusion_tag("includes/pagination.html", takes_context=True)
def pagination(context: template.Context, page: Page[Any], label: str = "", path: str = "") -> dict[str, Any]:
    """The links to the other pages of a list. The rest of the query, such as filters, stays.

    Args:
        context: holds the request.
        page: the one that is shown.
        label: names the list where a page has several.
        path: the address of the list, where it also stands in the answer of another.
    """
    numbers: Iterator[int | str] = page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
    return {"page": page, "numbers": numbers, "label": label, "path": path, "request": context["request"]}
