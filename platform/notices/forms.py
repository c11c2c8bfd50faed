"""The form on which somebody says what he wants to be told."""

from django import forms

from notices.models import Choice


class ChoiceForm(forms.ModelForm):  # type: ignore[type-arg] # no generic at run time
    """Three boxes, all empty before he ticks one."""

    class Meta:
        model = Choice
        fields = ("check_ended", "version_fails", "tournament_finished")
