"""The form that deletes an account."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class DeleteForm(forms.Form):
    """The name of the account, typed: nobody deletes one by a slip."""

    name = forms.CharField(
        label=_("Type the name of your account"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
        error_messages={"required": _("Type the name of your account, so that it is not deleted by a slip.")},
    )

    use_required_attribute = False

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_name(self) -> str:
        """The name, if it is the right one."""
        name: str = self.cleaned_data["name"]
        if name != self.user.get_username():
            raise forms.ValidationError(gettext("That is not the name of this account. It is shown above."))
        return name
