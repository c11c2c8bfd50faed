from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import tokens
from accounts.models import ApiToken, User
from upkeep.admin_site import WritesWhatWasChanged

if TYPE_CHECKING:
    TokenBase = admin.ModelAdmin[ApiToken]
    AccountBase = UserAdmin[User]
else:
    TokenBase = admin.ModelAdmin
    AccountBase = UserAdmin


@admin.register(User)
class AccountAdmin(WritesWhatWasChanged, AccountBase):
    """Django's own, which writes what was changed."""


@admin.register(ApiToken)
class ApiTokenAdmin(WritesWhatWasChanged, TokenBase):
    """Staff sees who has which tokens, and revokes one that has leaked. Nobody makes one for somebody else."""

    list_display = ("name", "user", "scope", "created_at", "expires_at", "last_used_at", "revoked_at")
    list_filter = ("scope", "revoked_at")
    list_select_related = ("user",)
    search_fields = ("name", "user__username", "hint")
    readonly_fields = ("user", "name", "hint", "scope", "created_at", "expires_at", "last_used_at", "revoked_at")
    actions = ("revoke",)

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - the signature is Django's
        return False

    @admin.action(description=_("Revoke"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:  # noqa: ARG002 - as above
        for token in queryset:
            tokens.revoke(token)
