"""Every refusal has one shape, with a sentence; and nothing that a caller sends becomes an error of ours."""

import pytest
from django.test import Client

from api import interface
from api.errors import CODES
from bots import selectors
from tests.web.api.conftest import program

pytestmark = pytest.mark.django_db


def refused(response, status, code):
    """The answer, which must be a refusal of this kind."""
    assert response.status_code == status, response.content
    assert response["Content-Type"].startswith("application/json")
    answer = response.json()
    assert set(answer) == {"code", "message", "details"}
    assert answer["code"] == code
    assert answer["message"][-1] in ".!"
    return answer


@pytest.mark.parametrize(
    "path", ["/api/nothing", "/api/bots/", "/api/bots/a/b/c", "/api/matches/x", "/api/bots/a%0Ab", "/api/games/-1"]
)
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_what_is_at_no_address_is_not_found(client, path, method):
    refused(getattr(client, method)(path), 404, "not_found")


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_a_wrong_method_is_told_which_are_right(client, method):
    response = getattr(client, method)("/api/bots")
    answer = refused(response, 405, "method_not_allowed")
    assert response["Allow"] == "GET, POST"
    assert "GET, POST" in answer["message"]
    assert method.upper() in answer["message"]


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("/matches?page=0", "query.page"),
        ("/matches?page=x", "query.page"),
        ("/matches?size=101", "query.size"),
        ("/matches?state=lost", "query.state"),
        ("/matches?bot=a%00b", "query.bot"),
        ("/matches?bot=%3Cb%3E", "query.bot"),
        (f"/matches/{2**63}", "path.number"),
        ("/matches/0", "path.number"),
        ("/games/" + "9" * 4000, "path.number"),
        ("/bots/" + "a" * 101, "path.slug"),
        ("/tournaments/a/crosstable?bots=0", "query.bots"),
    ],
)
def test_a_value_that_does_not_fit_is_named(client, path, where):
    answer = refused(client.get(f"/api{path}"), 422, "invalid")
    assert answer["details"][0]["where"] == where
    assert where in answer["message"]


def test_a_number_too_long_to_be_one_is_not_found(client):
    assert client.get("/api/matches/" + "9" * 5000).status_code in {404, 422}


def test_a_fault_of_ours_is_logged_and_says_nothing_of_itself(monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("the password is 1234")

    monkeypatch.setattr(selectors, "current_version", fail)
    monkeypatch.setattr("api.finding.bot", fail)
    response = Client(raise_request_exception=False).get("/api/bots/first")
    refused(response, 500, "internal_error")
    assert b"1234" not in response.content
    assert "api_failed" in caplog.text
    with pytest.raises(RuntimeError):
        Client().get("/api/bots/first")


def test_a_body_that_is_too_large_is_refused(author, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    caller = program(author)
    refused(caller.post("/bots", {"name": "x" * 200}, 413), 413, "too_large")


def test_a_form_with_too_many_fields_is_refused(bots, mine, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 3
    fields = {str(number): "x" for number in range(9)}
    refused(mine.post("/bots/first/versions", fields, 400, "multipart"), 400, "bad_request")


@pytest.mark.parametrize("body", [b"", b"--x", b"--x\r\n", b"--x\r\nContent-Disposition: form-data\r\n\r\n"])
def test_a_form_that_is_broken_is_refused(bots, mine, body):
    for kind in ("multipart/form-data", "multipart/form-data; boundary=x", "multipart/form-data; boundary=\xff"):
        response = mine.client.post("/api/bots/first/versions", body, content_type=kind)
        assert response.status_code in {400, 422}
        refused(response, response.status_code, CODES[response.status_code])


def test_a_sentence_is_in_the_callers_language(client):
    answers = {language: client.get("/api/nothing", headers={"accept-language": language}) for language in ("en", "ru")}
    for language, answer in answers.items():
        assert answer["Content-Language"] == language
        assert "Accept-Language" in answer["Vary"]


def test_head_is_get_without_a_body(bots, client):
    got, head = client.get("/api/bots"), client.head("/api/bots")
    assert (head.status_code, head.content) == (200, b"")
    assert head["Content-Type"] == got["Content-Type"]
    assert client.head("/api/me").status_code == 401


def test_what_is_personal_is_kept_by_no_cache_in_between(bots, mine):
    assert "private" in mine.get("/me/bots")["Cache-Control"]
    assert "no-cache" in mine.get("/bots")["Cache-Control"]


def test_every_status_that_is_described_has_a_word():
    described = interface.description()
    for methods in described["paths"].values():
        for operation in methods.values():
            for status in operation["responses"]:
                assert int(status) < 400 or int(status) in CODES
