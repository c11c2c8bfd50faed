"""Who asks: a program with a token, or a visitor. There are no cookies here, so nobody can be made to ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.security import HttpBearer

from accounts import tokens
from accounts.models import ApiToken, User
from api import limits
from api.errors import Refusal

CHALLENGE = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True)
class Caller:
    """Who makes a request, and what is counted for it."""

    user: User | AnonymousUser
    token: ApiToken | None
    key: str
    """Names the account or the address, for `limits.spend`."""

    @property
    def is_staff(self) -> bool:
        """Whether the drafts of others, and what was played of them, may be seen."""
        return self.user.is_staff

    @property
    def owner(self) -> User:
        """The account, where the operation cannot be reached without one."""
        if not isinstance(self.user, User):
            raise TypeError("A visitor reached an operation that needs a token.")
        return self.user


class Token(HttpBearer):
    """`Authorization: Bearer durak_...`."""

    def __init__(self, *, optional: bool = False, upload: bool = False) -> None:
        super().__init__()
        self.optional = optional
        self.upload = upload

    def __call__(self, request: HttpRequest) -> Caller:
        """Who asks. The request is counted, also one whose token opens nothing.

        Raises:
            Refusal: no token where one is needed, one that opens nothing, or one that may not do this.
            limits.OverLimitError: too many requests.
        """
        try:
            caller = self._identify(request)
        except Refusal:
            limits.spend(limits.VISITORS, limits.address_key(request))
            raise
        limits.spend(limits.VISITORS if caller.token is None else limits.ACCOUNTS, caller.key)
        if self.upload and caller.token is not None and not caller.token.may_upload:
            raise Refusal(403, _("This token may only read. Make one that may upload, on the page “API tokens”."))
        if self.upload and isinstance(caller.user, User) and caller.user.is_suspended:
            raise Refusal(
                403,
                _("Your account is suspended, so you can change nothing: %(reason)s")
                % {"reason": caller.user.suspension_reason},
            )
        return caller

    def authenticate(self, request: HttpRequest, token: str) -> Caller:  # noqa: ARG002 - the signature is django-ninja's
        """The owner of a token."""
        try:
            found = tokens.find(token)
        except tokens.TokenError as error:
            raise Refusal(401, str(error), headers=CHALLENGE) from None
        return Caller(found.user, found, limits.account_key(found.user_id))

    def _identify(self, request: HttpRequest) -> Caller:
        header = request.headers.get("Authorization")
        if header is None and self.optional:
            return Caller(AnonymousUser(), None, limits.address_key(request))
        scheme, _space, token = (header or "").partition(" ")
        if scheme.lower() != "bearer":
            sentence = _("This needs a token: send the header “Authorization: Bearer durak_…”.")
            raise Refusal(401, sentence, headers=CHALLENGE)
        return self.authenticate(request, token.strip())


anyone = Token(optional=True)
"""For what everybody may read. With a token more may be asked, and drafts are shown to those who make them."""
reader = Token()
"""For what belongs to somebody."""
uploader = Token(upload=True)
"""For what changes something."""

OPTIONAL: dict[str, Any] = {"security": [{}]}
"""Tells OpenAPI that an operation works without the token as well."""


def caller(request: HttpRequest) -> Caller:
    """Who makes a request that has passed one of the above."""
    found: Caller = request.auth  # type: ignore[attr-defined] # django-ninja sets it
    return found
