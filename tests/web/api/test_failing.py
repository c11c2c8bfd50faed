"""What a program learns of how its author's bots fail and think, and the files with which a failure is reproduced."""

import pytest

from arena.reproduction import Reproduction, decisions
from tests.web import factories
from tests.web.api.conftest import program
from tournaments.models import GameLog

pytestmark = pytest.mark.django_db


@pytest.fixture
def failed(cup, bots):
    """A game in which the author's first bot failed, and its seat there."""
    log = GameLog.objects.filter(seat__entry__bot__in=bots[:2], failure__forfeited=False).first()
    return log, list(log.game.seating).index(log.seat.index)


def test_failures_come_in_groups(failed, mine, author):
    found = mine.get("/me/failures").json()
    logs = GameLog.objects.filter(seat__entry__bot__owner=author, failure__forfeited=False)
    assert sum(group["games"] for group in found["groups"]) == logs.count()
    newest = logs.latest("pk")
    (group,) = [group for group in found["groups"] if group["newest"]["game"] == newest.game_id]
    assert group["reason"] == newest.failure["reason"]
    assert group["message"] == newest.failure["message"]
    assert found["lost"][group["reason"]] >= group["games"]
    assert group["newest"]["url"].startswith(f"http://testserver/games/{newest.game_id}/#m=")


def test_the_filters_choose(failed, mine):
    log, _ = failed
    slug = log.seat.version.bot.slug
    assert mine.get("/me/failures", bot=slug).json()["groups"]
    assert not mine.get("/me/failures", bot=slug, reason="memory").json()["groups"]
    assert not mine.get("/me/failures", bot=slug, version=9).json()["groups"]
    mine.get("/me/failures", 403, bot="third")
    mine.get("/me/failures", 404, bot="nobody")


def test_the_file_of_a_failure_reproduces_it(failed, mine):
    log, seat = failed
    address = mine.get("/me/failures", bot=log.seat.version.bot.slug).json()["groups"][0]["newest"]["reproduction"]
    assert Reproduction.loads(mine.client.get(address).content)
    answer = mine.get(f"/games/{log.game_id}/failures/{seat}")
    found = Reproduction.loads(answer.content)
    *_, last = decisions(found)
    assert [str(move) for move in last.view.legal] == log.failure["view"]["legal"]
    assert "no-store" in answer["Cache-Control"]


def test_the_file_is_for_the_owner_of_that_seat(failed, mine, visitor, bots):
    log, seat = failed
    path = f"/games/{log.game_id}/failures/{seat}"
    visitor.get(path, 401)
    program(factories.user()).get(path, 403)
    program(factories.user(is_staff=True)).get(path)
    mine.get(f"/games/{log.game_id}/failures/5", 404)
    mine.get(f"/games/{log.game_id}/failures/6", 422)
    mine.get(f"/games/999999/failures/{seat}", 404)


def test_the_file_of_a_check(failed, bots, mine, visitor):
    log, seat = failed
    from arena.durak import GameRecord

    record = GameRecord.from_compact(bytes(log.game.record)).to_json()
    report = factories.failed_report(record=record, seat=seat, view=log.failure["view"])
    factories.version(bots[0], "rejected", code=b"x = 2\n", report=report)
    assert Reproduction.loads(mine.get("/bots/first/versions/2/failure").content).version == 2
    assert "failed in no game" in mine.get("/bots/first/versions/1/failure", 404).json()["message"]
    visitor.get("/bots/first/versions/2/failure", 401)
    program(factories.user()).get("/bots/first/versions/2/failure", 403)


def test_times_are_public(cup, visitor):
    found = visitor.get("/bots/first/times").json()
    assert found["decisions"] > 0
    assert found["median_ms"] <= found["p95_ms"] <= found["slowest_ms"] == found["slowest"][0]["ms"]
    assert visitor.get("/bots/first/times", version=9).json() == {
        "games": 0, "decisions": 0, "mean_ms": None, "median_ms": None, "p95_ms": None, "slowest_ms": None,
        "slowest": [],
    }  # fmt: skip
