"""An author with bots that have played, another author, a tournament half played, and programs that call for them."""

import pytest
from django.test import Client

from accounts import tokens
from tests.web import factories


class Program:
    """What calls the interface, with a token or without one."""

    def __init__(self, token=""):
        self.token = token
        self.client = Client(headers={"authorization": f"Bearer {token}"} if token else {})

    def get(self, path, status=200, **query):
        """The answer to a GET below `/api/`, which must have this status."""
        response = self.client.get(f"/api{path}", query)
        assert response.status_code == status, (response.status_code, response.content[:500])
        return response

    def post(self, path, data, status=201, content_type="application/json"):
        """The answer to a POST below `/api/`."""
        kind = {} if content_type == "multipart" else {"content_type": content_type}
        response = self.client.post(f"/api{path}", data, **kind)
        assert response.status_code == status, (response.status_code, response.content[:500])
        return response

    def send(self, method, path, data=None, status=200):
        """The answer to a request of another method below `/api/`."""
        call = getattr(self.client, method)
        response = (
            call(f"/api{path}", data, content_type="application/json") if data is not None else call(f"/api{path}")
        )
        assert response.status_code == status, (response.status_code, response.content[:500])
        return response


def program(user=None, scope="upload"):
    """A program of somebody, or of a visitor."""
    return Program(tokens.make(user, f"{scope} {user.api_tokens.count()}", scope, 7)[1] if user else "")


@pytest.fixture
def author(db):
    return factories.user("author")


@pytest.fixture
def bots(author):
    """Two bots of the author and one of another."""
    other = factories.user("other")
    return [
        factories.bot(author, "First"),
        factories.bot(author, "Second"),
        factories.bot(other, "Third"),
    ]


@pytest.fixture
def cup(bots):
    """A round robin that is half played; its bots fail now and then."""
    cup = factories.round_robin(bots, "Winter cup")
    factories.play(cup, 2, brain=lambda _: factories.skilled(1.0, 0.05))
    factories.rate(cup)
    return cup


@pytest.fixture
def mine(author):
    """A program of the author."""
    return program(author)


@pytest.fixture
def visitor(db):
    """A program without a token."""
    return program()
