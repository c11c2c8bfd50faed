"""One match of the queue: what happens when everything goes well, and when it does not."""

import os
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from arena.local import LocalPlayer
from arena.match import play_match as play_in_process
from bots import sandboxes
from sandbox import SandboxError
from tests.web import factories
from tests.web.tournaments.made import Lowest
from tournaments import fairness, integrity, patience, play, queue, results
from tournaments.models import DealSecret, Match
from tournaments.play import Ending

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return factories.round_robin([factories.bot(), factories.bot()]).matches.get()


@pytest.fixture(autouse=True)
def referee(monkeypatch):
    """Plays in this process. Set `before` to a function that is called when a match begins."""

    class Referee:
        before = staticmethod(lambda: None)
        between = staticmethod(lambda: None)

        def play(self, entrants, ruleset, decks, limits, _pool, on_progress):
            def progress(done, total):
                self.between()
                on_progress(done, total)

            self.before()
            players = [LocalPlayer(Lowest, entrant.name, entrant.version) for entrant in entrants]
            return play_in_process(players, ruleset, decks, limits, progress)

    replacement = Referee()
    monkeypatch.setattr(play, "referee", replacement)
    monkeypatch.setattr(sandboxes, "pool", lambda: None)
    monkeypatch.setattr(sandboxes, "_own", sandboxes._Process(os.getpid()))
    return replacement


def fail(error: Exception):
    def raise_it():
        raise error

    return raise_it


def again(match: Match) -> Ending:
    """The next attempt, without the wait before it."""
    Match.objects.update(retry_at=None)
    return play.play_match(match.pk, "host/1")


def test_a_match_is_played_with_the_decks_of_its_secret_and_recorded(match):
    assert play.play_match(match.pk, "host/1") is Ending.RECORDED
    match.refresh_from_db()
    assert (match.state, match.worker, match.progress) == ("finished", "host/1", 4)
    assert list(integrity.check_tournament(match.tournament)) == []


def test_a_match_that_gets_other_decks_before_it_is_claimed_is_played_with_those(monkeypatch):
    """Its own have become public while it was set aside, and a worker held an old announcement of it."""
    ladder = factories.ladder([factories.bot(), factories.bot()])
    match = ladder.matches.get()
    queue.park(match, "by staff")
    tomorrow = timezone.now() + timedelta(days=1)
    assert fairness.reveal_past_days(tomorrow) == 1
    DealSecret.objects.update(day=timezone.now().date() - timedelta(days=1))

    def retried_just_before(*arguments):
        queue.retry(match)
        return claim(*arguments)

    claim = queue.claim
    monkeypatch.setattr(queue, "claim", retried_just_before)
    assert play.play_match(match.pk, "host/1") is Ending.RECORDED
    assert Match.objects.get(pk=match.pk).secret_id != match.secret_id
    assert list(integrity.check_tournament(ladder)) == []


def test_a_second_delivery_finds_nothing_to_do(match):
    play.play_match(match.pk, "host/1")
    assert play.play_match(match.pk, "host/2") is Ending.NOT_TO_BE_HAD
    assert play.play_match(match.pk + 1000, "host/2") is Ending.NOT_TO_BE_HAD


def test_progress_can_be_seen_while_it_is_played(match, referee):
    seen = []
    referee.between = lambda: seen.append(Match.objects.get(pk=match.pk).progress)
    play.play_match(match.pk, "host/1")
    assert sorted(set(seen)) == [0, 1, 2, 3]


def test_a_fault_of_the_sandbox_charges_nobody_and_is_told(match, referee, monkeypatch):
    monkeypatch.setattr(sandboxes, "are_usable", lambda: True)
    referee.before = fail(SandboxError("The engine does not answer."))
    assert play.play_match(match.pk, "host/1") is Ending.RELEASED
    match.refresh_from_db()
    assert (match.state, match.attempt, match.error) == ("queued", 1, "The engine does not answer.")
    assert match.games.count() == match.points.count() == 0
    referee.before = lambda: None
    assert again(match) is Ending.RECORDED
    match.refresh_from_db()
    assert (match.error, match.attempt, match.rated_order) == ("", 2, 1)


