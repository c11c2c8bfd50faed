"""Who is told what by mail: those who asked, each thing once, in their language, with a way to end it."""

import smtplib
import socket
from contextlib import contextmanager
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone

from bots.models import BotVersion
from notices import finding, sending, stopping, tasks
from notices.models import Choice, Notice
from tests.web import factories
from tournaments import lifecycle
from tournaments.models import GameLog, Tournament

pytestmark = pytest.mark.django_db

ALL = {"check_ended": True, "version_fails": True, "tournament_finished": True}


@pytest.fixture
def author():
    return factories.user("author", email="author@example.org")


def choose(user, language="en", hours=1, **wanted):
    since = timezone.now() - timedelta(hours=hours)
    fields = {"language": language, "site": "http://arena.example/", "since": since}
    return Choice.objects.create(user=user, **fields, **(wanted or ALL))


def checked(bot, state="ready", **fields):
    return factories.version(bot, state, checked_at=timezone.now(), **fields)


def finished(bots, name="Cup", clumsy=None):
    """A tournament that is over; one bot of it may fail now and then."""
    cup = factories.round_robin(bots, name, deals=1)
    factories.play(cup, brain=lambda one: factories.skilled(1.0, 0.4 if one == clumsy else 0))
    factories.rate(cup)
    lifecycle.finish(cup)
    return cup


def test_the_end_of_a_check_is_told_once(author):
    bot = factories.bot(author, "Mine", ready=False)
    choose(author)
    checked(bot)
    assert [sending.run(), sending.run()] == [1, 0]
    (message,) = mail.outbox
    assert message.to == ["author@example.org"]
    assert message.subject == "Mine, version 1: passed its check"
    assert "http://arena.example/bots/mine-2/versions/1/" in message.body or "/versions/1/" in message.body


def test_a_check_that_was_not_passed_says_why(author):
    choose(author)
    checked(factories.bot(author, "Mine", ready=False), "rejected", report=factories.failed_report())
    sending.run()
    assert "did not pass" in mail.outbox[0].subject
    assert "ZeroDivisionError: division by zero" in mail.outbox[0].body


def test_a_version_that_starts_to_fail_is_told_once_however_often_it_fails(author):
    bot = factories.bot(author, "Mine")
    choose(author, version_fails=True)
    finished([bot, factories.bot(), factories.bot()], clumsy=bot)
    logs = GameLog.objects.filter(seat__entry__bot=bot, failure__forfeited=False)
    assert logs.count() > 1
    sending.run()
    (message,) = mail.outbox
    newest = logs.latest("pk")
    assert newest.failure["message"] in message.body
    assert f"http://arena.example/games/{newest.game_id}/#m={newest.failure['at']}" in message.body
    assert f"/bots/mine/failures/?bot={bot.slug}&version=1" in message.body
    finished([bot, factories.bot()], "Second", clumsy=bot)
    assert sending.run() == 0


def test_the_end_of_a_tournament_tells_the_places_of_ones_bots(author):
    bots = [factories.bot(author, "First"), factories.bot(author, "Second"), factories.bot(name="Other")]
    choose(author, tournament_finished=True)
    cup = finished(bots)
    sending.run()
    (message,) = mail.outbox
    assert message.subject == "“Cup” is over"
    assert "First: place" in message.body
    assert "Second: place" in message.body
    assert "Other" not in message.body
    assert "http://arena.example" + cup.get_absolute_url() in message.body


def test_who_asked_for_nothing_is_told_nothing(author):
    bot = factories.bot(author, "Mine")
    choose(factories.user("other", email="other@example.org"))
    checked(bot)
    finished([bot, factories.bot()], clumsy=bot)
    assert sending.run() == 0
    assert mail.outbox == []


@pytest.mark.parametrize("kind", ALL)
def test_each_kind_is_chosen_by_itself(author, kind):
    bot = factories.bot(author, "Mine")
    choose(author, **{kind: True})
    checked(bot, code=b"x = 2\n")
    finished([bot, factories.bot()], clumsy=bot)
    sending.run()
    assert set(Notice.objects.values_list("kind", flat=True)) == {kind}


def test_what_happened_before_is_not_told(author):
    bot = factories.bot(author, "Mine")
    checked(bot, code=b"x = 2\n")
    finished([bot, factories.bot()], clumsy=bot)
    choose(author, hours=-1)
    assert sending.run() == 0


def test_what_is_older_than_a_day_is_not_looked_at(author):
    """So that each look costs what a day costs."""
    choose(author, hours=100)
    version = checked(factories.bot(author, "Mine", ready=False))
    BotVersion.objects.filter(pk=version.pk).update(checked_at=timezone.now() - finding.LOOK_BACK)
    assert finding.find() == 0


def test_many_who_asked_cost_no_more_queries_than_one(author):
    def events(user):
        bot = factories.bot(user)
        choose(user)
        checked(bot, code=b"x = 2\n")
        finished([bot, factories.bot()], f"Cup of {user}", clumsy=bot)

    events(author)
    with CaptureQueriesContext(connection) as one:
        assert finding.find() == 3
    for number in range(3):
        events(factories.user(f"user-{number}", email=f"{number}@example.org"))
    with CaptureQueriesContext(connection) as many:
        assert finding.find() == 9
    assert len(many) == len(one)


