"""What only owners may see, and what staff shall see."""

import pytest
from django.contrib.auth.models import AnonymousUser

from bots.models import Bot
from bots.selectors import files_of_many, is_owner, visible_report, with_current
from tests.web import factories

pytestmark = pytest.mark.django_db


def test_a_report_is_for_the_owner_and_for_staff():
    bot = factories.bot(ready=False)
    version = factories.version(bot, state="rejected", report=factories.failed_report())
    assert visible_report(bot.owner, version)["line"] == 6
    assert visible_report(factories.user(is_staff=True), version)["line"] == 6
    assert visible_report(factories.user(), version) is None
    assert visible_report(AnonymousUser(), version) is None
    assert not is_owner(AnonymousUser(), bot)


def test_a_file_that_two_accounts_handed_in_is_found():
    one, other = factories.bot(), factories.bot()
    factories.version(one, code=factories.CODE + b"# own\n")
    assert [(file.pk, file.owners) for file in files_of_many()] == [(other.versions.get().file_id, 2)]


def test_a_file_that_one_account_handed_in_twice_is_not():
    owner = factories.user()
    factories.bot(owner), factories.bot(owner)
    assert not files_of_many().exists()


def test_current_versions_of_all_bots_are_one_query(django_assert_num_queries):
    bots = [factories.bot() for _ in range(3)]
    factories.version(bots[0])
    factories.bot(ready=False)
    with django_assert_num_queries(1):
        current = {bot.pk: bot.current_id for bot in with_current(Bot.objects.all())}
    assert current[bots[0].pk] == bots[0].versions.get(number=2).pk
    assert list(current.values()).count(None) == 1
