"""Logs: one match is found by its id from request to container; colours are for terminals; errors go to Sentry."""

import json
import logging
import logging.config
import os
import subprocess
import sys
import types
from io import StringIO
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse
from django.utils import timezone

from bots import sandboxes
from config import logs, sentry
from tests.web import factories
from tournaments import sweep
from tournaments.models import Match
from tournaments.tasks import play_match

ROOT = Path(__file__).resolve().parents[3]
TO_A_TERMINAL = """
import pty, os, sys
def read(fd):
    data = os.read(fd, 1024)
    return data
sys.exit(os.waitstatus_to_exitcode(pty.spawn([sys.executable, "-c", sys.argv[1]], read)))
"""
SAY = "import logging, logging.config; from config import settings; logging.config.dictConfig(settings.LOGGING); \
import structlog; structlog.get_logger('x').warning('something_happened', match=5)"


@pytest.fixture
def lines():
    """What is logged meanwhile, line by line, as a program reads it."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    description = dict(logs.configure("INFO", "json")["formatters"]["structlog"])
    handler.setFormatter(description.pop("()")(**description))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel("INFO")
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture
def real_sandboxes(settings):
    sandboxes.close()
    settings.SANDBOX = "process"
    yield
    sandboxes.close()


@pytest.mark.django_db
def test_one_match_is_found_by_its_id_from_the_request_to_the_sandbox(client, lines, real_sandboxes, announced):
    cup = factories.round_robin([factories.bot(), factories.bot()], "Cup", deals=1)
    match = factories.move_to(cup.matches.get(), "parked", error="x", attempt=3, finished_at=timezone.now())
    client.force_login(factories.user("staff", is_staff=True))
    client.post(reverse("retry-match", args=[match.pk]))
    sweep.announce_matches()
    assert announced("tournaments.tasks.play_match") == [match.pk]
    play_match(match.pk)
    match.refresh_from_db()
    assert match.state == Match.State.FINISHED
    of_it = {line["event"]: line for line in lines() if line.get("match") == match.pk}
    assert set(of_it) >= {
        "match_retried",
        "match_announced",
        "match_claimed",
        "sandbox_taken",
        "match_recorded",
    }
    request = next(line for line in lines() if line["event"] == "request_finished")
    assert of_it["match_retried"]["request_id"] == request["request_id"]
    taken = of_it["sandbox_taken"]
    assert taken["place"].startswith("process ")
    assert (taken["attempt"], taken["worker"]) == (4, of_it["match_claimed"]["worker"])
    assert taken["file"] == cup.entries.first().version.file_id[:12]
    assert "match" not in next(line for line in lines() if line["event"] == "tournament_moved")


def output(*, terminal: bool, **environment: str) -> str:
    """What a process with this environment logs."""
    command = [sys.executable, "-c", *((TO_A_TERMINAL, SAY) if terminal else (SAY,))]
    wanted = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}/platform:{ROOT}", "TERM": "xterm", **environment}
    ran = subprocess.run(command, env=wanted, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    return ran.stdout if terminal else ran.stderr


def test_colours_are_for_terminals_and_not_for_files(tmp_path):
    assert "\x1b[" not in (filed := output(terminal=False, DATA_DIR=str(tmp_path)))
    assert "something_happened" in filed
    assert "match=5" in filed
    assert "\x1b[" in output(terminal=True, DATA_DIR=str(tmp_path))


def test_a_production_site_logs_json(tmp_path):
    line = json.loads(output(terminal=False, DATA_DIR=str(tmp_path), DEBUG="0", SECRET_KEY="x" * 50))
    assert (line["event"], line["match"], line["level"], line["logger"]) == ("something_happened", 5, "warning", "x")


def test_sentry_is_asked_for_and_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match="sentry-sdk is not installed"):
        sentry.start("https://key@errors.example/1", "test")


def test_sentry_gets_no_personal_data(monkeypatch):
    started = {}
    module = types.ModuleType("sentry_sdk")
    monkeypatch.setitem(sys.modules, "sentry_sdk", module)
    monkeypatch.setattr(module, "init", lambda **options: started.update(options), raising=False)
    sentry.start("https://key@errors.example/1", "test")
    assert started["dsn"] == "https://key@errors.example/1"
    assert (started["send_default_pii"], started["include_local_variables"]) == (False, False)
    event = {
        "user": {"id": 5, "ip_address": "192.0.2.1"},
        "request": {"url": "https://arena.example/x", "cookies": "a", "headers": {"Authorization": "b"}, "data": "c"},
        "exception": {"values": []},
    }
    scrubbed = started["before_send"](event, {})
    assert scrubbed == {"request": {"url": "https://arena.example/x"}, "exception": {"values": []}}


def test_a_wrong_address_of_sentry_is_a_sentence(monkeypatch):
    def init(**_options):
        raise ValueError("Unsupported scheme")

    module = types.ModuleType("sentry_sdk")
    module.init = init  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentry_sdk", module)
    with pytest.raises(ImproperlyConfigured, match="SENTRY_DSN cannot be used: Unsupported scheme"):
        sentry.start("nonsense", "test")
