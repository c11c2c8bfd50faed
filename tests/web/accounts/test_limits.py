"""How often one may try: a password, an account, a mail with a link. Who tries more often is told so, in our words."""

import pytest
from django.core.cache import cache
from django.test import Client

from tests.web import factories

pytestmark = pytest.mark.django_db

FAR_MORE = 60
"""More than any limit allows in a minute."""


@pytest.fixture(autouse=True)
def nobody_has_tried():
    cache.clear()
    yield
    cache.clear()


def statuses(path, values):
    """What each of many tries from one address is answered."""
    return [Client().post(path, values(number)).status_code for number in range(FAR_MORE)]


def test_a_password_cannot_be_guessed_by_trying(client):
    factories.user("anna")
    for _ in range(8):
        client.post("/accounts/login/", {"login": "anna", "password": "wrong"})
    answer = client.post("/accounts/login/", {"login": "anna", "password": factories.PASSWORD})
    assert "_auth_user_id" not in client.session
    assert "Too many failed login attempts" in answer.content.decode()


def test_who_guesses_at_one_account_locks_nobody_else_out(client):
    factories.user("anna")
    factories.user("bert")
    for _ in range(8):
        client.post("/accounts/login/", {"login": "anna", "password": "wrong"})
    client.post("/accounts/login/", {"login": "bert", "password": factories.PASSWORD}, REMOTE_ADDR="192.0.2.7")
    assert "_auth_user_id" in client.session


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("/accounts/login/", lambda number: {"login": f"user{number}", "password": "wrong"}),
        ("/accounts/signup/", lambda number: {"username": f"user{number}", "password1": "1", "password2": "1"}),
        ("/accounts/password/reset/", lambda number: {"email": f"user{number}@example.org"}),
    ],
)
def test_one_address_may_try_so_often_and_no_more(path, values):
    answers = statuses(path, values)
    assert answers[0] in {200, 302}
    assert answers[-1] == 429


def test_who_tried_too_often_reads_what_to_do(client):
    for number in range(FAR_MORE):
        answer = client.post("/accounts/signup/", {"username": f"user{number}", "password1": "1", "password2": "1"})
    assert answer.status_code == 429
    assert "Wait a few minutes" in answer.content.decode()
    assert 'class="masthead"' in answer.content.decode()


def test_behind_a_proxy_it_is_the_visitors_address_that_counts(settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    values = {"username": "x", "password1": "1", "password2": "1"}
    for _ in range(FAR_MORE):
        one = Client().post("/accounts/signup/", values, headers={"x-forwarded-for": "6.6.6.6, 192.0.2.1"})
    other = Client().post("/accounts/signup/", values, headers={"x-forwarded-for": "6.6.6.6, 192.0.2.2"})
    assert (one.status_code, other.status_code) == (429, 200)
