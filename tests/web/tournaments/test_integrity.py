"""The integrity check: quiet about what is right, and loud about each way in which it is not."""

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.web import factories
from tournaments import integrity
from tournaments.models import DealSecret, Entry, Game, Match, RatingPoint, Seat, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    tournament = factories.round_robin([factories.bot() for _ in range(4)])
    factories.play(tournament, limit=5)
    tournament.refresh_from_db()
    return tournament


def swap_points():
    seat = Seat.objects.filter(match__state="finished").earliest("id")
    Seat.objects.filter(pk=seat.pk).update(points=seat.points + 1)


def swap_record():
    game, other = Game.objects.filter(deal=0, rotation=0).order_by("id")[:2]
    Game.objects.filter(pk=game.pk).update(record=other.record, ending=other.ending, places=other.places)


def rate_unfinished():
    match = Match.objects.get(state="queued")
    entry = match.seats.get(index=0).entry
    RatingPoint.objects.create(entry=entry, match=match, order=99, before=1500.0, after=1500.0)


TAMPERING = {
    "the secret is another": (lambda: DealSecret.objects.update(secret=b"x" * 32), "committed"),
    "the secret is public too early": (lambda: DealSecret.objects.update(revealed_at=timezone.now()), "is public"),
    "a game is missing": (lambda: Game.objects.earliest("id").delete(), "each deal in each rotation"),
    "all games of a match are missing": (
        lambda: Game.objects.filter(match=Match.objects.filter(state="finished").earliest("id")).delete(),
        "has no games",
    ),
    "the tournament ended early": (lambda: Tournament.objects.update(state="finished"), "are not"),
    "a seat has other points": (swap_points, "points"),
    "a seat lacks a game": (lambda: Seat.objects.filter(won__gt=0).update(won=0), "another number of games"),
    "a failure was made up": (lambda: Seat.objects.update(failures={"time": 1}), "other failures"),
    "Elo was given away": (
        lambda: Entry.objects.filter(pk=Entry.objects.earliest("id").pk).update(elo=1),
        "sum of Elo",
    ),
    "history was changed": (lambda: RatingPoint.objects.update(before=1), "history of Elo"),
    "history is missing": (lambda: RatingPoint.objects.all().delete(), "history of Elo"),
    "a match is rated and not finished": (rate_unfinished, "rated and not finished"),
    "the count of rated matches is off": (lambda: Tournament.objects.update(rated=4), "counts 4"),
    "a result is another than its record's": (
        lambda: Game.objects.filter(ending="fool").update(ending="stalemate"),
        "another result",
    ),
    "a game was played with another deck": (swap_record, "deck"),
    "a record is broken": (lambda: Game.objects.update(record=b"?"), "Game "),
}


def test_a_tournament_that_was_played_adds_up(played):
    assert list(integrity.check_tournament(played)) == []


@pytest.mark.parametrize("name", TAMPERING)
def test_tampering_is_found(played, name):
    tamper, told = TAMPERING[name]
    tamper()
    findings = list(integrity.check_tournament(played))
    assert any(told in finding for finding in findings), findings


def test_the_command_fails_loudly_and_changes_nothing(played, capsys):
    call_command("check_integrity")
    assert "Everything adds up." in capsys.readouterr().out
    Entry.objects.update(elo=1.0)
    for _ in range(2):
        with pytest.raises(CommandError, match="do not add up"):
            call_command("check_integrity", played.slug, "--no-records")
    assert set(Entry.objects.values_list("elo", flat=True)) == {1.0}


def test_the_command_knows_the_addresses(played):
    with pytest.raises(CommandError, match="no tournament 'nowhere'"):
        call_command("check_integrity", "nowhere")
