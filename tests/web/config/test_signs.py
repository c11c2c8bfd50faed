"""A worker's signs of life: given busy or idle, over a database that goes and comes back, ended when it is told to."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.db import DatabaseError, connections

from bots import sandboxes
from config.signs import LOOKED_EACH, SignsOfLife
from upkeep import signs
from upkeep.models import WorkerSign

pytestmark = pytest.mark.django_db


class Timer:
    """Calls back when it is told to."""

    def __init__(self) -> None:
        self.due: Any = None
        self.cancelled = False

    def call_repeatedly(self, seconds, call, args):
        assert seconds == signs.SECONDS
        self.due = lambda: call(*args)
        return SimpleNamespace(cancel=lambda: setattr(self, "cancelled", True))


@pytest.fixture
def worker(monkeypatch):
    monkeypatch.setattr(connections, "close_all", lambda: None)  # the test needs its own
    monkeypatch.setattr(sandboxes, "host_state", lambda: {"disk_free": 1, "disk_total": 2})
    queues = SimpleNamespace(queues=SimpleNamespace(consume_from={"matches": None, "checks": None}))
    parent = SimpleNamespace(hostname="worker@host", concurrency=4, timer=Timer(), app=SimpleNamespace(amqp=queues))
    return SimpleNamespace(parent=parent, step=SignsOfLife(parent), timer=parent.timer)


def test_it_signs_from_its_start_to_its_end(worker):
    worker.step.start(worker.parent)
    sign = WorkerSign.objects.get()
    assert (sign.name, sign.queues, sign.slots, sign.stopped_at) == ("worker@host", "checks,matches", 4, None)
    assert sign.host == {"disk_free": 1, "disk_total": 2}
    first = sign.seen_at
    worker.timer.due()
    sign.refresh_from_db()
    assert sign.seen_at > first
    assert signs.alive().exists()
    worker.step.stop(worker.parent)
    sign.refresh_from_db()
    assert sign.stopped_at is not None
    assert worker.timer.cancelled
    assert not signs.alive().exists()


def test_the_host_is_looked_at_now_and_then(worker, monkeypatch):
    looked = []

    def look() -> dict[str, int]:
        looked.append(1)
        return {"disk_free": len(looked)}

    monkeypatch.setattr(sandboxes, "host_state", look)
    worker.step.start(worker.parent)
    for _ in range(2 * LOOKED_EACH):
        worker.timer.due()
    assert len(looked) == 3
    assert WorkerSign.objects.get().host == {"disk_free": 3}


def test_a_database_that_is_away_stops_no_worker(worker, monkeypatch):
    worker.step.start(worker.parent)

    def away(*_):
        raise DatabaseError("restarting")

    with monkeypatch.context() as broken:
        broken.setattr(signs, "give", away)
        broken.setattr(signs, "start", away)
        worker.timer.due()
    before = WorkerSign.objects.get().seen_at
    worker.timer.due()
    assert WorkerSign.objects.get().seen_at > before


def test_a_row_that_was_forgotten_is_made_again(worker):
    worker.step.start(worker.parent)
    WorkerSign.objects.all().delete()
    worker.timer.due()
    assert WorkerSign.objects.get().slots == 4


def test_a_host_says_what_its_bots_would_run_in(settings):
    settings.SANDBOX = "process"
    found = sandboxes.host_state()
    assert found["sandbox"] == "process"
    assert 0 < found["disk_free"] <= found["disk_total"]
    assert "version" not in found


@pytest.mark.docker
def test_an_engine_is_asked_for_its_version_and_the_image(settings):
    settings.SANDBOX = "docker"
    found = sandboxes.host_state()
    assert found["version"]
    assert found["image_there"] is True
    assert found["fault"] == ""


def test_an_engine_that_does_not_answer_is_told(settings, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    settings.SANDBOX = "docker"
    found = sandboxes.host_state()
    assert (found["version"], found["image_there"]) == ("", False)
    assert "does not answer" in found["fault"]
