"""Atom feeds: the newest results of the site, and those of one bot."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from bots.models import Bot
from pages.templatetags.ui import clean_name
from tournaments import listings
from tournaments.models import Match

if TYPE_CHECKING:
    ResultsBase = Feed[Match, Bot | None]
else:
    ResultsBase = Feed

NEWEST = 40


class Results(ResultsBase):
    """The newest finished matches of all tournaments."""

    feed_type = Atom1Feed

    def title(self, obj: Bot | None) -> str:
        return "Durak Arena" if obj is None else f"{clean_name(obj.name)} · Durak Arena"

    def subtitle(self, obj: Bot | None) -> str:  # noqa: ARG002 - Django passes it by name
        return _("The newest results")

    def link(self, obj: Bot | None) -> str:
        return reverse("home") if obj is None else obj.get_absolute_url()

    def items(self, obj: Bot | None) -> Sequence[Match]:
        found = listings.matches(state=Match.State.FINISHED, bot=obj.slug if obj else "")
        return list(found.order_by("-finished_at")[:NEWEST])

    def item_title(self, item: Match) -> str:
        seats = item.seats.all()
        scores = ((clean_name(seat.version.bot.name), (seat.score or 0.0) * 100) for seat in seats)
        return " – ".join(f"{name} {number_format(round(score), 0)}" for name, score in scores)

    def item_description(self, item: Match) -> str:
        words = _("%(tournament)s, match %(number)d. Scores in per cent of the points.")
        return words % {"tournament": clean_name(item.tournament.title), "number": item.number}

    def item_pubdate(self, item: Match) -> datetime | None:
        return item.finished_at

    def item_updateddate(self, item: Match) -> datetime | None:
        return item.finished_at


class BotResults(Results):
    """The newest finished matches of one bot."""

    def get_object(self, request: HttpRequest, slug: str) -> Bot:  # noqa: ARG002 - Django passes it
        return get_object_or_404(Bot, slug=slug)
