"""Signing up, in and out, and the pages of one's own account: in our look, and in working order."""

import pytest
from django.urls import reverse

from accounts.models import User
from tests.web import factories

pytestmark = pytest.mark.django_db

FRAME = 'class="masthead"'


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password"])
def test_the_ways_in_have_our_frame(client, name):
    shown = client.get(reverse(name)).content.decode()
    assert FRAME in shown
    assert shown.count("<h1>") == 1


@pytest.mark.parametrize(
    "name",
    ["account", "account_email", "account_change_password", "account_logout", "mfa_index", "usersessions_list"],
)
def test_the_pages_of_an_account_have_our_frame_and_are_for_its_owner(client, name):
    url = reverse(name)
    if name != "account_logout":
        assert client.get(url).status_code == 302
    client.force_login(factories.user(email="one@example.org"))
    shown = client.get(url, follow=True).content.decode()
    assert FRAME in shown
    assert shown.count("<h1>") == 1


def test_a_newcomer_signs_up_and_lands_at_his_bots(client):
    sent = {"username": "newcomer", "password1": factories.PASSWORD, "password2": factories.PASSWORD}
    response = client.post(reverse("account_signup"), sent, follow=True)
    assert User.objects.get().username == "newcomer"
    assert response.request["PATH_INFO"] == reverse("bots:mine")
    assert "You have no bot yet" in response.content.decode()


def test_what_was_typed_stays_and_errors_stand_by_their_field(client):
    sent = {"username": "newcomer", "password1": "short", "password2": "short"}
    shown = client.post(reverse("account_signup"), sent).content.decode()
    assert 'value="newcomer"' in shown
    assert 'class="errors"' in shown
    assert 'id="id_password1_error"' in shown
    assert not User.objects.exists()


def test_signing_in_and_out(client):
    factories.user("somebody")
    sent = {"login": "somebody", "password": factories.PASSWORD}
    response = client.post(reverse("account_login"), sent, follow=True)
    assert "My bots" in response.content.decode()
    client.post(reverse("account_logout"))
    assert client.get(reverse("account")).status_code == 302


def test_a_wrong_password_is_told_without_telling_who_exists(client):
    factories.user("somebody")
    answers = []
    for name in ("somebody", "nobody"):
        response = client.post(reverse("account_login"), {"login": name, "password": "wrong"})
        answers.append(response.context["form"].errors)
    assert answers[0] == answers[1]


def test_the_overview_counts_ones_bots(client):
    author = factories.user()
    factories.bot(author)
    client.force_login(author)
    assert "1 bot<" in client.get(reverse("account")).content.decode()


def test_the_menu_follows_who_one_is(client):
    shown = client.get("/").content.decode()
    assert reverse("account_login") in shown
    assert reverse("operations") not in shown
    client.force_login(factories.user())
    shown = client.get("/").content.decode()
    assert reverse("bots:new") in shown
    assert reverse("operations") not in shown
    client.force_login(factories.user(is_staff=True))
    assert reverse("operations") in client.get("/").content.decode()


def test_the_language_is_switched_without_a_script(client):
    client.post(reverse("set_language"), {"language": "ru", "next": "/"})
    assert '<html lang="ru"' in client.get("/").content.decode()
