"""What is kept for a time only: in small batches, and nothing that is younger, and no result ever."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.urls import reverse
from django.utils import timezone

from accounts import retention as accounts_retention
from tests.web import factories
from tournaments import exports, integrity, retention, sweep
from tournaments.models import Game, GameLog

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    """Three matches of four games each, played 100, 50 and 0 days ago; every game with the log of every bot."""
    cup = factories.round_robin([factories.bot() for _ in range(3)], "Cup")
    factories.play(cup)
    now = timezone.now()
    for match, days in zip(cup.matches.order_by("pk"), (100, 50, 0), strict=True):
        match.games.update(created_at=now - timedelta(days=days))
        for game in match.games.order_by("pk"):
            for seat in match.seats.all():
                GameLog.objects.get_or_create(game=game, seat=seat, defaults={"log": "thinking"})
    return cup


def ages(rows) -> list[int]:
    now = timezone.now()
    return sorted({(now - at).days for at in rows})


def logs() -> list[int]:
    return ages(GameLog.objects.values_list("game__created_at", flat=True))


def test_old_logs_go_in_batches_and_young_ones_stay(cup, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 5)
    assert [retention.drop_logs(90) for _ in range(3)] == [5, 3, 0]
    assert logs() == [0, 50]
    assert Game.objects.count() == 12
    assert retention.drop_logs(0) == 0
    assert list(integrity.check_tournament(cup)) == []


def test_the_sweep_does_it_as_the_settings_say(cup, settings):
    settings.KEEP_LOGS_DAYS, settings.KEEP_RECORDS_DAYS = 30, 90
    sweep.sweep()
    assert logs() == [0]
    assert Game.objects.filter(record=b"").count() == 4
    settings.KEEP_LOGS_DAYS = settings.KEEP_RECORDS_DAYS = 0
    GameLog.objects.update(log="kept")
    Game.objects.update(created_at=timezone.now() - timedelta(days=10_000))
    sweep.sweep()
    assert GameLog.objects.count() == 8
    assert Game.objects.filter(record=b"").count() == 4


def test_old_records_go_in_batches_and_are_not_looked_at_again(cup, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(retention, "BATCH", 3)
    assert [retention.drop_records(40) for _ in range(4)] == [3, 3, 2, 0]
    assert ages(Game.objects.exclude(record=b"").values_list("created_at", flat=True)) == [0]
    with django_assert_num_queries(2):
        retention.drop_records(40)


def test_a_result_stays_when_its_moves_have_gone(client, cup, caplog):
    retention.drop_records(90)
    game = Game.objects.filter(record=b"").first()
    with caplog.at_level("ERROR"):
        shown = client.get(reverse("replays:game", args=[game.pk]))
        assert shown.status_code == 200
        assert "no longer kept" in shown.content.decode()
        assert client.get(reverse("replays:frames", args=[game.pk])).status_code == 404
        assert client.get(reverse("replays:record", args=[game.pk])).status_code == 404
        answer = client.get(f"/api/games/{game.pk}/record")
        assert answer.status_code == 404
        assert "no longer kept" in answer.json()["message"]
        lines = b"".join(exports.record_lines(cup))
    assert "record_unreadable" not in caplog.text, "nothing is damaged, so nobody need look into it"
    assert lines.count(b"no longer kept") == 4
    assert lines.count(b'"record":{') == 8
    assert client.get(reverse("tournaments:match", args=[game.match_id])).status_code == 200
    assert list(integrity.check_tournament(cup)) == []


def test_sessions_that_are_over_are_forgotten(client, monkeypatch):
    user = factories.user()
    client.post(reverse("account_login"), {"login": user.username, "password": factories.PASSWORD})
    client.get(reverse("account"))
    assert (Session.objects.count(), UserSession.objects.count()) == (1, 1)
    assert accounts_retention.forget_sessions() == 0
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    UserSession.objects.update(last_seen_at=timezone.now() - timedelta(days=15))
    assert accounts_retention.forget_sessions() == 2
    assert (Session.objects.count(), UserSession.objects.count()) == (0, 0)
