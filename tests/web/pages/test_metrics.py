"""What Prometheus reads: the numbers of the site, and who may read them; and that the example alarms ask for what is
there."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from pages import metrics
from tests.web import factories
from tournaments import queue
from tournaments.models import Match
from tournaments.values import lease_seconds
from upkeep import signs

pytestmark = pytest.mark.django_db
ALARMS = Path(__file__).resolve().parents[3] / "docs/examples/prometheus-alarms.yaml"


def read() -> dict[str, float]:
    """Every sample by its name, with its labels where it has any."""
    found = {}
    for family in text_string_to_metric_families(metrics.text().decode()):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_nothing_is_there_until_the_settings_open_it(settings):
    settings.METRICS_TOKEN, settings.METRICS_NETWORKS = "", []
    assert Client().get("/metrics").status_code == 404
    assert Client().get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


def test_the_token_opens_it(settings):
    settings.METRICS_TOKEN = "a-long-token"
    answer = Client().get("/metrics", headers={"authorization": "Bearer a-long-token"})
    assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (200, "text/plain")
    assert b"arena_matches_waiting 0.0" in answer.content
    for wrong in ("Bearer another", "Basic a-long-token", "Bearer"):
        assert Client().get("/metrics", headers={"authorization": wrong}).status_code == 404


def test_a_network_opens_it_to_who_asks_directly(settings):
    settings.METRICS_NETWORKS = ["10.0.0.0/8", "::1/128"]
    assert Client(REMOTE_ADDR="10.1.2.3").get("/metrics").status_code == 200
    assert Client(REMOTE_ADDR="::1").get("/metrics").status_code == 200
    assert Client(REMOTE_ADDR="11.1.2.3").get("/metrics").status_code == 404
    # The proxy is in the network, who asks it is not.
    assert Client(REMOTE_ADDR="10.1.2.3").get("/metrics", headers={"x-forwarded-for": "10.9.9.9"}).status_code == 404


def test_an_address_that_is_none_is_refused(settings):
    settings.METRICS_NETWORKS = ["0.0.0.0/0"]
    assert Client(REMOTE_ADDR="").get("/metrics").status_code == 404


def test_the_numbers_are_those_of_the_database():
    cup = factories.round_robin([factories.bot() for _ in range(4)], "Cup")
    factories.play(cup, 2)
    waiting = list(cup.matches.filter(state="queued").order_by("id"))
    queue.claim(waiting[0].pk, "worker@host/1", lease_seconds(cup))
    factories.move_to(waiting[1], "parked", error="No engine.", finished_at=timezone.now())
    Match.objects.filter(pk=waiting[2].pk).update(queued_at=timezone.now() - timedelta(seconds=500))
    signs.start("worker@host", ["matches"], 4, {"disk_free": 5, "disk_total": 50, "version": "", "image_there": False})
    found = read()
    expected = {
        "arena_matches_finished_total": 2,
        "arena_matches_waiting": 2,
        "arena_matches_running": 1,
        "arena_matches_parked": 1,
        "arena_matches_ended_last_hour": 2,
        "arena_worker_up{worker=worker@host}": 1,
        "arena_worker_slots{worker=worker@host}": 4,
        "arena_worker_busy{worker=worker@host}": 1,
        "arena_worker_engine_up{worker=worker@host}": 0,
        "arena_worker_image{worker=worker@host}": 0,
        "arena_worker_disk_free_bytes{worker=worker@host}": 5,
        "arena_tournaments{state=running}": 1,
        "arena_bots": 4,
        "arena_users": 4,
    }
    assert {name: found[name] for name in expected} == expected
    assert 500 <= found["arena_matches_oldest_wait_seconds"] < 600
    assert found["arena_database_bytes"] > 10_000


def test_a_worker_that_was_told_to_stop_is_not_missed():
    signs.start("worker@host", ["matches"], 4, {})
    signs.stop("worker@host")
    assert "arena_worker_up{worker=worker@host}" not in read()


def test_the_alarms_ask_for_what_is_there():
    """Each metric that an alarm names exists, each alarm has what a rule needs, and the names are told apart."""
    signs.start("worker@host", ["matches"], 4, {"disk_free": 5, "disk_total": 9, "version": "", "image_there": False})
    there = {name.partition("{")[0] for name in read()}
    rules = [rule for group in yaml.safe_load(ALARMS.read_text())["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}, rule["alert"]
        assert re.fullmatch(r"[0-9]+[smh]", rule["for"])
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert set(rule["annotations"]) == {"summary", "description"}
        asked = set(re.findall(r"\barena_\w+", rule["expr"]))
        assert asked - there == set(), rule["alert"]
        assert asked or "up{" in rule["expr"], rule["alert"]
    stalled = next(rule for rule in rules if rule["alert"] == "ArenaMatchesWaitAndNoneEnds")
    assert {"arena_matches_waiting", "arena_matches_last_end_timestamp_seconds"} <= set(
        re.findall(r"\barena_\w+", stalled["expr"])
    )
