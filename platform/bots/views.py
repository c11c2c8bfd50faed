"""What a bot's author does: make a bot, upload versions, watch the check, pick which version plays."""

from typing import cast

from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from arena.archive import ArchiveError
from bots import author_pages, selectors, services
from bots.forms import EditBotForm, NewBotForm, PickForm, UploadForm
from bots.models import Bot, BotVersion
from bots.refusals import said

FORM_METHODS = ["GET", "HEAD", "POST"]


def own_bot(request: HttpRequest, slug: str) -> Bot:
    """The bot with a slug, for its owner and for staff.

    Raises:
        PermissionDenied: it is somebody else's.
        Http404: there is none.
    """
    bot = get_object_or_404(Bot.objects.select_related("owner", "picked_version"), slug=slug)
    if not selectors.is_owner(request.user, bot):
        raise PermissionDenied
    return bot


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """One's own bots, and how their newest versions do."""
    return render(request, "bots/mine.html", {"bots": author_pages.own(cast("User", request.user))})


@login_required
@require_http_methods(FORM_METHODS)
def new(request: HttpRequest) -> HttpResponse:
    """A bot and its first version, in one form."""
    owner = cast("User", request.user)
    form = NewBotForm(request.POST or None, request.FILES or None, owner=owner)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                bot = services.create_bot(owner, form.cleaned_data["name"], form.cleaned_data["description"])
                version = services.submit_version(bot, *form.upload)
        except ValidationError as error:
            form.refuse("name", " ".join(error.messages))
        except ArchiveError as error:
            form.refuse(form.source, said(error))
        else:
            return redirect(version)
    return render(request, "bots/new.html", {"form": form}, status=422 if form.errors else 200)


@login_required
@require_http_methods(FORM_METHODS)
def upload(request: HttpRequest, slug: str) -> HttpResponse:
    """A new version of a bot."""
    bot = own_bot(request, slug)
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            version = services.submit_version(bot, *form.upload)
        except ArchiveError as error:
            form.refuse(form.source, said(error))
        else:
            return redirect(version)
    return render(request, "bots/upload.html", {"form": form, "bot": bot}, status=422 if form.errors else 200)


@login_required
@require_http_methods(FORM_METHODS)
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Name and description of a bot."""
    bot = own_bot(request, slug)
    form = EditBotForm(request.POST or None, instance=bot)
    if request.method == "POST" and form.is_valid():
        try:
            saved = services.edit_bot(bot, form.cleaned_data["name"], form.cleaned_data["description"])
        except ValidationError as error:
            form.add_error(None, error)
        else:
            notes.success(request, _("Saved."))
            return redirect(saved)
    shown = {"form": form, "bot": Bot.objects.get(pk=bot.pk)}
    return render(request, "bots/edit.html", shown, status=422 if form.errors else 200)


@login_required
@require_POST
def pick(request: HttpRequest, slug: str) -> HttpResponse:
    """Which version plays: one that is chosen, or always the newest that is ready."""
    bot = own_bot(request, slug)
    form = PickForm(request.POST, bot=bot)
    if form.is_valid():
        services.pick_version(bot, form.cleaned_data["version"])
        notes.success(request, _("Saved. It plays from its next match on."))
    else:
        notes.error(request, _("Only a version that has passed its check can play."))
    return redirect(bot)


@require_safe
def version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One version: how its check goes, and for its owner what the check found.

    The page asks for its changing part again and again while the check runs (`?part=check`).
    """
    found = get_object_or_404(BotVersion.objects.select_related("bot__owner", "file"), bot__slug=slug, number=number)
    context = {"bot": found.bot, "version": found, "check": author_pages.check_of(request.user, found)}
    part = request.GET.get("part") == "check"
    return render(request, "bots/_check.html" if part else "bots/version.html", context)


@login_required
@require_safe
def download(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What was uploaded, for its owner: never shown by the browser, always saved."""
    bot = own_bot(request, slug)
    found = get_object_or_404(BotVersion.objects.select_related("file"), bot=bot, number=number)
    ending = "zip" if found.filename.lower().endswith(".zip") else "py"
    headers = {
        "Content-Disposition": f'attachment; filename="{bot.slug}-v{found.number}.{ending}"',
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox",
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(bytes(found.file.content), content_type="application/octet-stream", headers=headers)


@login_required
@require_safe
def reproduction(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The game in which a version failed its check, for `python -m arena reproduce`. For its owner."""
    bot = own_bot(request, slug)
    found = author_pages.reproduction(
        get_object_or_404(BotVersion.objects.select_related("bot"), bot=bot, number=number)
    )
    if found is None:
        raise Http404
    headers = {
        "Content-Disposition": f'attachment; filename="{bot.slug}-v{number}-failure.json"',
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(found.dumps(), content_type="application/json; charset=utf-8", headers=headers)
