"""Tokens of the API: shown once, kept as a hash, and useless once expired or revoked."""

import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import tokens
from accounts.models import ApiToken
from tests.web import factories

pytestmark = pytest.mark.django_db

SENT = {"name": "laptop", "scope": "upload", "days": "90"}
TOKEN = re.compile(r"durak_[0-9a-f]{64}")


@pytest.fixture
def author():
    return factories.user("author")


@pytest.fixture
def signed(client, author):
    client.force_login(author)
    return client


def test_a_token_is_found_by_its_text(author):
    made, text = tokens.make(author, "laptop", "read", 30)
    found = tokens.find(text)
    assert (found, found.user, found.scope, found.may_upload) == (made, author, "read", False)


def test_only_its_hash_is_stored(author):
    _, text = tokens.make(author, "laptop", "upload", 30)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM accounts_apitoken")
        stored = " ".join(map(str, cursor.fetchone()))
    assert TOKEN.fullmatch(text)
    assert text not in stored
    assert text.removeprefix("durak_") not in stored
    assert tokens.digest(text) in stored


def test_two_tokens_never_are_the_same(author):
    assert len({tokens.make(author, str(number), "read", 7)[1] for number in range(5)}) == 5


@pytest.mark.parametrize("text", ["", "durak_", "durak_" + "0" * 64, "\udcff", "durak_é"])
def test_an_unknown_token_opens_nothing(author, text):
    tokens.make(author, "laptop", "read", 7)
    with pytest.raises(tokens.TokenError, match="no such token"):
        tokens.find(text)


def test_an_expired_token_opens_nothing_and_says_since_when(author):
    made, text = tokens.make(author, "laptop", "read", 7)
    past = timezone.now() - timedelta(seconds=1)
    ApiToken.objects.filter(pk=made.pk).update(expires_at=past, created_at=past - timedelta(days=7))
    with pytest.raises(tokens.TokenError, match=f"expired on {past.day} "):
        tokens.find(text)


def test_a_revoked_token_opens_nothing_and_stays_revoked(author):
    made, text = tokens.make(author, "laptop", "read", 7)
    tokens.revoke(made)
    made.refresh_from_db()
    first = made.revoked_at
    tokens.revoke(made)
    made.refresh_from_db()
    assert made.revoked_at == first
    with pytest.raises(tokens.TokenError, match="revoked"):
        tokens.find(text)


def test_a_closed_account_opens_nothing(author):
    _, text = tokens.make(author, "laptop", "read", 7)
    author.is_active = False
    author.save()
    with pytest.raises(tokens.TokenError, match="closed"):
        tokens.find(text)


def test_the_last_use_is_noted_once_a_minute(author):
    made, text = tokens.make(author, "laptop", "read", 7)
    tokens.find(text)
    made.refresh_from_db()
    assert made.last_used_at is not None
    with CaptureQueriesContext(connection) as queries:
        tokens.find(text)
    assert len(queries) == 1
    ApiToken.objects.filter(pk=made.pk).update(last_used_at=timezone.now() - timedelta(minutes=2))
    tokens.find(text)
    made.refresh_from_db()
    assert made.last_used_at > timezone.now() - timedelta(minutes=1)


def test_a_name_stands_for_one_token(author):
    made, _ = tokens.make(author, "laptop", "read", 7)
    with pytest.raises(tokens.TokenError, match="of this name"):
        tokens.make(author, "laptop", "upload", 7)
    tokens.make(factories.user(), "laptop", "read", 7)
    tokens.revoke(made)
    tokens.make(author, "laptop", "read", 7)


def test_an_account_has_so_many_tokens_and_no_more(author, monkeypatch):
    monkeypatch.setattr(tokens, "MOST", 2)
    first, _ = tokens.make(author, "1", "read", 7)
    tokens.make(author, "2", "read", 7)
    with pytest.raises(tokens.TokenError, match="You have 2 tokens"):
        tokens.make(author, "3", "read", 7)
    tokens.revoke(first)
    tokens.make(author, "3", "read", 7)


