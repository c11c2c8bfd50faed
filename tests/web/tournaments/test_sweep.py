"""The sweep: it finds what is to be done, and doing it twice is as good as once."""

from datetime import timedelta

import pytest
from celery import Celery
from django.core.cache import cache
from django.utils import timezone
from kombu.exceptions import OperationalError

from bots.models import BotVersion
from tests.web import factories
from tests.web.tournaments.made import begin, in_threads
from tournaments import fairness, lifecycle, queue, ratings
from tournaments.locks import lock
from tournaments.models import DealSecret, Entry, Match, Tournament
from tournaments.sweep import refresh_tables, ring_alarm, sweep

pytestmark = pytest.mark.django_db

PLAY = "tournaments.tasks.play_match"


def ladder() -> Tournament:
    return Tournament.objects.get(slug="ladder")


def test_versions_that_became_ready_are_found_and_play_everyone(announced):
    bots = [factories.bot() for _ in range(3)]
    factories.bot(ready=False)
    sweep()
    assert set(Entry.objects.values_list("bot", flat=True)) == {bot.pk for bot in bots}
    assert Match.objects.filter(tournament=ladder()).count() == 3
    assert sorted(announced(PLAY)) == sorted(Match.objects.values_list("pk", flat=True))
    sweep()
    assert Match.objects.count() == 3
    assert len(announced(PLAY)) == 3


def test_a_newer_version_is_found_and_a_picked_one_is_respected():
    bot, _ = factories.bot(), factories.bot()
    sweep()
    first = bot.versions.get()
    bot.picked_version = first
    bot.save()
    newer = factories.version(bot)
    sweep()
    assert Entry.objects.get(bot=bot, state="active").version == first
    bot.picked_version = None
    bot.save()
    sweep()
    assert Entry.objects.get(bot=bot, state="active").version == newer
    assert Entry.objects.get(bot=bot, state="replaced").version == first


def test_bots_of_closed_accounts_do_not_join():
    bot = factories.bot()
    bot.owner.is_active = False
    bot.owner.save()
    sweep()
    assert not Entry.objects.exists()


def test_matches_of_dead_workers_are_announced_again(announced):
    tournament = factories.round_robin([factories.bot(), factories.bot()])
    match = tournament.matches.get()
    begin(match, seconds=-1)
    sweep()
    match.refresh_from_db()
    assert match.state == "queued"
    assert match.pk in announced(PLAY)


def test_checks_that_nobody_took_are_announced_again(announced, settings):
    version = factories.version(factories.bot(ready=False), state="checking")
    sweep()
    sweep()
    assert announced("bots.tasks.check_version") == [version.pk]
    BotVersion.objects.update(sent_at=timezone.now() - timedelta(seconds=settings.RESEND_SECONDS + 1))
    sweep()
    assert announced("bots.tasks.check_version") == [version.pk] * 2


def test_a_tournament_that_has_been_played_is_finished_with_its_table():
    tournament = factories.round_robin([factories.bot() for _ in range(3)])
    sweep()
    factories.play(tournament)
    sweep()
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    assert tournament.fitted == tournament.rated == 3
    assert not Entry.objects.filter(tournament=tournament, rating=None).exists()
    assert DealSecret.objects.get(tournament=tournament).revealed_at is not None


def test_the_table_of_a_running_tournament_follows_its_matches():
    tournament = factories.round_robin([factories.bot() for _ in range(3)])
    factories.play(tournament, limit=1)
    sweep()
    tournament.refresh_from_db()
    assert tournament.fitted == 1
    factories.play(tournament, limit=1)
    # A table that was expensive is not made again at once.
    Tournament.objects.filter(pk=tournament.pk).update(fit_seconds=10.0)
    sweep()
    tournament.refresh_from_db()
    assert tournament.fitted == 1
    Tournament.objects.filter(pk=tournament.pk).update(fitted_at=timezone.now() - timedelta(seconds=201))
    sweep()
    tournament.refresh_from_db()
    assert tournament.fitted == 2


def test_what_fails_does_not_keep_the_rest_from_being_done(monkeypatch):
    def fail():
        raise RuntimeError("disk full")

    monkeypatch.setattr(queue, "expire", fail)
    tournament = factories.round_robin([factories.bot() for _ in range(2)])
    factories.play(tournament)
    with pytest.raises(ExceptionGroup) as caught:
        sweep()
    assert [str(error) for error in caught.value.exceptions] == ["disk full"]
    tournament.refresh_from_db()
    assert tournament.state == "finished"


