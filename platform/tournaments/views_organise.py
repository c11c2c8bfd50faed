"""What organisers do: make, open, start, pause and cancel a tournament, enter and disqualify bots; owners withdraw.

Whatever cannot be taken back has a page of its own that says what it does, and asks once more.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from tournaments import lifecycle, organising, pausing, standings
from tournaments.cost import cost
from tournaments.forms import InviteForm, ReasonForm, TournamentForm
from tournaments.lifecycle import LifecycleError
from tournaments.models import Entry, Tournament
from tournaments.values import ruleset_of
from tournaments.views import context_of, find

FORM_METHODS = ["GET", "HEAD", "POST"]
PAGE_SIZE = 50

STEPS: Mapping[str, Callable[[Tournament], Tournament]] = {
    "open": lifecycle.open_entries,
    "pause": pausing.pause,
    "resume": pausing.resume,
}
"""Steps that do no harm, and are done at once."""


def _own(request: HttpRequest, slug: str) -> Tournament:
    """The tournament with a slug, for who runs it.

    Raises:
        PermissionDenied: somebody else runs it.
        Http404: there is none, or none for his eyes.
    """
    tournament = find(request, slug)
    if not organising.may_run(request.user, tournament):
        raise PermissionDenied
    return tournament


@login_required
@require_http_methods(FORM_METHODS)
def new(request: HttpRequest) -> HttpResponse:
    """A tournament in one form. `preview` computes its cost again and saves nothing."""
    if not organising.may_organise(request.user):
        raise PermissionDenied
    form = TournamentForm(request.POST or None)
    saving = request.method == "POST" and "preview" not in request.POST
    if saving and form.is_valid():
        try:
            made = form.create(request.user)
        except LifecycleError as error:
            form.add_error("name", str(error))
        else:
            notes.success(request, _("The draft is saved. Nobody else sees it until you open it for entries."))
            return redirect("tournaments:manage", made.slug)
    context = {"form": form, "cost": form.preview()}
    return render(request, "tournaments/new.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(FORM_METHODS)
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """The same form for a tournament that is there; what can no longer change is shown and fixed."""
    tournament = _own(request, slug)
    form = TournamentForm(request.POST or None, tournament=tournament)
    saving = request.method == "POST" and "preview" not in request.POST
    if saving and form.is_valid():
        try:
            form.change()
        except LifecycleError as error:
            form.add_error(None, str(error))
        else:
            notes.success(request, _("Saved."))
            return redirect("tournaments:manage", slug)
    preview = form.preview() if tournament.state == Tournament.State.DRAFT else None
    context = context_of(request, tournament, "manage", form=form, cost=preview)
    return render(request, "tournaments/edit.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Where an organiser runs his tournament: the next step, the entries, what else can be done."""
    return _manage(request, _own(request, slug))


def _manage(request: HttpRequest, tournament: Tournament, form: InviteForm | None = None) -> HttpResponse:
    entries = Entry.objects.filter(tournament=tournament).exclude(state=Entry.State.REPLACED)
    active = entries.filter(state=Entry.State.ACTIVE).count()
    listed = entries.select_related("bot__owner", "version").defer("version__report", "version__progress")
    is_open = tournament.state == Tournament.State.OPEN
    if form is None and is_open:
        form = InviteForm(tournament=tournament)
    query = request.GET.get("q", "").replace("\0", "").strip()[:100]
    context = context_of(
        request,
        tournament,
        "manage",
        entries=Paginator(listed.order_by("state", "id"), PAGE_SIZE).get_page(request.GET.get("page")),
        query=query,
        offered=form.offered(tournament, query) if form and is_open else None,
        active=active,
        form=form,
        missing=max(0, tournament.players - active),
        progress=standings.progress(tournament),
        cost=_cost(tournament, active) if is_open and active >= tournament.players else None,
    )
    return render(request, "tournaments/manage.html", context, status=422 if form and form.errors else 200)


def _cost(tournament: Tournament, entries: int) -> Any:
    return cost(
        entries,
        players=tournament.players,
        deals=tournament.deals,
        ruleset_name=tournament.ruleset_name,
        pairs=ruleset_of(tournament).teams == "pairs",
    )


