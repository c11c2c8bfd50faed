"""How much of the queue one user may have."""

from __future__ import annotations

from django.conf import settings

from bots.models import Bot
from tournaments.models import Match, Tournament


def waiting_of(owner_id: int) -> int:
    """How many matches of the ladder wait in which a bot of this user sits."""
    waiting = Match.objects.filter(state=Match.State.QUEUED, tournament__kind=Tournament.Kind.LADDER)
    return waiting.filter(seats__entry__bot__owner=owner_id).distinct().count()


def is_held_back(bot: Bot) -> bool:
    """Whether a further version of this bot has to wait before it joins the ladder, for its owner's matches to be
    played first. Nobody who plays in it is held back at all."""
    return not bot.owner.is_staff and waiting_of(bot.owner_id) >= settings.QUOTA_QUEUED_MATCHES
