"""One's data as a file, and what is left after an account has been deleted."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts import tokens
from accounts.models import ApiToken, User
from bots.erasure import erase_bots
from bots.models import Bot, BotFile, BotVersion
from bots.services import SuspendedError, create_bot, submit_version
from pages import account_data
from tests.web import factories
from tests.web.tournaments.made import in_threads
from tournaments import integrity, lifecycle, queue, standings
from tournaments.lifecycle import LifecycleError
from tournaments.models import Entry, GameLog, Match, Tournament

pytestmark = pytest.mark.django_db

OWN_CODE = factories.CODE.replace(b"Made", b"MySecretIdea")


@pytest.fixture
def author(client):
    user = factories.user("author", email="author@example.org", first_name="Anna")
    EmailAddress.objects.create(user=user, email="author@example.org", verified=True, primary=True)
    tokens.make(user, "laptop", "read", 7)
    client.post(reverse("account_login"), {"login": "author", "password": factories.PASSWORD})
    return user


@pytest.fixture
def cup(author):
    """A round robin half played, with a bot of the author's that crashed now and then, and one being played."""
    mine = factories.bot(author, "Mine", ready=False, description="My idea.")
    factories.version(mine, code=OWN_CODE, report=factories.passed_report())
    cup = factories.round_robin([mine, *(factories.bot() for _ in range(3))], "Cup")
    factories.play(cup, 3, brain=lambda bot: factories.skilled(0.5, 0.2 if bot == mine else 0.0))
    return cup


def confirm(client):
    """Sign in once more, as the page of deletion asks for."""
    client.post(reverse("account_reauthenticate"), {"password": factories.PASSWORD})


def export(client):
    return json.loads(b"".join(client.get(reverse("account-export")).streaming_content))


def test_the_file_has_everything_of_mine_and_nothing_of_others(client, author, cup):
    other = factories.bot(name="Other")
    found = export(client)
    assert found["account"]["email"] == "author@example.org"
    assert [bot["name"] for bot in found["bots"]] == ["Mine"]
    assert found["entries"][0]["tournament__slug"] == cup.slug
    assert len(found["logs"]) == GameLog.objects.filter(seat__entry__bot__owner=author).count() > 0
    digest = found["versions"][0]["file_id"]
    assert base64.b64decode(found["files"][digest]) == OWN_CODE
    assert list(found["files"]) == [digest]
    assert other.name not in json.dumps(found["bots"])


def test_no_secret_is_in_the_file(client, author, cup):
    text = json.dumps(export(client))
    assert author.password not in text
    assert ApiToken.objects.get().digest not in text


def test_an_empty_account_has_a_file_too(client, author):
    assert export(client)["bots"] == []


@pytest.mark.parametrize("name", ["account-data", "account-export", "account-delete"])
def test_visitors_sign_in_first(client, name):
    response = client.get(reverse(name))
    assert response.status_code == 302
    assert "/accounts/login/" in response.headers["Location"]


def test_the_name_must_be_typed(client, author):
    confirm(client)
    for typed in ("", "Author", "somebody"):
        response = client.post(reverse("account-delete"), {"name": typed})
        assert response.status_code == 422
    assert User.objects.get(pk=author.pk).is_active


def test_deleting_asks_for_the_password_once_more(client, author):
    for ask in (client.get, client.post):
        response = ask(reverse("account-delete"), {"name": "author"})
        assert response.status_code == 302
        assert "reauthenticate" in response.headers["Location"]
    assert User.objects.get(pk=author.pk).is_active


def test_an_account_of_staff_is_not_deleted(client, author):
    User.objects.filter(pk=author.pk).update(is_staff=True)
    confirm(client)
    assert "another member of staff" in client.get(reverse("account-delete")).content.decode()
    client.post(reverse("account-delete"), {"name": "author"})
    assert User.objects.get(pk=author.pk).is_active
    with pytest.raises(ValueError, match="staff"):
        account_data.delete(User.objects.get(pk=author.pk))


def test_nothing_of_the_person_is_left_and_the_results_are(client, author, cup):
    before = {line.bot_slug: (line.games, line.won, line.lost) for line in standings.table(cup)}
    confirm(client)
    response = client.post(reverse("account-delete"), {"name": "author"}, follow=True)
    assert "Your account is deleted" in response.content.decode()
    assert not response.wsgi_request.user.is_authenticated

    gone = User.objects.get(pk=author.pk)
    assert (gone.email, gone.first_name, gone.is_active) == ("", "", False)
    assert not gone.has_usable_password()
    assert not EmailAddress.objects.filter(user=gone).exists()
    assert not ApiToken.objects.filter(user=gone).exists()
    assert not GameLog.objects.filter(seat__entry__bot__owner=gone).exists()
    assert not [file for file in BotFile.objects.all() if b"MySecretIdea" in bytes(file.content)]
    assert Bot.objects.get(owner=gone).description == ""
    assert BotVersion.objects.get(bot__owner=gone).report is None

    after = {line.bot_slug: (line.games, line.won, line.lost) for line in standings.table(cup)}
    assert after == before
    shown = client.get(cup.get_absolute_url()).content.decode()
    assert f"deleted user {gone.pk}" in shown
    assert ">author<" not in shown
    assert list(integrity.check_tournament(cup)) == []