def test_a_broker_that_is_down_loses_no_announcement(monkeypatch, announced):
    def refuse(self, name, **options):
        raise OperationalError("Connection refused")

    factories.bot(), factories.bot()
    with monkeypatch.context() as broken:
        broken.setattr(Celery, "send_task", refuse)
        sweep()
        assert announced(PLAY) == []
    sweep()
    assert announced(PLAY) == [Match.objects.get().pk]


def test_secrets_of_past_days_are_revealed_once_their_matches_are_played():
    factories.bot(), factories.bot()
    sweep()
    Tournament.objects.update(deals=1)
    secret = DealSecret.objects.get()
    assert secret.day == timezone.now().date()
    tomorrow = timezone.now() + timedelta(days=1)
    assert fairness.reveal_past_days() == 0
    assert fairness.reveal_past_days(tomorrow) == 0
    factories.play(ladder())
    assert fairness.reveal_past_days() == 0
    assert fairness.reveal_past_days(tomorrow) == 1
    assert fairness.reveal_past_days(tomorrow) == 0


def test_a_parked_match_of_a_past_day_is_tried_again_with_a_new_secret():
    factories.bot(), factories.bot()
    sweep()
    match = Match.objects.get()
    queue.park(match, "by staff")
    DealSecret.objects.update(day=timezone.now().date() - timedelta(days=1))
    assert fairness.reveal_past_days() == 1
    before = fairness.decks_of(Match.objects.get())
    queue.retry(match)
    match = Match.objects.get()
    assert match.secret.day == timezone.now().date()
    assert match.secret.revealed_at is None
    assert fairness.decks_of(match) != before


def test_no_secret_becomes_public_in_the_moment_in_which_a_match_is_tried_again(monkeypatch):
    """Staff is giving a match its attempts again, with its old secret, while the sweep looks whose days are over."""

    def lock_after_retry(tournament_id):
        if Match.objects.get().state == "parked":
            queue.retry(match)
        return lock(tournament_id)

    factories.bot(), factories.bot()
    sweep()
    match = Match.objects.get()
    queue.park(match, "by staff")
    monkeypatch.setattr(fairness, "lock", lock_after_retry)
    assert fairness.reveal_past_days(timezone.now() + timedelta(days=1)) == 0
    match.refresh_from_db()
    assert (match.state, match.secret.revealed_at) == ("queued", None)


def test_no_match_is_planned_with_a_secret_that_is_public():
    """The clock of the worker that revealed it goes before that of the one that plans."""
    first = fairness.ensure_secret(lifecycle.ensure_ladder())
    tomorrow = timezone.now() + timedelta(days=1)
    assert fairness.reveal_past_days(tomorrow) == 1
    later = fairness.ensure_secret(ladder())
    assert (later.day, later.revealed_at) == (first.day + timedelta(days=1), None)
    assert fairness.ensure_secret(ladder()) == later == fairness.ensure_secret(ladder(), tomorrow)


def test_a_cancelled_ladder_grows_no_more():
    lifecycle.cancel(lifecycle.ensure_ladder())
    factories.bot()
    sweep()
    assert not Entry.objects.exists()


def test_an_alarm_rings_once_when_matches_wait_and_none_ends(caplog):
    cache.clear()
    tournament = factories.round_robin([factories.bot() for _ in range(3)])
    assert not ring_alarm()
    Match.objects.update(queued_at=timezone.now() - timedelta(hours=1))
    assert ring_alarm()
    assert "no_match_ends" in caplog.text
    assert not ring_alarm()
    cache.clear()
    factories.play(tournament, limit=1)
    assert not ring_alarm()
    cache.clear()


def test_a_table_that_another_sweep_is_making_is_left_to_it(monkeypatch):
    tournament = factories.round_robin([factories.bot(), factories.bot()])
    factories.play(tournament)
    made = []

    def refresh(one):
        made.append(one)
        refresh_tables()

    monkeypatch.setattr(ratings, "refresh_table", refresh)
    refresh_tables()
    assert made == [tournament]


@pytest.mark.django_db(transaction=True)
def test_sweeps_at_the_same_moment_do_no_harm():
    [factories.bot() for _ in range(4)]
    in_threads(lambda _: sweep(), range(4), threads=4)
    assert Entry.objects.filter(state="active").count() == 4
    assert Match.objects.count() == 6
