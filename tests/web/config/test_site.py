"""What holds for every answer of the site, and for every task."""

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test import Client

from config.celery import app


def test_health_asks_the_database(client, db, monkeypatch):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")

    def refuse():
        raise DatabaseError("no connection")

    with monkeypatch.context() as down:
        down.setattr(connection, "cursor", refuse)
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (503, b"no database\n")


def test_health_is_asked_without_https(client, db, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz").status_code == 200
    assert client.get("/").status_code == 301


def test_nothing_inline_and_nothing_from_elsewhere_is_allowed(client, db):
    policy = client.get("/healthz").headers["Content-Security-Policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == directives["style-src"] == "'self'"
    assert "unsafe" not in policy
    assert directives["frame-ancestors"] == "'none'"


@pytest.mark.parametrize("language", ["en", "ru", "pl", "uk"])
def test_the_browsers_language_is_spoken(client, db, language):
    assert client.get("/", headers={"accept-language": language}).headers["Content-Language"] == language


def test_staff_sign_in_where_everybody_does(client, db):
    answer = client.get("/admin/login/?next=/admin/")
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/login/")


def test_forms_are_protected(db):
    assert Client(enforce_csrf_checks=True).post("/accounts/login/", {}).status_code == 403


def test_kinds_of_work_have_queues_of_their_own():
    queues = {queue.name for queue in app.conf.task_queues}
    assert queues == {"upkeep", "checks", "matches"}
    router = app.amqp.router
    routed = {
        name: router.route({}, name)["queue"].name
        for name in ("bots.tasks.check_version", "tournaments.tasks.play_match", "tournaments.tasks.sweep")
    }
    assert routed == {
        "bots.tasks.check_version": "checks",
        "tournaments.tasks.play_match": "matches",
        "tournaments.tasks.sweep": "upkeep",
    }


def test_a_task_is_done_only_when_it_has_ended():
    conf = app.conf
    assert conf.task_acks_late
    assert conf.task_reject_on_worker_lost
    assert conf.task_ignore_result
    assert conf.worker_prefetch_multiplier == 1


def test_every_task_that_is_scheduled_or_routed_exists():
    app.loader.import_default_modules()
    named = {entry["task"] for entry in app.conf.beat_schedule.values()} | set(django_settings.CELERY_TASK_ROUTES)
    assert named <= set(app.tasks)


def test_migrations_are_complete(db):
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