def test_its_bots_leave_everywhere_and_the_rest_goes_on(client, author, cup):
    entry = Entry.objects.get(bot__owner=author)
    waiting = cup.matches.filter(state="queued")
    mine = list(waiting.filter(seats__entry=entry).values_list("pk", flat=True))
    playing = mine and queue.claim(mine[0], "host", 60)
    account_data.delete(author)
    entry.refresh_from_db()
    assert entry.state == "withdrawn"
    assert set(Match.objects.filter(pk__in=mine).values_list("state", flat=True)) <= {"cancelled"}
    if playing:
        assert not queue.renew(playing, 1)
    factories.play(cup)
    assert lifecycle.finish(cup).state == "finished"


def test_lists_of_bots_that_may_play_drop_those_of_a_closed_account(client, author, cup):
    """Their code is erased: they play nowhere any more. Their pages stay, since results name them."""
    mine, other = Bot.objects.get(owner=author), Bot.objects.exclude(owner=author)[0]
    account_data.delete(author)
    for address in (reverse("bots:list"), reverse("sitemap"), "/api/bots"):
        shown = client.get(address).content.decode()
        assert other.get_absolute_url() in shown
        assert mine.get_absolute_url() not in shown
    assert client.get(mine.get_absolute_url()).status_code == 200


def test_bots_that_never_entered_are_gone(author):
    factories.bot(author, "Idle")
    account_data.delete(author)
    assert not Bot.objects.filter(owner=author).exists()


def test_a_file_that_somebody_else_uploaded_too_is_his(author, cup):
    other = factories.bot(name="Same", ready=False)
    shared = factories.version(other, code=OWN_CODE)
    account_data.delete(author)
    shared.refresh_from_db()
    assert bytes(shared.file.content) == OWN_CODE


def test_the_same_file_can_be_uploaded_again_later(author, cup):
    account_data.delete(author)
    again = factories.version(factories.bot(ready=False), code=OWN_CODE)
    assert bytes(again.file.content) == OWN_CODE


def test_nobody_can_take_the_name_of_a_deleted_account(client, author):
    account_data.delete(author)
    name = User.objects.get(pk=author.pk).username
    client.logout()
    fields = {"username": name, "password1": "long enough 77", "password2": "long enough 77"}
    assert client.post(reverse("account_signup"), fields).status_code == 200
    assert User.objects.filter(username=name).count() == 1


def test_sessions_elsewhere_end(client, author, cup):
    elsewhere = Client()
    elsewhere.post(reverse("account_login"), {"login": "author", "password": factories.PASSWORD})
    assert elsewhere.get(reverse("account")).status_code == 200
    account_data.delete(author)
    assert elsewhere.get(reverse("account")).status_code == 302


def enter(bot):
    lifecycle.enter(Tournament.objects.get(state="open"), bot)


def join(bot):
    lifecycle.join_ladder(lifecycle.ensure_ladder(), bot.versions.get())


def upload(bot):
    submit_version(bot, "bot.py", OWN_CODE + b"# better\n")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", [enter, join, upload, lambda bot: create_bot(bot.owner, "Newer")])
def test_nothing_begins_in_the_middle_of_a_deletion(author, cup, monkeypatch, act):
    """What somebody does in a second window, or the sweep for his bots, comes before it or finds the account closed."""
    factories.round_robin([], "Open", start=False)
    bot = Bot.objects.get(owner=author)
    refused = []

    def act_meanwhile(_number):
        try:
            act(bot)
        except (LifecycleError, SuspendedError, ValidationError) as error:
            refused.append(error)

    def erase_slowly(*arguments):
        others.submit(in_threads, act_meanwhile, [1])
        # It waits for the deletion; if it did not, it would be done by then.
        wait([others.submit(str)], timeout=0.5)
        erase_bots(*arguments)

    with ThreadPoolExecutor(1) as others:
        monkeypatch.setattr("pages.account_data.erase_bots", erase_slowly)
        account_data.delete(author)
    assert act is join or len(refused) == 1
    assert not Entry.objects.filter(bot__owner=author, state="active").exists()
    assert Bot.objects.filter(owner=author).count() == 1
    assert not [file for file in BotFile.objects.all() if b"MySecretIdea" in bytes(file.content)]