def test_drafts_are_told_to_nobody(author):
    bot = factories.bot(author, "Mine")
    choose(author, version_fails=True)
    finished([bot, factories.bot()], clumsy=bot)
    Tournament.objects.update(state="draft", started_at=None, finished_at=None)
    assert sending.run() == 0


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ru", "Mine, версия 1: проверка пройдена"),
        ("pl", "Mine, wersja 1: przeszła sprawdzenie"),
        ("uk", "Mine, версія 1: перевірку пройдено"),
    ],
)
def test_mail_is_in_the_language_of_who_gets_it(author, language, words):
    choose(author, language)
    checked(factories.bot(author, "Mine", ready=False))
    sending.run()
    assert mail.outbox[0].subject == words
    assert "Notices" not in mail.outbox[0].body


def test_a_name_makes_no_second_line_of_a_subject_and_is_not_escaped(author):
    bot = factories.bot(author, "Mine", ready=False)
    type(bot).objects.filter(pk=bot.pk).update(name="A & B\nBcc: all@example.org")
    choose(author)
    checked(bot)
    sending.run()
    assert mail.outbox[0].subject == "A & B Bcc: all@example.org, version 1: passed its check"
    assert mail.outbox[0].recipients() == ["author@example.org"]


def test_every_mail_has_a_link_that_ends_them(author):
    choose(author)
    checked(factories.bot(author, "Mine", ready=False))
    sending.run()
    message = mail.outbox[0]
    link = message.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in message.body
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    token = resolve(link.removeprefix("http://arena.example")).kwargs["token"]
    assert stopping.owner(token) == author


@contextmanager
def broken(monkeypatch, error):
    """A mail server that takes nothing; yields whom it was asked to write to, each time."""
    asked = []

    def refuse(self, fail_silently=False):
        asked.append(self.to)
        raise error

    with monkeypatch.context() as context:
        context.setattr("django.core.mail.EmailMessage.send", refuse)
        yield asked


def test_mail_that_the_server_refuses_is_tried_again_a_few_times(author, monkeypatch):
    choose(author)
    checked(factories.bot(author, "Mine", ready=False))
    with broken(monkeypatch, smtplib.SMTPDataError(554, b"no")) as asked:
        for wait in sending.WAITS:
            Notice.objects.update(created_at=timezone.now() - wait)
            assert [sending.run(), sending.run()] == [0, 0]
    assert len(asked) == len(sending.WAITS)
    assert "554" in Notice.objects.get().error
    assert sending.run() == 0
    Notice.objects.update(attempts=1)
    assert sending.run() == 1


def test_a_mail_server_that_is_away_for_an_hour_loses_nothing_and_is_not_asked_for_each_mail(author, monkeypatch):
    choose(author)
    mine = factories.bot(author, "Mine", ready=False)
    for _ in range(3):
        checked(mine)
    with broken(monkeypatch, smtplib.SMTPServerDisconnected("gone")) as asked:
        for minute in range(1, 61):
            assert sending.run() == 0
            assert len(asked) <= minute
            Notice.objects.update(created_at=F("created_at") - timedelta(minutes=1))
    Notice.objects.update(created_at=F("created_at") - timedelta(hours=1))
    assert sending.run() == 3


def test_a_mail_server_that_says_nothing_holds_nobody_for_long(author, settings):
    assert settings.EMAIL_TIMEOUT
    choose(author)
    checked(factories.bot(author, "Mine", ready=False))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = silent.getsockname()
        settings.EMAIL_TIMEOUT = 0.1
        assert sending.run() == 0
    assert "timed out" in Notice.objects.get().error


def test_two_tasks_at_once_send_one_mail(author):
    choose(author)
    checked(factories.bot(author, "Mine", ready=False))
    finding.find()
    first, second = Notice.objects.get(), Notice.objects.get()
    assert [sending.send(first), sending.send(second)] == [True, False]


def test_who_changes_his_mind_before_it_is_sent_gets_nothing(author):
    choose(author)
    checked(factories.bot(author, "Mine", ready=False))
    finding.find()
    stopping.stop(author)
    assert sending.run() == 0
    assert mail.outbox == []


def test_what_is_gone_is_not_told(author):
    choose(author)
    checked(factories.bot(author, "Mine", ready=False))
    finding.find()
    BotVersion.objects.all().delete()
    assert sending.run() == 0


def test_an_address_has_to_be_confirmed_where_the_site_has_them_confirmed(author, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    assert sending.address_of(author) is None
    EmailAddress.objects.create(user=author, email=author.email, verified=True, primary=True)
    assert sending.address_of(author) == author.email
    author.is_active = False
    assert sending.address_of(author) is None


def test_the_task_sends(author):
    choose(author)
    checked(factories.bot(author, "Mine", ready=False))
    tasks.send()
    assert len(mail.outbox) == 1
