"""Choosing notices in one's account, and ending them by the link in a mail."""

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from notices import sending, stopping
from notices.models import Choice, Notice
from pages import account_data
from tests.web import factories
from tests.web.tournaments.made import in_threads

pytestmark = pytest.mark.django_db


@pytest.fixture
def author():
    return factories.user("author", email="author@example.org")


@pytest.fixture
def signed(client, author):
    client.force_login(author)
    return client


def test_nobody_gets_any_before_he_asks(signed, author):
    page = signed.get(reverse("notices:settings")).content.decode()
    assert "checked" not in page
    assert "author@example.org" in page
    assert not Choice.objects.exists()


def test_what_is_ticked_is_kept_with_language_and_address(signed, author):
    before = timezone.now()
    signed.post(reverse("notices:settings"), {"version_fails": "on"}, headers={"accept-language": "pl"})
    choice = Choice.objects.get(user=author)
    assert (choice.check_ended, choice.version_fails, choice.tournament_finished) == (False, True, False)
    assert (choice.language, choice.site) == ("pl", "http://testserver/")
    assert choice.since >= before
    assert 'name="version_fails"' in signed.get(reverse("notices:settings")).content.decode()


def test_ticking_more_keeps_since_when_and_beginning_again_does_not(signed, author):
    signed.post(reverse("notices:settings"), {"version_fails": "on"})
    first = Choice.objects.get(user=author).since
    signed.post(reverse("notices:settings"), {"version_fails": "on", "check_ended": "on"})
    assert Choice.objects.get(user=author).since == first
    signed.post(reverse("notices:settings"), {})
    signed.post(reverse("notices:settings"), {"check_ended": "on"})
    assert Choice.objects.get(user=author).since > first


@pytest.mark.django_db(transaction=True)
def test_a_form_that_is_sent_twice_at_once_is_kept_once(author):
    def press(_number):
        client = Client()
        client.force_login(author)
        return client.post(reverse("notices:settings"), {"check_ended": "on"}).status_code

    assert in_threads(press, range(4), threads=4) == [302] * 4
    assert Choice.objects.get().check_ended


def test_the_choice_is_ones_own(client, author):
    assert client.get(reverse("notices:settings")).status_code == 302
    client.force_login(factories.user("other"))
    client.post(reverse("notices:settings"), {"check_ended": "on"})
    assert not Choice.objects.filter(user=author).exists()


def test_who_has_no_address_is_told_so(client):
    client.force_login(factories.user())
    assert "no confirmed email address" in client.get(reverse("notices:settings")).content.decode()


def test_the_link_ends_all_notices_after_one_press(signed, author):
    signed.post(reverse("notices:settings"), {"check_ended": "on", "tournament_finished": "on"})
    link = reverse("notices:stop", args=[stopping.token(author)])
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.get(link).status_code == 200
    assert Choice.objects.get(user=author).wants_any
    assert "you get no more" in stranger.post(link, {"List-Unsubscribe": "One-Click"}).content.decode()
    assert not Choice.objects.get(user=author).wants_any
    assert stranger.post(link).status_code == 200


@pytest.mark.parametrize("token", ["x", "1:2:3", "MQ:1tXaaa:AAAA"])
def test_a_link_that_was_not_made_here_ends_nothing(client, token):
    assert client.post(reverse("notices:stop", args=[token])).status_code == 404


def test_a_closed_account_leaves_no_notices(signed, author):
    signed.post(reverse("notices:settings"), {"check_ended": "on"})
    factories.version(factories.bot(author, ready=False), checked_at=timezone.now())
    sending.run()
    assert len(mail.outbox) == 1
    exported = b"".join(account_data.export(author)).decode()
    assert '"notices":' in exported
    account_data.delete(author)
    assert not Choice.objects.exists()
    assert not Notice.objects.exists()


def test_a_suspended_author_ends_them_by_the_link_too(signed, author):
    """Signed in as he is: whoever is told by mail may always have that ended."""
    signed.post(reverse("notices:settings"), {"check_ended": "on"})
    author.suspended_at, author.suspension_reason = timezone.now(), "Floods."
    author.save()
    page = signed.post(reverse("notices:stop", args=[stopping.token(author)]))
    assert page.status_code == 200
    assert not Choice.objects.get(user=author).wants_any