@login_required
@require_POST
def step(request: HttpRequest, slug: str, step: str) -> HttpResponse:
    """Open, pause or resume."""
    tournament = _own(request, slug)
    if step not in STEPS:
        raise Http404
    return _take(request, tournament, STEPS[step])


@login_required
@require_http_methods(FORM_METHODS)
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Freeze the entries and begin, after a page that says what that costs."""
    tournament = _own(request, slug)
    if request.method == "POST":
        return _take(request, tournament, lifecycle.start)
    if tournament.state != Tournament.State.OPEN:
        return redirect("tournaments:manage", slug)
    active = tournament.entries.filter(state=Entry.State.ACTIVE).count()
    context = context_of(
        request,
        tournament,
        "manage",
        active=active,
        missing=max(0, tournament.players - active),
        cost=_cost(tournament, active),
    )
    return render(request, "tournaments/start.html", context)


@login_required
@require_http_methods(FORM_METHODS)
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """End a tournament before its time, after a page that says what becomes of it."""
    tournament = _own(request, slug)
    if request.method == "POST":
        return _take(request, tournament, lifecycle.cancel)
    if tournament.state not in {Tournament.State.DRAFT, Tournament.State.OPEN, Tournament.State.RUNNING}:
        return redirect("tournaments:manage", slug)
    context = context_of(request, tournament, "manage", progress=standings.progress(tournament))
    return render(request, "tournaments/cancel.html", context)


def _take(request: HttpRequest, tournament: Tournament, take: Callable[[Tournament], Tournament]) -> HttpResponse:
    try:
        moved = take(tournament)
    except LifecycleError as error:
        notes.error(request, str(error))
    else:
        state = _("paused") if moved.paused_at and moved.state == "running" else moved.get_state_display()
        notes.success(request, _("“%(name)s” is now %(state)s.") % {"name": moved.name, "state": state})
    return redirect("tournaments:manage", tournament.slug)


@login_required
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter bots of whomever, by the organiser."""
    tournament = _own(request, slug)
    form = InviteForm(request.POST, tournament=tournament)
    if form.is_valid():
        try:
            entries = organising.enter_bots(tournament, list(form.cleaned_data["bots"]))
        except LifecycleError as error:
            form.add_error("bots", str(error))
        else:
            notes.success(request, _("Bots entered: %(count)d.") % {"count": len(entries)})
            return redirect("tournaments:manage", slug)
    return _manage(request, tournament, form)


def _entry(tournament: Tournament, pk: int) -> Entry:
    return get_object_or_404(Entry.objects.select_related("bot__owner", "version"), tournament=tournament, pk=pk)


@login_required
@require_http_methods(FORM_METHODS)
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take one's own bot out, after a page that says what becomes of its games."""
    tournament = find(request, slug)
    entry = _entry(tournament, pk)
    if entry.bot.owner_id != cast("User", request.user).pk:
        raise PermissionDenied
    if request.method == "POST":
        try:
            lifecycle.withdraw(entry)
        except LifecycleError as error:
            notes.error(request, str(error))
        else:
            notes.success(request, _("%(bot)s is withdrawn.") % {"bot": entry.bot.name})
        return redirect(tournament)
    if entry.state != Entry.State.ACTIVE:
        return redirect(tournament)
    return render(request, "tournaments/withdraw.html", context_of(request, tournament, "table", entry=entry))


@login_required
@require_http_methods(FORM_METHODS)
def disqualify(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a bot out by who runs the tournament, with a reason for all to read."""
    tournament = _own(request, slug)
    entry = _entry(tournament, pk)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            lifecycle.disqualify(entry, form.cleaned_data["reason"])
        except LifecycleError as error:
            form.add_error(None, str(error))
        else:
            notes.success(request, _("%(bot)s is disqualified.") % {"bot": entry.bot.name})
            return redirect("tournaments:manage", slug)
    context = context_of(request, tournament, "manage", entry=entry, form=form)
    return render(request, "tournaments/disqualify.html", context, status=422 if form.errors else 200)
