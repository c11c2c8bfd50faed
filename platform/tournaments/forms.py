"""The forms of tournaments."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from bots.models import Bot, BotVersion
from tournaments.models import Entry, Tournament


class EntryForm(forms.Form):
    """Which of one's own bots is to enter. Only those that could are offered."""

    bot = forms.ModelChoiceField(
        queryset=Bot.objects.none(),
        label=_("Bot"),
        empty_label=None,
        help_text=_("It enters with its current version, and keeps it to the end of a round robin."),
        error_messages={"required": _("Choose a bot.")},
    )

    def __init__(self, *args: Any, tournament: Tournament, owner: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["bot"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - tells the type checker what stands above
        inside = Entry.objects.filter(tournament=tournament, state__in=["active", "disqualified"]).values("bot")
        ready = BotVersion.objects.filter(state=BotVersion.State.READY).values("bot")
        field.queryset = Bot.objects.filter(owner=owner, pk__in=ready).exclude(pk__in=inside)
