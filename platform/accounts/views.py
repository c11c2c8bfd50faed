"""The tokens of one's account: making one, which shows it once, and revoking it."""

from typing import cast

from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from accounts import tokens
from accounts.forms import TokenForm
from accounts.models import User


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("text")
def token_list(request: HttpRequest) -> HttpResponse:
    """One's tokens, and the form for another. The answer to that form is the only page that ever shows the token."""
    user = cast("User", request.user)
    form = TokenForm(request.POST or None)
    made, text = None, ""
    if request.method == "POST" and form.is_valid():
        try:
            made, text = tokens.make(user, **form.cleaned_data)
        except tokens.TokenError as error:
            form.add_error("name", str(error))
        else:
            form = TokenForm()
    context = {"tokens": tokens.live(user), "form": form, "made": made, "text": text, "most": tokens.MOST}
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke one of one's own tokens."""
    token = get_object_or_404(tokens.live(cast("User", request.user)), pk=pk)
    tokens.revoke(token)
    notes.success(request, _("The token “%(name)s” is revoked. Nothing opens with it any more.") % {"name": token.name})
    return redirect("accounts:tokens")
