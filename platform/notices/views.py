"""Choosing notices, and ending them by the link in a mail."""

from typing import Any, cast

from django.conf import settings
from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import User
from notices import sending, stopping
from notices.forms import ChoiceForm
from notices.models import Choice

METHODS = ["GET", "HEAD", "POST"]


@login_required
@require_http_methods(METHODS)
def choose(request: HttpRequest) -> HttpResponse:
    """What somebody wants to be told by mail."""
    user = cast("User", request.user)
    now: dict[str, Any] = {
        "language": get_language() or settings.LANGUAGE_CODE,
        "site": request.build_absolute_uri("/"),
        "since": timezone.now(),
    }
    if request.method == "POST":
        # Of two forms at the same moment the second finds the row of the first.
        choice, _made = Choice.objects.get_or_create(user=user, defaults=now)
        if choice.wants_any:
            # What lies behind is not made up for when he begins to be told; who is told already goes on.
            del now["since"]
        form = ChoiceForm(request.POST, instance=choice)
        if form.is_valid():
            chosen = form.save(commit=False)
            for field, value in now.items():
                setattr(chosen, field, value)
            chosen.save()
            notes.success(request, _("Saved."))
            return redirect("notices:settings")
    else:
        form = ChoiceForm(instance=Choice.objects.filter(user=user).first() or Choice(user=user))
    return render(request, "notices/settings.html", {"form": form, "address": sending.address_of(user)})


@csrf_exempt  # a mail program that is told to unsubscribe posts here, without a page or a cookie of ours
@never_cache
@require_http_methods(METHODS)
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """End all notices of who got the mail: after one press, since mail programs open links by themselves."""
    try:
        user = stopping.owner(token)
    except stopping.BadLinkError:
        raise Http404 from None
    done = request.method == "POST"
    if done:
        stopping.stop(user)
    return render(request, "notices/stop.html", {"done": done})
