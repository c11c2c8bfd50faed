"""The queue: who gets a match, for how long, how often, and what becomes of it."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from tests.web import factories
from tests.web.tournaments.made import begin, in_threads, result, won_by
from tournaments import queue, results
from tournaments.models import Match

pytestmark = pytest.mark.django_db

STATES = ("queued", "running", "finished", "parked", "cancelled")


@pytest.fixture
def match():
    return factories.round_robin([factories.bot(), factories.bot()]).matches.get()


@pytest.fixture
def matches():
    return list(factories.round_robin([factories.bot() for _ in range(4)]).matches.order_by("id"))


def put(match: Match, state: str) -> Match:
    """Bring a match into a state by the steps that lead there."""
    if state in {"running", "finished"}:
        begin(match)
    if state == "finished":
        assert results.record(match.pk, 1, won_by(0, match))
    elif state == "parked":
        queue.park(match, "by staff")
    elif state == "cancelled":
        queue.cancel_all(match.tournament)
    match.refresh_from_db()
    assert match.state == state
    return match


# What each step does to a match in each state: the state that follows, or None where it does nothing.

STEPS = {
    "claim": (lambda match: queue.claim(match.pk, "w", 60.0), {"queued": "running"}),
    "renew": (lambda match: queue.renew(queue.Claim(match.pk, 1, 60.0), 1), {"running": "running"}),
    "release": (lambda match: queue.release(queue.Claim(match.pk, 1, 60.0), "no engine"), {"running": "queued"}),
    "release after the last attempt": (
        lambda match: queue.release(queue.Claim(match.pk, match.attempt, 60.0), "no engine"),
        {"running": "parked"},
    ),
    "expire": (lambda _: queue.expire(timezone.now() + timedelta(hours=1)), {"running": "queued"}),
    "expire after the last attempt": (
        lambda _: queue.expire(timezone.now() + timedelta(hours=1)),
        {"running": "parked"},
    ),
    "park": (lambda match: queue.park(match, "by staff"), {"queued": "parked"}),
    "retry": (lambda match: queue.retry(match), {"parked": "queued"}),
    "record": (lambda match: results.record(match.pk, match.attempt, won_by(0, match)), {"running": "finished"}),
    "cancel waiting": (
        lambda match: queue.cancel_waiting(match.seats.first().entry),
        {"queued": "cancelled", "parked": "cancelled"},
    ),
    "cancel all": (
        lambda match: queue.cancel_all(match.tournament),
        {"queued": "cancelled", "running": "cancelled", "parked": "cancelled"},
    ),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", STEPS)
def test_every_step_from_every_state(match, state, name):
    step, leads = STEPS[name]
    put(match, state)
    if "last attempt" in name and state == "running":
        begin(match, attempt=3)
    before = Match.objects.filter(pk=match.pk).values().get()
    try:
        step(match)
    except queue.QueueError:
        assert state not in leads
    after = Match.objects.filter(pk=match.pk).values().get()
    if state in leads:
        assert after["state"] == leads[state]
    else:
        assert after == before


def test_a_claim_counts_the_attempt_and_leases_the_match(match):
    claim = queue.claim(match.pk, "host/7", 60.0)
    match.refresh_from_db()
    assert claim == queue.Claim(match.pk, 1, 60.0)
    assert (match.state, match.attempt, match.worker) == ("running", 1, "host/7")
    assert match.lease_until > timezone.now() + timedelta(seconds=50)


def test_a_match_with_a_lease_is_not_to_be_had_and_one_whose_lease_ran_out_is(match):
    first = queue.claim(match.pk, "one", 60.0)
    assert queue.claim(match.pk, "two", 60.0) is None
    Match.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    second = queue.claim(match.pk, "two", 60.0)
    assert (first.attempt, second.attempt) == (1, 2)
    assert not queue.renew(first, 1)
    assert queue.renew(second, 1)
    assert not queue.release(first, "late")


def test_after_the_last_attempt_a_match_is_parked_with_the_reason(match):
    for attempt in (1, 2, 3):
        Match.objects.update(retry_at=None)
        claim = queue.claim(match.pk, "host", 60.0)
        assert claim.attempt == attempt
        queue.release(claim, f"fault {attempt}")
    match.refresh_from_db()
    assert (match.state, match.error, match.attempt) == ("parked", "fault 3", 3)
    assert queue.claim(match.pk, "host", 60.0) is None


def test_a_match_whose_workers_die_is_parked_after_the_last_attempt(match):
    for _ in range(3):
        assert queue.claim(match.pk, "host", 60.0)
        queue.expire(timezone.now() + timedelta(seconds=61))
    match.refresh_from_db()
    assert match.state == "parked"
    assert "worker" in match.error


def test_a_released_match_waits_before_its_next_attempt(match):
    queue.release(queue.claim(match.pk, "host", 60.0), "no engine")
    match.refresh_from_db()
    assert match.retry_at > timezone.now()
    assert queue.claim(match.pk, "host", 60.0) is None
    assert match.pk not in queue.take_due()
    Match.objects.update(retry_at=timezone.now())
    assert match.pk in queue.take_due()


def test_a_parked_match_that_is_tried_again_has_all_its_attempts(match):
    for _ in range(2):
        for fault in range(3):
            Match.objects.update(retry_at=None)
            claim = queue.claim(match.pk, "host", 60.0)
            assert queue.release(claim, f"fault {fault}")
            match.refresh_from_db()
            assert match.state == ("parked" if fault == 2 else "queued")
        queue.retry(match)
    assert queue.claim(match.pk, "host", 60.0)


def test_a_match_that_waits_is_played_though_fewer_attempts_are_allowed_by_now(match, settings):
    queue.release(queue.claim(match.pk, "host", 60.0), "no engine")
    settings.MAX_ATTEMPTS = 1
    Match.objects.update(retry_at=None)
    claim = queue.claim(match.pk, "host", 60.0)
    assert queue.release(claim, "no engine")
    match.refresh_from_db()
    assert match.state == "parked"


def test_a_worker_of_long_ago_is_not_taken_for_the_one_that_plays_the_match_now(match):
    """It stood still in its first attempt; the match was set aside, and is in its first attempt once more."""
    old = queue.claim(match.pk, "frozen", 60.0)
    Match.objects.update(state="parked", lease_until=None)
    queue.retry(match)
    new = queue.claim(match.pk, "host", 60.0)
    assert not queue.renew(old, 1)
    assert not queue.release(old, "thawed")
    assert not results.record(match.pk, old.attempt, won_by(0, match))
    assert queue.renew(new, 1)
    assert results.record(match.pk, new.attempt, won_by(1, match))


def test_a_parked_match_of_a_tournament_that_is_over_is_not_tried_again(match):
    queue.park(match, "by staff")
    match.tournament.state = "finished"
    match.tournament.save()
    with pytest.raises(queue.QueueError, match="is over"):
        queue.retry(match)


def test_matches_are_announced_by_priority_then_age_and_only_once(matches):
    Match.objects.filter(pk=matches[4].pk).update(priority=1)
    due = queue.take_due()
    assert due == [matches[4].pk, *(match.pk for match in matches if match != matches[4])]
    assert queue.take_due() == []


def test_what_nobody_took_is_announced_again(matches, settings):
    queue.take_due()
    Match.objects.update(sent_at=timezone.now() - timedelta(seconds=settings.RESEND_SECONDS + 1))
    assert len(queue.take_due()) == 6


def test_only_so_many_matches_are_announced_as_are_played(monkeypatch, matches):
    monkeypatch.setattr(queue, "ANNOUNCED_AT_LEAST", 2)
    assert queue.take_due() == [matches[0].pk, matches[1].pk]
    assert queue.take_due() == []
    put(matches[0], "finished")
    assert queue.take_due() == [matches[2].pk]


def test_the_position_counts_what_is_played_before(matches):
    assert [queue.position(match) for match in matches] == [0, 1, 2, 3, 4, 5]
    Match.objects.filter(pk=matches[5].pk).update(priority=1)
    begin(matches[0])
    matches[5].refresh_from_db()
    assert [queue.position(match) for match in matches[1:]] == [1, 2, 3, 4, 0]


@pytest.mark.django_db(transaction=True)
def test_of_many_that_claim_a_match_one_gets_it(matches):
    for match in matches:
        claims = in_threads(partial(queue.claim, match.pk, lease_seconds=60.0), [f"host/{n}" for n in range(8)])
        assert [claim.attempt for claim in claims if claim is not None] == [1]
    # And of many that find a lease that ran out.
    Match.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    claims = in_threads(partial(queue.claim, matches[0].pk, lease_seconds=60.0), [f"host/{n}" for n in range(8)])
    assert [claim.attempt for claim in claims if claim is not None] == [2]


@pytest.mark.django_db(transaction=True)
def test_a_lease_that_runs_out_while_its_result_arrives_gives_one_ending(matches):
    for match in matches:
        begin(match)

    def either(step):
        kind, match = step
        if kind == "expire":
            return queue.expire(timezone.now() + timedelta(hours=1))
        return results.record(match.pk, 1, won_by(0, match))

    steps = [(kind, match) for match in matches for kind in ("record", "expire")]
    in_threads(either, steps)
    for match in Match.objects.all():
        assert (match.state, match.games.count(), match.points.count()) in {("finished", 4, 2), ("queued", 0, 0)}


def test_a_result_of_another_size_is_refused(match):
    begin(match)
    with pytest.raises(ValueError, match="4 games"):
        results.record(match.pk, 1, result(2, 1, [0, 1]))
