"""What staff sees when something is stuck, and what can be done about it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from bots import checks
from pages import operations
from tests.web import factories
from tournaments import lifecycle, pausing, queue
from tournaments.models import Match
from tournaments.values import lease_seconds
from upkeep import signs
from upkeep.models import AuditEntry, WorkerSign

pytestmark = pytest.mark.django_db

HOST = {"disk_free": 10**9, "disk_total": 10**11, "version": "20.10.24", "image": "bot:1", "image_there": False}


@pytest.fixture
def cup():
    return factories.round_robin([factories.bot() for _ in range(4)], "Cup")


@pytest.fixture
def staff(client):
    client.force_login(factories.user("staff", is_staff=True))
    return client


def test_the_page_is_for_staff(client):
    organiser = factories.user()
    organiser.user_permissions.add(Permission.objects.get(codename="add_tournament"))
    addresses = [
        reverse("operations"),
        reverse("retry-all"),
        reverse("retry-match", args=[1]),
        reverse("retry-check", args=[1]),
    ]
    for url in addresses:
        assert client.post(url).status_code == 302
        assert "login" in client.post(url).headers["Location"]
    for user in (factories.user(), organiser):
        client.force_login(user)
        assert client.get(reverse("operations")).status_code == 403
        for url in addresses[1:]:
            assert client.post(url).status_code == 403
        assert reverse("operations") not in client.get(reverse("home")).content.decode()


def test_an_idle_site_says_so(staff):
    shown = staff.get(reverse("operations")).content.decode()
    assert "No worker has given a sign of life" in shown
    assert "Nothing has been set aside" in shown
    assert "Everything went as it should" in shown
    assert 'role="alert"' not in shown


def test_waiting_without_a_worker_is_an_alarm(staff, cup):
    assert operations.read().stalled
    assert 'role="alert"' in staff.get(reverse("operations")).content.decode()


def test_the_queue_is_counted_without_what_is_paused(cup):
    other = factories.round_robin([factories.bot(), factories.bot()])
    queue.claim(cup.matches.first().pk, "host/1", 60)
    long_ago = timezone.now() - timedelta(hours=3)
    Match.objects.filter(pk=cup.matches.last().pk).update(queued_at=long_ago)
    found = operations.read().matches
    assert (found.waiting, found.running, found.oldest) == (6, 1, long_ago)
    pausing.pause(cup)
    read = operations.read()
    assert (read.matches.waiting, list(read.paused)) == (1, [cup])
    assert other.matches.count() == 1


def test_what_a_worker_holds_is_told_with_when_it_last_got_on(cup):
    seconds = lease_seconds(cup)
    match = cup.matches.first()
    assert queue.claim(match.pk, "worker@host/1", seconds) is not None
    now = timezone.now()
    (worker,) = operations.read().workers
    assert (worker.name, [held.what for held in worker.holds], worker.late) == ("worker@host", [match], False)
    assert abs((worker.last_sign - now).total_seconds()) < 5
    Match.objects.filter(state="running").update(lease_until=now + timedelta(seconds=seconds - 120))
    (worker,) = operations.read().workers
    assert worker.holds[0].late
    assert worker.late


def test_an_idle_worker_is_there_by_its_sign_and_what_it_holds_is_beside_it(staff, cup):
    signs.start("worker@host", ["matches"], 4, HOST)
    signs.start("clerk@host", ["upkeep", "checks"], 2, {})
    for number, match in enumerate(cup.matches.all()[:2]):
        queue.claim(match.pk, f"worker@host/{number}", lease_seconds(cup))
    lease = timezone.now() + timedelta(seconds=checks.LEASE_SECONDS)
    factories.version(factories.bot(ready=False), "checking", worker="other@host/3", lease_until=lease)
    found = {worker.name: (worker.slots, len(worker.holds)) for worker in operations.read().workers}
    assert found == {"worker@host": (4, 2), "clerk@host": (2, 0), "other@host": (0, 1)}
    assert not operations.read().stalled
    shown = staff.get(reverse("operations")).content.decode()
    assert "Docker 20.10.24" in shown
    assert "image missing" in shown
    assert "4 slots" in shown
    assert "short" in shown  # one part in a hundred of its disk is free


def test_a_worker_that_dies_is_silent_and_one_that_is_told_to_stop_is_not_missed(staff, cup):
    signs.start("worker@one", ["matches"], 1, {})
    signs.start("worker@two", ["matches"], 1, {})
    signs.stop("worker@two")
    WorkerSign.objects.filter(pk="worker@one").update(seen_at=timezone.now() - timedelta(seconds=91))
    found = {worker.name: (worker.late, worker.stopped) for worker in operations.read().workers}
    assert found == {"worker@one": (True, False), "worker@two": (False, True)}
    assert operations.read().stalled
    shown = staff.get(reverse("operations")).content.decode()
    assert "silent" in shown
    assert "stopped" in shown
    assert signs.give("worker@one")
    assert not operations.read().stalled


def test_workers_of_long_ago_are_forgotten_and_start_anew():
    signs.start("worker@old", [], 1, {})
    WorkerSign.objects.update(seen_at=timezone.now() - timedelta(days=2))
    signs.start("worker@new", [], 1, {})
    assert [worker.name for worker in operations.read().workers] == ["worker@new"]
    assert not signs.give("worker@old")


def test_matches_an_hour_and_a_day_are_counted(cup):
    assert operations.read().matches.last_end is None
    factories.play(cup, 3)
    early, middle, late = cup.matches.filter(state="finished")
    now = timezone.now()
    for match, hours in ((early, 30), (middle, 3), (late, 0.5)):
        Match.objects.filter(pk=match.pk).update(finished_at=now - timedelta(hours=hours))
    found = operations.read().matches
    assert (found.ended_lately, found.ended_today, found.last_end) == (1, 2, now - timedelta(hours=0.5))
    Match.objects.filter(pk__in=[middle.pk, late.pk]).update(finished_at=now - timedelta(hours=40))
    assert operations.read().matches.last_end == now - timedelta(hours=30)


def test_what_staff_does_here_is_in_the_audit_log(staff, cup):
    match = factories.move_to(cup.matches.first(), "parked", error="x", finished_at=timezone.now())
    version = factories.version(factories.bot(ready=False), "parked", fault="x")
    staff.post(reverse("retry-match", args=[match.pk]))
    staff.post(reverse("retry-check", args=[version.pk]))
    staff.post(reverse("retry-all"))
    written = list(AuditEntry.objects.order_by("pk").values_list("actor_name", "action", "target"))
    assert written == [
        ("staff", "retry match", str(match.pk)),
        ("staff", "retry check", str(version.pk)),
        ("staff", "retry everything", ""),
    ]


def test_a_parked_match_is_shown_with_its_reason_and_tried_again(staff, cup):
    match = factories.move_to(
        cup.matches.first(), "parked", error="No <engine> answers.", attempt=3, finished_at=timezone.now()
    )
    shown = staff.get(reverse("operations")).content.decode()
    assert "No &lt;engine&gt; answers." in shown
    response = staff.post(reverse("retry-match", args=[match.pk]), follow=True)
    assert "waits again" in response.content.decode()
    match.refresh_from_db()
    assert (match.state, match.attempt - match.forgiven) == ("queued", 0)
    response = staff.post(reverse("retry-match", args=[match.pk]), follow=True)
    assert "need not be tried again" in response.content.decode()
    assert staff.post(reverse("retry-match", args=[999999])).status_code == 404
    assert staff.get(reverse("retry-match", args=[match.pk])).status_code == 405


def test_a_match_of_an_ended_tournament_has_no_button(staff, cup):
    match = factories.move_to(cup.matches.first(), "parked", error="Gone.", finished_at=timezone.now())
    factories.play(cup)
    lifecycle.finish(cup)
    shown = staff.get(reverse("operations")).content.decode()
    assert reverse("retry-match", args=[match.pk]) not in shown
    assert "its tournament is over" in shown
    staff.post(reverse("retry-all"))
    match.refresh_from_db()
    assert match.state == "parked"


def test_a_parked_check_is_tried_again(staff, announced):
    version = factories.version(factories.bot(ready=False), "parked", fault="No engine answers.", attempt=3)
    assert "No engine answers." in staff.get(reverse("operations")).content.decode()
    staff.post(reverse("retry-check", args=[version.pk]))
    version.refresh_from_db()
    assert (version.state, version.attempt - version.forgiven) == ("checking", 0)
    assert announced(checks.TASK) == [version.pk]
    response = staff.post(reverse("retry-check", args=[version.pk]), follow=True)
    assert "need not be checked again" in response.content.decode()


def test_everything_is_tried_again_at_once(staff, cup):
    for match in cup.matches.all()[:3]:
        factories.move_to(match, "parked", error="x")
    assert staff.get(reverse("operations")).status_code == 200
    factories.version(factories.bot(ready=False), "parked", fault="x")
    assert "4 wait again." in staff.post(reverse("retry-all"), follow=True).content.decode()
    assert not Match.objects.filter(state="parked").exists()


def test_faults_that_healed_are_told(staff, cup):
    match = cup.matches.first()
    claim = queue.claim(match.pk, "host", 60)
    assert claim is not None
    queue.release(claim, "The box was missing.")
    factories.version(factories.bot(ready=False), "checking", fault="The engine was away.")
    shown = staff.get(reverse("operations")).content.decode()
    assert "The box was missing." in shown
    assert "The engine was away." in shown


def test_the_page_asks_a_fixed_number_of_times(staff, cup, django_assert_max_num_queries):
    factories.play(cup, 2)
    for match in cup.matches.filter(state="queued"):
        factories.move_to(match, "parked", error="x", finished_at=timezone.now())
    for _ in range(3):
        factories.version(factories.bot(ready=False), "parked", fault="x")
    with django_assert_max_num_queries(19):
        staff.get(reverse("operations"))
