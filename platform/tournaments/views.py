"""Tournaments and their matches. Each view parses what was asked, calls one function, and renders."""

from typing import Any

from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from arena.durak import PRESETS
from tournaments import board, cross_page, lifecycle, listings, standings
from tournaments.forms import EntryForm
from tournaments.models import Match, Tournament

PAGE_SIZE = 30


def _find(request: HttpRequest, slug: str) -> Tournament:
    """The tournament that may be seen under a slug. A draft is for staff, and is not there for anyone else."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if tournament.state == Tournament.State.DRAFT and not request.user.is_staff:
        raise Http404
    return tournament


def _word(request: HttpRequest, name: str) -> str:
    """A word of the query, such as a slug; null bytes, which a database refuses, are in none."""
    return request.GET.get(name, "").replace("\0", "")[:100]


def _context(tournament: Tournament, here: str, **more: Any) -> dict[str, Any]:
    return {"tournament": tournament, "here": here, "can_enter": listings.open_to(tournament), **more}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All tournaments, the ladder first."""
    state = request.GET.get("state", "")
    found = listings.tournaments(drafts=request.user.is_staff, state=state)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    states = [choice for choice in Tournament.State.choices if choice[0] != "draft" or request.user.is_staff]
    return render(request, "tournaments/list.html", {"page": page, "states": states, "chosen_state": state})


@require_safe
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """The table, and how far the tournament has come."""
    return render(request, "tournaments/detail.html", _live(request, slug))


@require_safe
def progress(request: HttpRequest, slug: str) -> HttpResponse:
    """The same without the frame, for the page to replace its part while matches are played."""
    return render(request, "tournaments/_live.html", _live(request, slug))


def _live(request: HttpRequest, slug: str) -> dict[str, Any]:
    tournament = _find(request, slug)
    table = board.board(tournament, query=request.GET.get("q", ""), page=request.GET.get("page"))
    return _context(tournament, "table", board=table, progress=standings.progress(tournament))


@require_safe
def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    """Who scored what against whom."""
    tournament = _find(request, slug)
    return render(
        request, "tournaments/crosstable.html", _context(tournament, "crosstable", cross=cross_page.cross(tournament))
    )


@require_safe
def matches(request: HttpRequest, slug: str) -> HttpResponse:
    """The plan and what came of it."""
    tournament = _find(request, slug)
    state, bot, against = (_word(request, name) for name in ("state", "bot", "against"))
    found = listings.matches(tournament, state=state, bot=bot, against=against)
    context = _context(
        tournament,
        "matches",
        page=Paginator(found, PAGE_SIZE).get_page(request.GET.get("page")),
        states=[("all", _("all")), *Match.State.choices],
        progress=standings.progress(tournament),
        bots=listings.bot_choices(tournament),
        chosen={"state": state, "bot": bot, "against": against},
    )
    return render(request, "tournaments/matches.html", context)


@require_safe
def fairness(request: HttpRequest, slug: str) -> HttpResponse:
    """The commitments of the deals, and the secrets once they are revealed."""
    tournament = _find(request, slug)
    page = Paginator(listings.secrets(tournament), PAGE_SIZE).get_page(request.GET.get("page"))
    return render(request, "tournaments/fairness.html", _context(tournament, "fairness", page=page))


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The ruleset and the limits, option by option."""
    tournament = _find(request, slug)
    options = _context(
        tournament,
        "rules",
        preset=tournament.ruleset_name in PRESETS,
        ruleset=[item for item in tournament.ruleset.items() if item[0] != "name"],
        limits=list(tournament.limits.items()),
    )
    return render(request, "tournaments/rules.html", options)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter one of one's own bots."""
    tournament = _find(request, slug)
    if not listings.open_to(tournament):
        notes.warning(request, _("Entries to this tournament are closed."))
        return redirect(tournament)
    form = EntryForm(request.POST or None, tournament=tournament, owner=request.user)
    if request.method == "POST" and form.is_valid():
        bot = form.cleaned_data["bot"]
        try:
            lifecycle.enter(tournament, bot)
        except lifecycle.LifecycleError as error:
            form.add_error("bot", str(error))
        else:
            notes.success(request, _("%(bot)s has entered.") % {"bot": bot.name})
            return redirect(tournament)
    return render(request, "tournaments/enter.html", _context(tournament, "enter", form=form))


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """One match, in whatever state it is."""
    found = get_object_or_404(listings.matches(state="all", drafts=request.user.is_staff), pk=pk)
    page = listings.match_page(found)
    context = {"match": found, "match_page": page}
    if request.GET.get("part") == "state" and found.state != Match.State.FINISHED:
        return render(request, "tournaments/_match_state.html", context)
    response = render(request, "tournaments/match.html", context)
    if request.GET.get("part") == "state":
        # It has just ended: the page that polls loads itself once more, now with all games.
        response["HX-Refresh"] = "true"
    return response
