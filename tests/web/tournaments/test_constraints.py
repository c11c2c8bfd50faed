"""What the database itself refuses, whatever the code above it does."""

import pytest
from django.db import IntegrityError, transaction

from tests.web import factories
from tournaments.models import Entry, Game, Match, RatingPoint, Seat, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    tournament = factories.round_robin([factories.bot() for _ in range(3)])
    factories.play(tournament, limit=2)
    return tournament


def copy(row):
    row.pk = None
    row.save(force_insert=True)


REFUSED = {
    "an unknown state of a tournament": lambda: Tournament.objects.update(state="paused"),
    "an unknown kind of tournament": lambda: Tournament.objects.update(kind="swiss"),
    "a table for one": lambda: Tournament.objects.update(players=1),
    "an unknown state of an entry": lambda: Entry.objects.update(state="gone"),
    "games that do not add up": lambda: Entry.objects.update(won=1000),
    "one version twice": lambda: copy(Entry.objects.first()),
    "one bot twice": lambda: Entry.objects.create(
        tournament=(entry := Entry.objects.first()).tournament, bot=entry.bot, version=factories.version(entry.bot)
    ),
    "an unknown state of a match": lambda: Match.objects.update(state="lost"),
    "a running match without a lease": lambda: Match.objects.filter(state="queued").update(state="running"),
    "a finished match without a place in the order": lambda: Match.objects.filter(state="queued").update(
        state="finished"
    ),
    "two matches of one place in the order": lambda: Match.objects.filter(state="finished").update(rated_order=1),
    "one table twice in a round": lambda: copy(Match.objects.filter(state="queued").first()),
    "one seat twice": lambda: Seat.objects.update(index=0),
    "one entry twice at a table": lambda: Seat.objects.update(entry=Entry.objects.first()),
    "one game twice": lambda: copy(Game.objects.first()),
    "an unknown ending": lambda: Game.objects.update(ending="boredom"),
    "one match rated twice": lambda: copy(RatingPoint.objects.first()),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_database_refuses(played, name):
    with pytest.raises(IntegrityError), transaction.atomic():
        REFUSED[name]()
