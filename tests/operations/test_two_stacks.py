"""The same tournament twice, played by real processes: on SQLite and the file broker, on PostgreSQL and Redis."""

import json
import uuid
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import redis

from tests import services
from tests.running import RunningSite

pytestmark = pytest.mark.patient

REDIS_DATABASE = 9


@pytest.fixture
def postgres_url():
    """A fresh database on the server of the tests."""
    server = services.address("TEST_DATABASE_URL") or ""
    name = f"durak_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def redis_url():
    """An empty database on the server of the tests."""
    url = urlsplit(services.address("TEST_REDIS_URL") or "")._replace(path=f"/{REDIS_DATABASE}").geturl()
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        yield url
        client.flushdb()


def play(site: RunningSite, workers: tuple[str, ...]) -> dict[str, Any]:
    for name in workers:
        site.processes.start_worker(concurrency=1, name=name)
    site.processes.start_beat()
    result: dict[str, Any] = json.loads(site.run("-m", "tests.operations.play_tournament").splitlines()[-1])
    site.manage("check_integrity")
    return result


@pytest.mark.postgres
@pytest.mark.redis
def test_both_stacks_give_the_same_matches_and_the_same_table(tmp_path, postgres_url, redis_url):
    with RunningSite(tmp_path / "small") as site:
        small = play(site, ("worker",))
    with RunningSite(tmp_path / "large", DATABASE_URL=postgres_url, CELERY_BROKER_URL=redis_url) as site:
        large = play(site, ("one", "two"))
    assert small["matches"] == large["matches"]
    assert [line["counts"] for line in small["table"]] == [line["counts"] for line in large["table"]]
    # The games were added up in the order in which they ended, so the last digits differ.
    for ours, theirs in zip(small["table"], large["table"], strict=True):
        assert ours["ratings"] == pytest.approx(theirs["ratings"], abs=1e-6)
    assert len(small["workers"]) == 1
    assert len(large["workers"]) == 2
