"""Secrets, commitments and decks."""

import hashlib

import pytest
from django.db import IntegrityError, transaction

from arena.durak import GameRecord
from tests.web import factories
from tournaments import fairness, lifecycle
from tournaments.models import DealSecret

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished():
    tournament = factories.round_robin([factories.bot() for _ in range(3)])
    factories.play(tournament)
    return lifecycle.finish(tournament)


def games(tournament):
    return list(tournament.matches.first().games.select_related("match__secret", "match__tournament"))


def test_a_tournament_is_committed_to_its_secret_from_the_moment_it_is_made():
    tournament = lifecycle.create_round_robin("Cup")
    secret = DealSecret.objects.get(tournament=tournament)
    assert secret.commitment == hashlib.sha256(bytes(secret.secret)).hexdigest()
    assert fairness.ensure_secret(tournament) == secret


def test_there_is_one_secret_a_tournament_and_one_a_day():
    tournament, ladder = lifecycle.create_round_robin("Cup"), lifecycle.ensure_ladder()
    for made in (tournament, ladder):
        secret = DealSecret.objects.get(tournament=made)
        with pytest.raises(IntegrityError), transaction.atomic():
            DealSecret.objects.create(tournament=made, day=secret.day, secret=b"x" * 32, commitment="")


def test_no_two_deals_of_a_tournament_have_the_same_deck(finished):
    decks = [
        deck for match in finished.matches.select_related("secret", "tournament") for deck in fairness.decks_of(match)
    ]
    assert len(set(decks)) == len(decks) == 6


def test_nothing_about_the_secret_is_in_a_record(finished):
    game = games(finished)[0]
    secret = bytes(game.match.secret.secret)
    assert secret not in bytes(game.record)
    assert secret.hex() not in str(GameRecord.from_compact(bytes(game.record)).to_json())
