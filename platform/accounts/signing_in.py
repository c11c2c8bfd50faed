"""Signing in and up where staff has hidden a name: its owner still signs in with it, and nobody else can take it."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts import moderation
from accounts.models import User


class Adapter(DefaultAccountAdapter):  # type: ignore[misc] # allauth ships no types
    """Refuses names that are not to be had, beside those that allauth refuses; keeps what staff decides meanwhile."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name, as allauth cleans it.

        Raises:
            ValidationError: it is taken, or reserved.
        """
        cleaned: str = super().clean_username(username, shallow)
        if not shallow and moderation.is_reserved(cleaned):
            raise ValidationError(_("This name cannot be used. Please choose another one."))
        return cleaned

    def set_password(self, user: User, password: str) -> None:
        """Give somebody another password, and write nothing else: allauth writes the row as it was when the request
        came in, and a suspension of that moment would be undone."""
        user.set_password(password)
        user.save(update_fields=["password"])


class Backend(AuthenticationBackend):  # type: ignore[misc] # as above
    """Knows somebody whose name is hidden by the name that he chose."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """The user, as allauth finds him."""
        name = credentials.get("username")
        if name:
            hidden = User.objects.filter(hidden_name__iexact=name).values_list("username", flat=True).first()
            if hidden is not None:
                credentials["username"] = hidden
        found: User | None = super().authenticate(request, **credentials)
        return found
