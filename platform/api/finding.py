"""Finds what an address names, for who may see it; for everybody else it is not there."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from api.auth import caller
from api.errors import Refusal, not_found
from bots import selectors
from bots.models import Bot, BotVersion
from replays import games
from replays.games import ShownGame
from tournaments import organising
from tournaments.models import Tournament


def bot(slug: str) -> Bot:
    """A bot with its owner and the version that was picked. One query."""
    found = Bot.objects.select_related("owner", "picked_version").filter(slug=slug).first()
    if found is None:
        raise not_found(_("There is no bot “%(slug)s”.") % {"slug": slug})
    return found


def own_bot(request: HttpRequest, slug: str) -> Bot:
    """A bot, for its owner and for staff. One query."""
    found = bot(slug)
    if not selectors.is_owner(caller(request).user, found):
        raise Refusal(403, _("The bot “%(slug)s” is somebody else's.") % {"slug": slug})
    return found


def version(request: HttpRequest, slug: str, number: int) -> BotVersion:
    """A version with its bot; one that has not passed its check, for its owner and for staff. One query."""
    found = (
        BotVersion.objects.select_related("bot__owner", "file")
        .defer("file__content")
        .filter(bot__slug=slug, number=number)
        .first()
    )
    hidden = found is not None and found.state != BotVersion.State.READY
    if found is None or (hidden and not selectors.is_owner(caller(request).user, found.bot)):
        raise not_found(_("There is no version %(number)d of the bot “%(slug)s”.") % {"number": number, "slug": slug})
    return found


def tournament(request: HttpRequest, slug: str) -> Tournament:
    """A tournament; a draft, for staff and for the organiser who made it. One query."""
    found = Tournament.objects.filter(slug=slug).first()
    if found is None or not organising.may_see(caller(request).user, found):
        raise not_found(_("There is no tournament “%(slug)s”.") % {"slug": slug})
    return found


def game(request: HttpRequest, pk: int) -> ShownGame:
    """A finished game; of a draft, for staff. Two queries."""
    try:
        return games.find_game(pk, drafts=caller(request).is_staff)
    except games.NotThere:
        raise not_found(_("There is no finished game %(number)d.") % {"number": pk}) from None
