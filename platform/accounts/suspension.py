"""What a suspended account may still do: sign in, read, appeal, take its data along, be closed. And nothing else."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from accounts.models import User

ALLOWED = ("/accounts/", "/account/", "/notices/", "/i18n/", "/theme/")
"""Where a suspended account may send forms: its own sign-in, data and tokens; the end of its mails; the language and
colours of pages."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class SuspensionMiddleware(MiddlewareMixin):
    """Answers whatever a suspended account wants to change with the reason, and how to appeal.

    One place for all pages, those that are yet to be written among them. The API asks for itself: it knows no sessions.
    """

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """The refusal, or None where the view shall answer."""
        if request.method in SAFE_METHODS or request.path.startswith(ALLOWED):
            return None
        user = request.user
        if not isinstance(user, User) or not user.is_suspended:
            return None
        return render(request, "accounts/suspended.html", status=403)
