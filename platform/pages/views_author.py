"""What an author learns about his bots: how they fail, how long they think, what a new version changed."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from accounts.models import User
from arena.failure import Reason
from bots.models import Bot, BotVersion
from bots.selectors import is_owner
from pages import failures, thinking, versions
from pages.failures import Filters


@login_required
@require_safe
def failed(request: HttpRequest) -> HttpResponse:
    """How one's bots fail: lost games by reason, failures by traceback; with `group` the games of one of those."""
    user = cast("User", request.user)
    bots = failures.own_bots(user)
    filters = _filters(request, user)
    chosen = [filters.bot] if filters.bot else bots
    context: dict[str, Any] = {"bots": bots, "filters": filters, "reasons": [str(reason) for reason in Reason]}
    group = request.GET.get("group", "")
    if group:
        found = failures.games_of(chosen, filters, group, request.GET.get("page"))
        if found is None:
            raise Http404
        context |= {"group": found.group, "games": found.games, "page": found.page}
        return render(request, "bots/failure_group.html", context)
    context["found"] = failures.read(chosen, filters)
    return render(request, "bots/failures.html", context)


def _filters(request: HttpRequest, user: User) -> Filters:
    """What the address asks for.

    Raises:
        Http404: there is no such bot.
        PermissionDenied: it is somebody else's.
    """
    slug = request.GET.get("bot", "").replace("\0", "")
    bot = get_object_or_404(Bot, slug=slug) if slug else None
    if bot is not None and not is_owner(user, bot):
        raise PermissionDenied
    reason = request.GET.get("reason", "")
    return Filters(bot, _number(request.GET.get("version", "")), reason if reason in list(Reason) else "")


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


@require_safe
def times(request: HttpRequest, slug: str) -> HttpResponse:
    """How long a bot thinks. The times stand in the public records, so everybody may look."""
    bot = get_object_or_404(Bot.objects.select_related("owner"), slug=slug)
    number = _number(request.GET.get("version", ""))
    ready = bot.versions.filter(state=BotVersion.State.READY).order_by("-number").values_list("number", flat=True)
    context = {
        "bot": bot,
        "version": number,
        "versions": list(ready[:50]),
        "found": thinking.read(bot, number),
        "games": thinking.GAMES,
    }
    return render(request, "bots/times.html", context)


@require_safe
def compare_versions(request: HttpRequest, slug: str, first: int, second: int) -> HttpResponse:
    """Two versions of a bot beside each other, the older first; for its owner with what changed in the code."""
    if first > second:
        return redirect("bots:compare-versions", slug, second, first)
    bot = get_object_or_404(Bot.objects.select_related("owner"), slug=slug)
    mine = is_owner(request.user, bot)
    known = BotVersion.objects.filter(bot=bot).select_related("bot").defer("progress")
    if not mine:
        known = known.filter(state=BotVersion.State.READY)
    old, new = get_object_or_404(known, number=first), get_object_or_404(known, number=second)
    if old == new:
        return redirect(new)
    changed, cut = versions.changes(old, new) if mine else ([], False)
    context = {
        "bot": bot,
        "mine": mine,
        "pair": versions.compare(old, new),
        "changed": changed,
        "cut": cut,
        "numbers": list(known.order_by("-number").values_list("number", flat=True)[:50]),
    }
    return render(request, "bots/compare_versions.html", context)


@require_safe
def choose_versions(request: HttpRequest, slug: str) -> HttpResponse:
    """Leads to the comparison that a form asked for."""
    first, second = (_number(request.GET.get(name, "")) for name in ("first", "second"))
    if first is None or second is None:
        raise Http404
    return redirect("bots:compare-versions", slug, first, second)
