"""The check as a row: claimed once, tried three times, decided by its report."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.check import CheckReport
from bots import checks, sandboxes
from bots.models import BotVersion
from bots.services import current_version
from sandbox import SandboxError
from tests.web import factories
from tests.web.tournaments.made import in_threads

pytestmark = pytest.mark.django_db

GOOD = CheckReport(ok=True, stage="done", message="Fine.", games=7)
BAD = CheckReport(
    ok=False, stage="play", message="It raised \0.", games=3, reason="crash", file="bot.py", line=7, log="\ud800"
)


@pytest.fixture
def version():
    return factories.version(factories.bot(ready=False), state="checking")


@pytest.fixture(autouse=True)
def check(monkeypatch):
    """Stands for the sandbox. Set `report`, or `before` to a function that is called in the middle."""

    class Check:
        report = GOOD
        before = staticmethod(lambda: None)

        def __call__(self, _files, _pool, on_progress):
            on_progress(1, 7)
            self.before()
            on_progress(2, 7)
            return self.report

    stand_in = Check()
    monkeypatch.setattr(checks, "check", stand_in)
    monkeypatch.setattr(sandboxes, "pool", lambda: None)
    monkeypatch.setattr(sandboxes, "are_usable", lambda: True)
    return stand_in


def fail(error: Exception):
    def raise_it():
        raise error

    return raise_it


def again(version: BotVersion) -> bool:
    """The next attempt, without the wait before it."""
    BotVersion.objects.update(retry_at=None)
    return checks.run(version.pk, "host/1")


def test_a_bot_that_passes_is_ready(version):
    assert checks.run(version.pk, "host/1")
    version.refresh_from_db()
    assert (version.state, version.report["message"], version.lease_until) == ("ready", "Fine.", None)
    assert version.checked_at is not None
    assert current_version(version.bot) == version


def test_a_bot_that_fails_is_rejected_with_its_report_and_the_one_before_plays_on(check):
    bot = factories.bot()
    version = factories.version(bot, state="checking")
    check.report = BAD
    assert checks.run(version.pk, "host/1")
    version.refresh_from_db()
    assert (version.state, version.report["file"], version.report["line"]) == ("rejected", "bot.py", 7)
    # What no database can hold has been replaced.
    assert (version.report["message"], version.report["log"]) == ("It raised \ufffd.", "?")
    assert current_version(bot).number == 1


def test_progress_can_be_seen_while_it_runs(version, check):
    seen = []
    check.before = lambda: seen.append(BotVersion.objects.get(pk=version.pk).progress)
    checks.run(version.pk, "host/1")
    assert seen == [{"done": 1, "total": 7}]


def test_a_version_is_checked_once(version):
    assert checks.run(version.pk, "host/1")
    assert not checks.run(version.pk, "host/2")
    assert not checks.run(version.pk + 1000, "host/2")


def test_a_fault_of_ours_is_tried_again_and_then_told_as_ours(version, check):
    check.before = fail(SandboxError("The engine does not answer."))
    for attempt in (1, 2):
        assert not again(version)
        version.refresh_from_db()
        assert (version.state, version.attempt, version.lease_until) == ("checking", attempt, None)
        assert version.retry_at > timezone.now()
        assert not checks.run(version.pk, "host/1")
    assert not again(version)
    version.refresh_from_db()
    assert (version.state, version.fault, version.report) == ("parked", "The engine does not answer.", None)
    assert not again(version)


def test_a_fault_that_passes_leaves_no_trace(version, check):
    check.before = fail(SandboxError("The engine does not answer."))
    checks.run(version.pk, "host/1")
    check.before = lambda: None
    assert again(version)
    version.refresh_from_db()
    assert (version.state, version.fault, version.attempt) == ("ready", "", 2)


def test_an_error_of_our_own_is_raised_and_counts_as_an_attempt(version, check):
    check.before = fail(ZeroDivisionError("division by zero"))
    with pytest.raises(ZeroDivisionError):
        checks.run(version.pk, "host/1")
    version.refresh_from_db()
    assert (version.state, version.fault) == ("checking", "ZeroDivisionError: division by zero")


def test_while_the_engine_is_down_no_attempt_is_spent(version, monkeypatch):
    monkeypatch.setattr(sandboxes, "are_usable", lambda: False)
    assert not checks.run(version.pk, "host/1")
    version.refresh_from_db()
    assert version.attempt == 0


def test_a_worker_that_lost_its_lease_decides_nothing(version, check):
    check.before = lambda: BotVersion.objects.update(attempt=2)
    assert not checks.run(version.pk, "host/1")
    version.refresh_from_db()
    assert (version.state, version.attempt) == ("checking", 2)


def test_a_version_whose_workers_die_is_parked_after_the_last_attempt(version, announced):
    for attempt in (1, 2, 3):
        assert checks._claim(version.pk, "host/1").attempt == attempt
        assert checks._claim(version.pk, "host/2") is None
        BotVersion.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    checks.sweep()
    version.refresh_from_db()
    assert (version.state, version.lease_until) == ("parked", None)
    assert "worker" in version.fault
    assert announced(checks.TASK) == []


def test_staff_have_it_checked_again(version, announced):
    BotVersion.objects.update(state="parked", attempt=3)
    assert checks.retry(BotVersion.objects.all()) == 1
    assert announced(checks.TASK) == [version.pk]
    assert checks.run(version.pk, "host/1")
    assert checks.retry(BotVersion.objects.all()) == 0


def test_a_version_that_waits_is_checked_though_fewer_attempts_are_allowed_by_now(version, check, announced, settings):
    check.before = fail(SandboxError("The engine does not answer."))
    checks.run(version.pk, "host/1")
    settings.MAX_ATTEMPTS = 1
    BotVersion.objects.update(retry_at=None)
    checks.sweep()
    assert announced(checks.TASK) == [version.pk]
    assert not again(version)
    version.refresh_from_db()
    assert version.state == "parked"


def test_a_worker_of_long_ago_is_not_taken_for_the_one_that_checks_now(version, check):
    """It stood still in its first attempt, and to its clocks the bot took all that time. The version was set aside
    meanwhile, and is in its first attempt once more."""
    old = checks._claim(version.pk, "frozen")
    BotVersion.objects.update(state="parked", lease_until=None)
    checks.retry(BotVersion.objects.all())
    new = checks._claim(version.pk, "host/1")
    assert not checks._renew(old, 1, 7)
    assert not checks._release(old, "thawed")
    assert not checks._finish(old, BAD)
    assert checks._finish(new, GOOD)
    version.refresh_from_db()
    assert version.state == "ready"


def test_a_check_that_is_tried_again_has_all_its_attempts(version, check):
    check.before = fail(SandboxError("The engine does not answer."))
    for _ in range(2):
        for state in ("checking", "checking", "parked"):
            assert not again(version)
            version.refresh_from_db()
            assert version.state == state
        checks.retry(BotVersion.objects.all())
    for _ in range(3):
        assert checks._claim(version.pk, "host/1")
        BotVersion.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert checks._claim(version.pk, "host/1") is None
    checks.sweep()
    version.refresh_from_db()
    assert version.state == "parked"


def test_a_check_that_hangs_does_not_hold_up_the_next(version, announced):
    other = factories.version(factories.bot(ready=False), state="checking")
    checks._claim(version.pk, "host/hangs")
    assert checks.position(other) == 0
    assert checks.run(other.pk, "host/2")
    checks.sweep()
    assert announced(checks.TASK) == []


def test_the_position_counts_versions_that_wait_before(version):
    others = [factories.version(factories.bot(ready=False), state="checking") for _ in range(2)]
    assert [checks.position(one) for one in (version, *others)] == [0, 1, 2]


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_checks(version):
    assert sorted(in_threads(lambda worker: checks.run(version.pk, f"host/{worker}"), range(8))) == [False] * 7 + [True]
