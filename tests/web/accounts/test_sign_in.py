"""Signing up and in: with a name alone, and with an address where one was given."""

import pytest
from django.contrib.auth import get_user_model

from tests.web import factories

pytestmark = pytest.mark.django_db

SECRET = factories.PASSWORD


def sign_up(client, **values):
    return client.post(
        "/accounts/signup/", {"username": "anna", "email": "", "password1": SECRET, "password2": SECRET} | values
    )


def test_a_name_and_a_password_are_enough(client, mailoutbox):
    assert sign_up(client).status_code == 302
    user = get_user_model().objects.get(username="anna")
    assert int(client.session["_auth_user_id"]) == user.pk
    assert mailoutbox == []


@pytest.mark.parametrize("login", ["anna", "anna@example.org"])
def test_who_gave_an_address_signs_in_by_either(client, login):
    sign_up(client, email="anna@example.org")
    client.logout()
    client.post("/accounts/login/", {"login": login, "password": SECRET})
    assert "_auth_user_id" in client.session


def test_a_wrong_password_does_not_sign_in(client):
    sign_up(client)
    client.logout()
    client.post("/accounts/login/", {"login": "anna", "password": "wrong"})
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("name", ["Admin", "arena", "an na", "anna\u202e"])
def test_names_that_could_deceive_are_refused(client, name):
    sign_up(client, username=name)
    assert not get_user_model().objects.exists()


def test_a_weak_password_is_refused(client):
    sign_up(client, password1="password", password2="password")
    assert not get_user_model().objects.exists()


def test_a_second_factor_and_sessions_have_their_pages(client):
    sign_up(client)
    for address in ("/accounts/2fa/", "/accounts/sessions/", "/accounts/email/", "/accounts/password/change/"):
        assert client.get(address).status_code == 200
