"""How much may be asked: counted once for all processes, by account or by address, with a clear answer at the end."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api import limits
from api.limits import Allowance, OverLimitError, address_key, spend
from api.models import Usage
from tests.web import factories
from tests.web.api.conftest import program

pytestmark = pytest.mark.django_db

FEW = Allowance("few", 3, 60)


def spent(who="somebody", allowance=FEW):
    """How many requests are let through of ten."""
    count = 0
    for _ in range(10):
        try:
            spend(allowance, who)
        except OverLimitError:
            continue
        count += 1
    return count


def test_so_many_and_no_more():
    assert spent() == 3
    assert spent() == 0


def test_everybody_has_his_own():
    assert (spent("one"), spent("two")) == (3, 3)
    assert spent("one", Allowance("other", 2, 60)) == 2


def test_it_says_how_long_to_wait():
    spent()
    with pytest.raises(OverLimitError) as caught:
        spend(FEW, "somebody")
    assert 1 <= caught.value.wait <= 60


def test_after_the_span_it_begins_anew():
    spent()
    Usage.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert spent() == 3


def test_counting_is_one_query():
    spend(FEW, "somebody")
    with CaptureQueriesContext(connection) as queries:
        spend(FEW, "somebody")
    assert len(queries) == 1


def test_what_is_long_over_is_cleared_away():
    spend(FEW, "old")
    Usage.objects.update(ends_at=timezone.now() - 2 * limits.KEPT)
    spend(FEW, "new")
    assert list(Usage.objects.values_list("key", flat=True)) == ["few:new"]


@pytest.mark.django_db(transaction=True)
def test_threads_together_get_no_more_than_one_alone():
    passed = []

    def run():
        try:
            passed.append(spent(allowance=Allowance("few", 20, 600)))
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(passed) == 20


# Addresses


@pytest.mark.parametrize(
    ("remote", "key"),
    [
        ("192.0.2.7", "address 192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "address 2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "address 2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "address 192.0.2.7"),
        ("", "address unknown"),
        ("a" * 500, "address unknown"),
    ],
)
def test_an_address_is_one_customers(remote, key):
    assert address_key(RequestFactory().get("/", REMOTE_ADDR=remote)) == key


def test_only_a_proxy_of_ours_may_name_another_address(settings):
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="198.51.100.9, 192.0.2.7")
    assert address_key(request) == "address 10.0.0.1"
    settings.PROXY = True
    assert address_key(request) == "address 192.0.2.7"


# Over the wire


def test_who_asks_too_much_is_told_when_to_come_again(visitor, monkeypatch):
    monkeypatch.setattr(limits, "VISITORS", Allowance("visitor", 2, 60))
    visitor.get("/bots")
    visitor.get("/tournaments")
    response = visitor.get("/matches", 429)
    assert 1 <= int(response["Retry-After"]) <= 60
    answer = response.json()
    assert answer["code"] == "too_many_requests"
    assert "more than 2 requests in 60 seconds" in answer["message"]
    assert response["Retry-After"] in answer["message"]


def test_more_tokens_make_no_more_requests(author, monkeypatch):
    monkeypatch.setattr(limits, "ACCOUNTS", Allowance("account", 2, 60))
    first, second = program(author), program(author)
    first.get("/me")
    second.get("/me")
    first.get("/me", 429)
    program(factories.user()).get("/me")


def test_a_token_is_not_stopped_for_its_neighbours(author, visitor, monkeypatch):
    monkeypatch.setattr(limits, "VISITORS", Allowance("visitor", 1, 60))
    visitor.get("/bots")
    visitor.get("/bots", 429)
    program(author).get("/bots")


def test_guessing_tokens_is_counted(db, monkeypatch):
    monkeypatch.setattr(limits, "VISITORS", Allowance("visitor", 2, 60))
    answers = [
        Client(headers={"authorization": f"Bearer durak_{number}"}).get("/api/bots").status_code for number in range(4)
    ]
    assert answers == [401, 401, 429, 429]


def test_uploads_have_a_limit_of_their_own(author, monkeypatch):
    monkeypatch.setattr(limits, "UPLOADS", Allowance("upload", 1, 3600))
    caller = program(author)
    caller.post("/bots", {"name": "One"})
    assert "in 3600 seconds" in caller.post("/bots", {"name": "Two"}, 429).json()["message"]
    caller.get("/me/bots")


def test_exports_have_a_limit_of_their_own(cup, visitor, monkeypatch):
    monkeypatch.setattr(limits, "EXPORTS", Allowance("export", 1, 3600))
    visitor.get("/tournaments/winter-cup/table.csv")
    visitor.get("/tournaments/winter-cup/games.csv", 429)
    visitor.get("/tournaments/winter-cup/table")
