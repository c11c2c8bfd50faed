"""Tournaments and their matches, for everybody. Each view parses what was asked, calls one function, and renders."""

from typing import Any, cast

from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from arena import variance
from arena.durak import PRESETS
from tournaments import board, cross_page, entering, lifecycle, listings, organising, standings, verification
from tournaments.forms import EntryForm
from tournaments.models import Match, Tournament
from tournaments.paginator import LongPaginator

PAGE_SIZE = 30
FINAL_ROWS = 500
FINAL_CROSS = 16
"""More columns than this no sheet of paper takes."""


def find(request: HttpRequest, slug: str) -> Tournament:
    """The tournament that may be seen under a slug. A draft is there for nobody but who runs it."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not organising.may_see(request.user, tournament):
        raise Http404
    return tournament


def _word(request: HttpRequest, name: str) -> str:
    """A word of the query, such as a slug; null bytes, which a database refuses, are in none."""
    return request.GET.get(name, "").replace("\0", "")[:100]


def context_of(request: HttpRequest, tournament: Tournament, here: str, **more: Any) -> dict[str, Any]:
    """What every page of a tournament shows: its head, and which of its pages this is."""
    return {
        "tournament": tournament,
        "here": here,
        "can_enter": not entering.closed_to_authors(tournament),
        "entries_wait": tournament.opens_at is not None and timezone.now() < tournament.opens_at,
        "can_run": organising.may_run(request.user, tournament),
        **more,
    }


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All tournaments, the ladder first."""
    state = request.GET.get("state", "")
    organises = organising.may_organise(request.user)
    found = listings.tournaments(request.user, state)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    states = [choice for choice in Tournament.State.choices if choice[0] != "draft" or organises]
    context = {"page": page, "states": states, "chosen_state": state, "organises": organises}
    return render(request, "tournaments/list.html", context)


@require_safe
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """The table, and how far the tournament has come."""
    context = _live(request, slug)
    context["own_entries"] = listings.entries_of(context["tournament"], request.user.pk)
    return render(request, "tournaments/detail.html", context)


@require_safe
def progress(request: HttpRequest, slug: str) -> HttpResponse:
    """The same without the frame, for the page to replace its part while matches are played."""
    return render(request, "tournaments/_live.html", _live(request, slug))


def _live(request: HttpRequest, slug: str) -> dict[str, Any]:
    tournament = find(request, slug)
    table = board.board(tournament, query=request.GET.get("q", ""), page=request.GET.get("page"))
    return context_of(request, tournament, "table", board=table, progress=standings.progress(tournament))


@require_safe
def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    """Who scored what against whom."""
    tournament = find(request, slug)
    return render(
        request,
        "tournaments/crosstable.html",
        context_of(request, tournament, "crosstable", cross=cross_page.cross(tournament)),
    )


@require_safe
def matches(request: HttpRequest, slug: str) -> HttpResponse:
    """The plan and what came of it."""
    tournament = find(request, slug)
    state, bot, against = (_word(request, name) for name in ("state", "bot", "against"))
    found = listings.matches(tournament, state=state, bot=bot, against=against)
    progress = standings.progress(tournament)
    count = None if bot or against else progress.listed(state)
    context = context_of(
        request,
        tournament,
        "matches",
        page=LongPaginator(found, PAGE_SIZE, count).get_page(request.GET.get("page")),
        states=[("all", _("all")), *Match.State.choices],
        progress=progress,
        bots=listings.bot_choices(tournament),
        chosen={"state": state, "bot": bot, "against": against},
    )
    return render(request, "tournaments/matches.html", context)


@require_safe
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Who meets whom and when: what is done, what is next. It opens where the next match stands."""
    tournament = find(request, slug)
    progress, next_number = standings.progress(tournament), listings.next_number(tournament)
    asked = request.GET.get("page") or listings.plan_page(tournament, PAGE_SIZE, next_number)
    context = context_of(
        request,
        tournament,
        "plan",
        page=LongPaginator(listings.plan(tournament), PAGE_SIZE, progress.total).get_page(asked),
        next_number=next_number,
        progress=progress,
    )
    return render(request, "tournaments/plan.html", context)


@require_safe
def final(request: HttpRequest, slug: str) -> HttpResponse:
    """The result on one sheet, to be printed: table, crosstable, and the secret that proves the deals."""
    tournament = find(request, slug)
    table = standings.table(tournament)
    context = context_of(
        request,
        tournament,
        "final",
        board=board.board(tournament, size=FINAL_ROWS, table=table),
        cross=cross_page.cross(tournament, FINAL_CROSS, table),
        secrets=listings.secrets(tournament)[:1],
        progress=standings.progress(tournament),
    )
    return render(request, "tournaments/final.html", context)


@require_safe
def fairness(request: HttpRequest, slug: str) -> HttpResponse:
    """The commitments of the deals, the secrets once they are revealed, and whether the whole has been verified."""
    tournament = find(request, slug)
    last = verification.of(tournament)
    verified = {"verification": last, "may_verify": verification.may_ask(tournament, last)}
    if request.GET.get("part") == "verification":
        return render(request, "tournaments/_verification.html", {"tournament": tournament, **verified})
    page = Paginator(listings.secrets(tournament), PAGE_SIZE).get_page(request.GET.get("page"))
    luck = variance.published().get((tournament.ruleset_name, tournament.players))
    context = context_of(request, tournament, "fairness", page=page, luck=luck, **verified)
    return render(request, "tournaments/fairness.html", context)


@require_POST
def verify(request: HttpRequest, slug: str) -> HttpResponse:
    """Have a whole tournament verified, by whoever wants to know."""
    tournament = find(request, slug)
    try:
        verification.ask(tournament)
    except lifecycle.LifecycleError as error:
        notes.error(request, str(error))
    return redirect("tournaments:fairness", slug)


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The ruleset and the limits, option by option."""
    tournament = find(request, slug)
    options = context_of(
        request,
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
    tournament = find(request, slug)
    closed = entering.closed_to_authors(tournament)
    if closed:
        notes.warning(request, closed)
        return redirect(tournament)
    form = EntryForm(request.POST or None, tournament=tournament, owner=request.user)
    if request.method == "POST" and form.is_valid():
        bot = form.cleaned_data["bot"]
        try:
            user = cast("User", request.user)
            entering.enter_own(tournament, bot, user, form.cleaned_data.get("code", ""))
        except entering.EntryCodeError as error:
            form.add_error("code", str(error))
        except lifecycle.LifecycleError as error:
            form.add_error("bot", str(error))
        else:
            notes.success(request, _("%(bot)s has entered.") % {"bot": bot.name})
            return redirect(tournament)
    context = context_of(request, tournament, "enter", form=form)
    return render(request, "tournaments/enter.html", context, status=422 if form.errors else 200)


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