def test_a_match_that_always_fails_is_parked_after_three_attempts_and_the_rest_goes_on(referee, monkeypatch):
    monkeypatch.setattr(sandboxes, "are_usable", lambda: True)
    tournament = factories.round_robin([factories.bot() for _ in range(3)])
    poison, *others = tournament.matches.order_by("id")
    referee.before = fail(SandboxError("A container was removed."))
    assert [again(poison) for _ in range(5)] == [Ending.RELEASED] * 3 + [Ending.NOT_TO_BE_HAD] * 2
    referee.before = lambda: None
    assert [play.play_match(match.pk, "host/1") for match in others] == [Ending.RECORDED] * 2
    poison.refresh_from_db()
    assert (poison.state, poison.attempt) == ("parked", 3)
    assert list(integrity.check_tournament(tournament)) == []


def test_an_error_of_our_own_is_raised_and_the_match_is_tried_again(match, referee):
    referee.before = fail(ZeroDivisionError("division by zero"))
    with pytest.raises(ZeroDivisionError):
        play.play_match(match.pk, "host/1")
    match.refresh_from_db()
    assert (match.state, match.error) == ("queued", "ZeroDivisionError: division by zero")


def test_a_worker_whose_lease_was_given_away_stops_playing(match, referee):
    games = []

    def lose_the_lease():
        games.append(1)
        if len(games) == 2:
            Match.objects.update(attempt=2)

    referee.between = lose_the_lease
    assert play.play_match(match.pk, "host/1") is Ending.GIVEN_AWAY
    match.refresh_from_db()
    assert (match.state, match.games.count(), len(games)) == ("running", 0, 2)


def test_a_match_whose_tournament_is_cancelled_stops(match, referee):
    referee.between = lambda: queue.cancel_all(match.tournament)
    assert play.play_match(match.pk, "host/1") is Ending.GIVEN_AWAY
    match.refresh_from_db()
    assert match.state == "cancelled"


def test_a_database_that_restarts_in_mid_match_costs_no_game(match, monkeypatch):
    renew, calls = queue.renew, []

    def restart_once(claim, games):
        calls.append(games)
        if len(calls) == 2:
            raise OperationalError("server closed the connection unexpectedly")
        return renew(claim, games)

    monkeypatch.setattr(queue, "renew", restart_once)
    monkeypatch.setattr(connection, "close", lambda: None)  # the test's own transaction must outlive it
    assert play.play_match(match.pk, "host/1") is Ending.RECORDED


def test_while_the_engine_is_down_nothing_is_begun(match, referee, monkeypatch):
    down = fail(SandboxError("The engine does not answer."))
    referee.before = down
    assert play.play_match(match.pk, "host/1") is Ending.RELEASED
    with monkeypatch.context() as outage:
        outage.setattr(sandboxes, "backend", down)
        outage.setattr(play, "OUTAGE_SECONDS", 0.0)
        assert [again(match) for _ in range(5)] == [Ending.NO_SANDBOXES] * 5
    match.refresh_from_db()
    assert match.attempt == 1
    backend = SimpleNamespace(open=lambda *_, **__: SimpleNamespace(close=lambda: None), reap=list)
    monkeypatch.setattr(sandboxes, "backend", lambda: backend)
    referee.before = lambda: None
    assert again(match) is Ending.RECORDED


def test_an_engine_that_comes_back_is_waited_for(match, referee, monkeypatch):
    answers = iter([False, False, True])
    monkeypatch.setattr(sandboxes, "are_usable", lambda: next(answers))
    monkeypatch.setattr(patience, "PAUSE_SECONDS", 0.0)
    assert play.play_match(match.pk, "host/1") is Ending.RECORDED


def test_a_host_without_an_engine_gives_its_matches_back(match, referee, monkeypatch):
    assert queue.take_due() == [match.pk]
    monkeypatch.setattr(sandboxes, "are_usable", lambda: False)
    monkeypatch.setattr(play, "OUTAGE_SECONDS", 0.0)
    assert play.play_match(match.pk, "host/1") is Ending.NO_SANDBOXES
    assert queue.take_due() == [match.pk]


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_at_the_end_loses_no_result(match, monkeypatch):
    monkeypatch.setattr(patience, "PAUSE_SECONDS", 0.0)
    record, outages = results.record, [OperationalError("the connection is lost"), OperationalError("refused")]

    def away_twice(*arguments):
        if outages:
            raise outages.pop()
        return record(*arguments)

    monkeypatch.setattr(results, "record", away_twice)
    assert play.play_match(match.pk, "host/1") is Ending.RECORDED
    match.refresh_from_db()
    assert (match.state, match.attempt) == ("finished", 1)
