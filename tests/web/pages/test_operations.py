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

pytestmark = pytest.mark.django_db


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
    assert "No worker has played or checked anything" in shown
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


def test_a_workers_last_sign_is_when_it_last_renewed_its_lease(cup):
    seconds = lease_seconds(cup)
    claim = queue.claim(cup.matches.first().pk, "host/1", seconds)
    assert claim is not None
    now = timezone.now()
    (worker,) = operations.read().workers
    assert (worker.name, worker.busy, worker.late) == ("host/1", "match", False)
    assert abs((worker.last_sign - now).total_seconds()) < 5
    Match.objects.filter(state="running").update(lease_until=now + timedelta(seconds=seconds - 120))
    assert operations.read().workers[0].late


def test_workers_of_checks_and_of_the_last_hour_are_there_too(cup):
    factories.play(cup, 1)
    Match.objects.filter(state="finished").update(worker="host/2")
    lease = timezone.now() + timedelta(seconds=checks.LEASE_SECONDS)
    factories.version(factories.bot(ready=False), "checking", worker="host/3", lease_until=lease)
    found = {worker.name: worker.busy for worker in operations.read().workers}
    assert found == {"host/2": "", "host/3": "check"}
    Match.objects.filter(state="finished").update(finished_at=timezone.now() - timedelta(hours=2))
    assert [worker.name for worker in operations.read().workers] == ["host/3"]


def test_one_worker_is_one_line_with_its_newest_sign(cup):
    factories.play(cup, 1)
    Match.objects.filter(state="finished").update(worker="host/1", finished_at=timezone.now() - timedelta(minutes=9))
    queue.claim(cup.matches.filter(state="queued").first().pk, "host/1", lease_seconds(cup))
    (worker,) = operations.read().workers
    assert worker.busy == "match"
    assert timezone.now() - worker.last_sign < timedelta(minutes=1)


def test_a_parked_match_is_shown_with_its_reason_and_tried_again(staff, cup):
    match = factories.move_to(
        cup.matches.first(), "parked", error="No <engine> answers.", attempt=3, finished_at=timezone.now()
    )
    shown = staff.get(reverse("operations")).content.decode()
    assert "No &lt;engine&gt; answers." in shown
    response = staff.post(reverse("retry-match", args=[match.pk]), follow=True)
    assert "waits again" in response.content.decode()
    match.refresh_from_db()
    assert (match.state, match.attempt) == ("queued", 0)
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
    assert (version.state, version.attempt) == ("checking", 0)
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
    with django_assert_max_num_queries(16):
        staff.get(reverse("operations"))
