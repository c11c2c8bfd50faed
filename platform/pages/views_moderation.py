"""Moderation and the audit log, for staff alone."""

from typing import Any, cast

from django.contrib import messages as notes
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.moderation import ModerationError
from bots.models import Bot, BotFile
from pages import moderation
from pages.forms import DecisionForm, NoteForm
from pages.views_operations import staff_only

PAGE_SIZE = 50


def _query(request: HttpRequest) -> str:
    return request.GET.get("q", "").replace("\0", "").strip()[:100]


@staff_only
@never_cache
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """What is suspended, hidden or flagged, and a search."""
    query = _query(request)
    context = {"overview": moderation.overview(query), "query": query, "note": NoteForm()}
    return render(request, "moderation/overview.html", context)


@staff_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """One bot: what was and what can be decided about it."""
    return _decide(request, get_object_or_404(Bot.objects.select_related("owner"), slug=slug))


@staff_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def user(request: HttpRequest, pk: int) -> HttpResponse:
    """One account: what was and what can be decided about it."""
    return _decide(request, get_object_or_404(User, pk=pk, is_active=True))


def _decide(request: HttpRequest, subject: User | Bot) -> HttpResponse:
    form = DecisionForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        decide = moderation.decisions_about(subject).get(request.POST.get("decision", ""))
        if decide is None:
            raise Http404
        try:
            decide(form.cleaned_data["reason"], cast("User", request.user))
        except ModerationError as error:
            form.add_error("reason", str(error))
        else:
            notes.success(request, _("Done, and written down in the audit log."))
            subject.refresh_from_db()
            if isinstance(subject, Bot):
                return redirect("moderate-bot", subject.slug)
            return redirect("moderate-user", subject.pk)
    context: dict[str, Any] = {"subject": subject, "form": form, "log": moderation.log_of(subject)}
    if isinstance(subject, User):
        context["bots"] = Bot.objects.filter(owner=subject).order_by("name")[: moderation.MOST]
    template = "moderation/user.html" if isinstance(subject, User) else "moderation/bot.html"
    return render(request, template, context, status=422 if form.errors else 200)


@staff_only
@require_POST
def accept_file(request: HttpRequest, digest: str) -> HttpResponse:
    """Take a file of several accounts off the list."""
    form = NoteForm(request.POST)
    try:
        moderation.accept_shared(
            digest, form.cleaned_data["note"] if form.is_valid() else "", cast("User", request.user)
        )
    except BotFile.DoesNotExist:
        raise Http404 from None
    notes.success(request, _("Off the list, until another account uploads the same file."))
    return redirect("moderation")


@staff_only
@never_cache
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """What staff did, newest first."""
    query = _query(request)
    page = Paginator(moderation.log(query), PAGE_SIZE).get_page(request.GET.get("page"))
    return render(request, "moderation/log.html", {"page": page, "query": query})