@pytest.mark.parametrize(("scope", "days"), [("admin", 7), ("read", 8), ("read", 10**9)])
def test_no_other_scope_or_lifetime_can_be_had(author, scope, days):
    with pytest.raises(ValueError, match="No token"):
        tokens.make(author, "laptop", scope, days)


def test_the_database_refuses_an_unknown_scope(author):
    made, _ = tokens.make(author, "laptop", "read", 7)
    with pytest.raises(IntegrityError):
        ApiToken.objects.filter(pk=made.pk).update(scope="everything")


# The page


def test_the_page_is_for_who_is_signed_in(client):
    assert client.get(reverse("accounts:tokens")).status_code == 302
    assert client.post(reverse("accounts:tokens"), SENT).status_code == 302
    assert not ApiToken.objects.exists()


def test_a_new_token_is_shown_once_and_kept_by_no_cache(signed, author):
    response = signed.post(reverse("accounts:tokens"), SENT)
    [text] = TOKEN.findall(response.content.decode())
    assert "no-store" in response["Cache-Control"]
    assert tokens.find(text).user == author
    assert tokens.find(text).may_upload
    shown = signed.get(reverse("accounts:tokens")).content.decode()
    assert not TOKEN.search(shown)
    assert "laptop" in shown
    assert f"…{text[-4:]}" in shown


def test_sending_the_form_twice_makes_one_token(signed):
    signed.post(reverse("accounts:tokens"), SENT)
    response = signed.post(reverse("accounts:tokens"), SENT)
    assert response.status_code == 422
    assert "You have a token of this name" in response.content.decode()
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize("wrong", [{"name": ""}, {"scope": "staff"}, {"days": "4000"}, {"name": "a\0b"}])
def test_a_form_that_makes_no_sense_makes_no_token(signed, wrong):
    response = signed.post(reverse("accounts:tokens"), SENT | wrong)
    assert response.status_code == 422
    assert not ApiToken.objects.exists()


def test_one_revokes_ones_own_tokens_and_no_others(signed, author):
    mine, _ = tokens.make(author, "mine", "read", 7)
    other, text = tokens.make(factories.user(), "other", "read", 7)
    assert signed.post(reverse("accounts:revoke-token", args=[other.pk])).status_code == 404
    tokens.find(text)
    response = signed.post(reverse("accounts:revoke-token", args=[mine.pk]), follow=True)
    assert "is revoked" in response.content.decode()
    mine.refresh_from_db()
    assert mine.revoked_at is not None
    assert signed.get(reverse("accounts:revoke-token", args=[mine.pk])).status_code == 405


def test_a_form_from_elsewhere_makes_and_revokes_nothing(author):
    made, _ = tokens.make(author, "mine", "read", 7)
    client = Client(enforce_csrf_checks=True)
    client.force_login(author)
    assert client.post(reverse("accounts:tokens"), SENT).status_code == 403
    assert client.post(reverse("accounts:revoke-token", args=[made.pk])).status_code == 403
    assert tokens.live(author).count() == 1


def test_a_name_is_shown_as_it_is_and_runs_nothing(signed, author):
    tokens.make(author, "<script>alert(1)</script>", "read", 7)
    assert "<script>alert" not in signed.get(reverse("accounts:tokens")).content.decode()


def test_staff_revokes_what_has_leaked(client, author):
    made, _ = tokens.make(author, "mine", "read", 7)
    client.force_login(factories.user(is_staff=True, is_superuser=True))
    url = reverse("admin:accounts_apitoken_changelist")
    assert "mine" in client.get(url).content.decode()
    client.post(url, {"action": "revoke", "_selected_action": [made.pk]})
    made.refresh_from_db()
    assert made.revoked_at is not None
    assert client.get(reverse("admin:accounts_apitoken_add")).status_code == 403
