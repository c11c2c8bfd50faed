"""What staff decides about accounts: what the owner reads, what he can still do, and what is written down."""

import json

import pytest
from django.urls import reverse

from accounts import deletion, moderation, tokens
from accounts.models import ApiToken, User
from accounts.moderation import ModerationError
from tests.web import factories
from tests.web.factories import CODE
from upkeep.models import AuditEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff():
    return factories.user("staff", is_staff=True)


@pytest.fixture
def author():
    return factories.user("author")


@pytest.fixture
def suspended(author, staff):
    moderation.suspend(author, "Attacked the <sandbox>.", staff)
    author.refresh_from_db()
    return author


def test_without_a_reason_nothing_is_decided(author, staff):
    for decide in (moderation.suspend, moderation.hide_name):
        with pytest.raises(ModerationError, match="Say why"):
            decide(author, "  ", staff)
    assert not AuditEntry.objects.exists()


def test_staff_is_not_suspended_and_nobody_twice(suspended, staff):
    with pytest.raises(ModerationError, match="rights away"):
        moderation.suspend(staff, "x", staff)
    with pytest.raises(ModerationError, match="already"):
        moderation.suspend(suspended, "x", staff)
    moderation.lift(suspended, staff)
    with pytest.raises(ModerationError, match="not suspended"):
        moderation.lift(suspended, staff)
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "target_name", "detail")) == [
        ("suspend user", f"user {suspended.pk}", "Attacked the <sandbox>."),
        ("lift suspension of user", f"user {suspended.pk}", ""),
    ]


def test_a_suspended_author_signs_in_and_reads_why_and_how_to_appeal(client, suspended, settings):
    settings.APPEAL_CONTACT = "appeals@arena.example"
    answer = client.post(reverse("account_login"), {"login": "author", "password": factories.PASSWORD}, follow=True)
    shown = answer.content.decode()
    assert "Attacked the &lt;sandbox&gt;." in shown
    assert "appeals@arena.example" in shown
    for page in ("account", "account-data", "bots:mine", "home"):
        assert client.get(reverse(page)).status_code == 200


def test_a_suspended_author_changes_nothing_but_his_account(client, suspended):
    bot = factories.bot(suspended)
    client.force_login(suspended)
    for url, data in (
        (reverse("bots:new"), {"name": "New", "code": CODE.decode()}),
        (reverse("bots:upload", args=[bot.slug]), {"code": CODE.decode()}),
        (reverse("bots:edit", args=[bot.slug]), {"name": "Other"}),
    ):
        answer = client.post(url, data)
        assert answer.status_code == 403, url
        assert "Attacked the &lt;sandbox&gt;." in answer.content.decode()
    assert list(suspended.bots.values_list("name", flat=True)) == [bot.name]
    assert bot.versions.count() == 1
    exported = json.loads(b"".join(client.get(reverse("account-export")).streaming_content))
    assert exported["account"]["suspension_reason"] == "Attacked the <sandbox>."
    assert client.post(reverse("account_logout")).status_code == 302


def test_a_password_that_is_changed_meanwhile_undoes_no_suspension(client, author, staff, monkeypatch):
    """It takes a while to hash one, and a row that was read before must not be written whole after it."""
    hash_it = User.set_password

    def hash_slowly(user, password):
        if not User.objects.get(pk=user.pk).is_suspended:
            moderation.suspend(user, "Spies.", staff)
        hash_it(user, password)

    monkeypatch.setattr(User, "set_password", hash_slowly)
    client.force_login(author)
    old, new = factories.PASSWORD, "another good passphrase"
    client.post(reverse("account_change_password"), {"oldpassword": old, "password1": new, "password2": new})
    author.refresh_from_db()
    assert author.check_password(new)
    assert (author.is_suspended, author.suspension_reason) == (True, "Spies.")


def test_a_suspended_author_uploads_nothing_over_the_api_and_reads_on(client, author, staff):
    bot = factories.bot(author)
    headers = {"authorization": f"Bearer {tokens.make(author, 't', ApiToken.Scope.UPLOAD, 7)[1]}"}
    moderation.suspend(author, "Floods.", staff)
    for url in ("/api/bots", f"/api/bots/{bot.slug}/versions"):
        answer = client.post(url, {"name": "x"}, content_type="application/json", headers=headers)
        assert answer.status_code == 403
        assert "Floods." in answer.json()["message"]
    assert client.get("/api/me/bots", headers=headers).status_code == 200


def test_a_hidden_name_is_nowhere_and_still_signs_in(client, author, staff):
    bot = factories.bot(author)
    moderation.hide_name(author, "An insult.", staff)
    author.refresh_from_db()
    assert author.username == f"user-{author.pk}"
    shown = client.get(reverse("bots:detail", args=[bot.slug])).content.decode()
    assert "author</bdi>" not in shown
    assert author.username in shown
    answer = client.post(reverse("account_login"), {"login": "Author", "password": factories.PASSWORD})
    assert answer.status_code == 302
    assert client.session["_auth_user_id"] == str(author.pk)
    own = client.get(reverse("account")).content.decode()
    assert "Staff has hidden the name “author”" in own
    assert "An insult." in own
    moderation.show_name(author, staff)
    assert "Staff has hidden" not in client.get(reverse("account")).content.decode()
    moderation.hide_name(author, "An insult.", staff)
    with pytest.raises(ModerationError, match="hidden already"):
        moderation.hide_name(author, "x", staff)


@pytest.mark.parametrize("name", ["Author", "user-12"])
def test_nobody_signs_up_with_a_hidden_name_or_one_that_looks_like_it(client, author, staff, name):
    moderation.hide_name(author, "An insult.", staff)
    form = {"username": name, "password1": "f7-lantern-quay", "password2": "f7-lantern-quay"}
    answer = client.post(reverse("account_signup"), form)
    assert "cannot be used" in answer.content.decode()
    assert User.objects.count() == 2


def test_a_name_is_shown_again_unless_somebody_has_it(author, staff):
    moderation.hide_name(author, "x", staff)
    other = factories.user("AUTHOR")
    with pytest.raises(ModerationError, match="Somebody else"):
        moderation.show_name(author, staff)
    other.delete()
    moderation.show_name(author, staff)
    author.refresh_from_db()
    assert (author.username, author.hidden_name) == ("author", "")
    with pytest.raises(ModerationError, match="not hidden"):
        moderation.show_name(author, staff)


def test_a_closed_account_leaves_neither_reason_nor_hidden_name(suspended, staff):
    moderation.hide_name(suspended, "x", staff)
    suspended.refresh_from_db()
    deletion.close(suspended)
    suspended.refresh_from_db()
    assert (suspended.hidden_name, suspended.suspension_reason, suspended.suspended_at) == ("", "", None)
    assert not AuditEntry.objects.filter(target_name__contains="author").exists()
