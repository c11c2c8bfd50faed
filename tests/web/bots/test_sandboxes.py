"""The sandboxes of a process, and what the site says about them."""

import os
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from bots import context_processors, sandboxes, system_checks
from sandbox import Limits, SandboxError


@pytest.fixture(autouse=True)
def fresh(settings, monkeypatch):
    settings.SANDBOX = "process"
    monkeypatch.setattr(sandboxes, "_own", sandboxes._Process(os.getpid()))
    monkeypatch.setattr(sandboxes, "_walled", None)
    yield
    sandboxes.close()


def test_a_process_has_one_pool_until_it_is_closed(settings):
    settings.SANDBOX_POOL = 7
    pool = sandboxes.pool()
    assert sandboxes.pool() is pool
    assert (pool.size, pool.backend.name) == (7, "process")
    sandboxes.close()
    assert sandboxes.pool() is not pool


def test_each_process_of_a_worker_pins_its_sandboxes_to_a_cpu_of_its_own(monkeypatch):
    opened = []

    def opening(*_files, limits, **_options):
        opened.append(limits)
        return SimpleNamespace(place="container 0123456789ab")

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5})
    assert sandboxes.cpu_slot() is None
    for index in range(3):
        monkeypatch.setattr(sandboxes, "current_process", partial(SimpleNamespace, index=index))
        backend: Any = SimpleNamespace(open=opening, close=lambda: None)
        sandboxes.PinnedPool(backend, 6, sandboxes.cpu_slot()).get("key", {}, module="m", limits=Limits())
    assert [limits.cpu_slot for limits in opened] == [3, 5, 3]


def test_a_fork_does_not_inherit_the_pool(monkeypatch):
    pool = sandboxes.pool()
    with monkeypatch.context() as forked:
        forked.setattr(os, "getpid", lambda: -1)
        assert sandboxes._process().pool is None
    sandboxes._own = sandboxes._Process(os.getpid(), pool.backend, pool)


def test_a_sandbox_is_tried_only_after_a_fault_and_then_the_host_is_tidied(monkeypatch):
    tried, tidied = [], []

    def reap():
        tidied.append(1)
        raise SandboxError("Something of it is still in use.")  # which is no reason not to play

    backend = SimpleNamespace(open=lambda *_, **__: SimpleNamespace(close=lambda: tried.append(1)), reap=reap)
    monkeypatch.setattr(sandboxes, "backend", lambda: backend)
    assert sandboxes.are_usable()
    assert tried == []
    sandboxes.doubt()
    assert sandboxes.are_usable()
    assert sandboxes.are_usable()
    assert tried == tidied == [1]


def test_a_fault_of_ours_is_told_as_an_error_and_makes_us_doubt(caplog):
    sandboxes.alarm(SandboxError("The image is missing."))
    assert [(line.levelname, line.msg["event"], line.msg["reason"]) for line in caplog.records] == [
        ("ERROR", "infrastructure", "The image is missing.")
    ]
    assert sandboxes._process().in_doubt


def test_an_engine_that_cannot_be_reached_is_tried_again(monkeypatch):
    def refuse():
        raise SandboxError("No engine answers.")

    sandboxes.doubt()
    with monkeypatch.context() as down:
        down.setattr(sandboxes, "backend", refuse)
        assert not sandboxes.are_usable()
        assert not sandboxes.are_usable()
        sandboxes.reap()
    # The real one of this test: a keeper that comes up and goes again.
    assert sandboxes.are_usable()


@pytest.mark.parametrize(
    ("name", "answers", "walled"),
    [("docker", None, True), ("process", None, False), ("auto", True, True), ("auto", False, False)],
)
def test_the_banner_says_whether_there_are_walls(settings, monkeypatch, rf, name, answers, walled):
    settings.SANDBOX = name
    monkeypatch.setattr(sandboxes, "engine_answers", lambda: answers)
    assert context_processors.sandboxed(rf.get("/")) == {"sandboxed": walled}


@pytest.mark.parametrize(
    ("sandbox", "debug", "hosts", "errors"),
    [
        ("docker", False, ["arena.example.org"], []),
        ("process", True, ["localhost", "127.0.0.1"], []),
        ("auto", True, ["localhost"], []),
        ("process", False, ["localhost"], ["bots.E001"]),
        ("auto", False, ["arena.example.org"], ["bots.E001"]),
        ("process", True, ["localhost", "arena.example.org"], ["bots.E002"]),
        ("auto", True, ["*"], ["bots.E002"]),
    ],
)
def test_bots_without_walls_are_refused_on_a_site_that_others_can_reach(settings, sandbox, debug, hosts, errors):
    settings.SANDBOX, settings.DEBUG, settings.ALLOWED_HOSTS = sandbox, debug, hosts
    assert [error.id for error in system_checks.check_sandbox(None)] == errors
