"""The form that makes a token of the API."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiToken
from accounts.models.token import NAME_LENGTH
from accounts.tokens import LIFETIMES

LIFETIME_WORDS = {7: _("a week"), 30: _("30 days"), 90: _("90 days"), 365: _("a year")}


class TokenForm(forms.Form):
    """A new token: what it is called, what it may, and how long."""

    name = forms.CharField(
        label=_("Name"),
        max_length=NAME_LENGTH,
        help_text=_("For you, to tell your tokens apart: the computer or the program that uses it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scope = forms.ChoiceField(label=_("It may"), choices=ApiToken.Scope.choices, initial=ApiToken.Scope.UPLOAD)
    days = forms.TypedChoiceField(
        label=_("It is valid for"),
        choices=[(days, LIFETIME_WORDS[days]) for days in LIFETIMES],
        coerce=int,
        initial=90,
    )

    use_required_attribute = False
