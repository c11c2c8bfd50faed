"""The list of bots and the page of one."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from accounts.moderation import why_hidden
from bots.models import Bot
from pages import comparing, failures, profiles, selectors
from pages.failures import Filters
from upkeep.keys import key

PAGE_SIZE = 30
MOST_FAILURES = 10
"""Failures on the page of a bot; the others are on a page of their own."""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All bots that may play."""
    query = request.GET.get("q", "").replace("\0", "").strip()[:100]
    page = Paginator(profiles.listed(query), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = selectors.rows_by_bot(selectors.ladder())
    listed = [(bot, rows.get(bot.pk)) for bot in page.object_list]
    return render(request, "bots/list.html", {"page": page, "listed": listed, "query": query})


@require_safe
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """One bot: rating, history, opponents, losses, versions; for its owner also how it fails."""
    bot = get_object_or_404(Bot.objects.select_related("owner", "picked_version"), slug=slug)
    if request.GET.get("part") == "newest":
        return _newest(request, bot)
    mine = bot.owner_id == request.user.pk
    see_all = mine or request.user.is_staff
    profile = profiles.profile(bot, request.GET.get("in", ""))
    opponents = Paginator(profile.opponents, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "mine": mine,
        "see_all": see_all,
        "profile": profile,
        "waits": profile.row is not None and not profile.row.standing.games,
        "opponents": opponents,
        "versions": profiles.versions(bot, everything=see_all),
        "failures": failures.read([bot], Filters()).groups[:MOST_FAILURES] if see_all else [],
        "held_back": see_all and profiles.is_held_back(bot),
        "most_waiting": settings.QUOTA_QUEUED_MATCHES,
        "why_hidden": why_hidden(bot, bot.hidden_name) if see_all else "",
    }
    return render(request, "bots/detail.html", context)


def _newest(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The matches it played last, for the page to follow them.

    A page that waits for the first result of an `entry` is told to load itself once more when it is there.
    """
    number = key(request.GET.get("entry", ""))
    entry = profiles.entry_of(bot, number) if number is not None else None
    waits = "waits" in request.GET and entry is not None and not entry.games
    context = {"bot": bot, "entry": entry, "recent": profiles.recent(bot), "waits": waits}
    response = render(request, "bots/_newest.html", context)
    if "waits" in request.GET and entry is not None and entry.games:
        response["HX-Refresh"] = "true"
    return response


@require_safe
def compare(request: HttpRequest, slug: str, other: str) -> HttpResponse:
    """One bot against another: the score over deals by ruleset, and their matches."""
    if slug == other:
        return redirect("bots:detail", slug)
    bots = Bot.objects.select_related("owner")
    first, second = get_object_or_404(bots, slug=slug), get_object_or_404(bots, slug=other)
    found = comparing.compare(first, second)
    page = Paginator(found.matches, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"bot": first, "other": second, "comparison": found, "page": page}
    return render(request, "bots/compare.html", context)
