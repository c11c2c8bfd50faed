"""One's data: taken along as a file, or erased with the account."""

from typing import cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages as notes
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from pages import account_data
from pages.forms import DeleteForm
from tournaments.streaming import download


@login_required
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """What the site keeps, and the two things that can be done about it."""
    return render(request, "accounts/data.html")


@login_required
@never_cache
@require_safe
def export(request: HttpRequest) -> StreamingHttpResponse:
    """Everything about the account as one JSON file."""
    user = cast("User", request.user)
    return download(
        request, account_data.export(user), kind="application/json; charset=utf-8", filename="durak-arena-account.json"
    )


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Close the account, after its owner has signed in anew, read what goes and stays, and typed its name."""
    user = cast("User", request.user)
    if user.is_staff or user.is_superuser:
        return render(request, "accounts/delete.html", {"form": None})
    form = DeleteForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        account_data.delete(user)
        logout(request)
        notes.success(request, _("Your account is deleted. What your bots played stays, without your name."))
        return redirect("home")
    return render(request, "accounts/delete.html", {"form": form}, status=422 if form.errors else 200)
