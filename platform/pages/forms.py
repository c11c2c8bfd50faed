"""The forms of pages that draw on several apps: deleting an account, decisions of staff."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.models.suspendable import REASON_LENGTH


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


class DecisionForm(forms.Form):
    """Why a member of staff decides something about a bot or an account."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        required=False,
        help_text=_("The owner reads it, word for word. Not needed to lift a suspension or to show a name again."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    use_required_attribute = False


class NoteForm(forms.Form):
    """What a member of staff found out about a file that several accounts uploaded."""

    note = forms.CharField(
        label=_("Note for your colleagues"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
