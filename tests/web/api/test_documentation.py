"""What the page of the documentation says about the API holds."""

import re

import pytest
from django.urls import resolve

from accounts.models import ApiToken
from api import interface, limits
from api.errors import CODES
from bots.services import WAITING_CHECKS
from pages import docs

TEXT = (docs.folder() / "api.md").read_text()


def table_below(heading):
    """The cells of the first table below a heading, row by row, without its head."""
    part = TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [re.split(r"\s*\|\s*", line.strip("| ")) for line in part.splitlines() if line.startswith("|")]
    return rows[2:]


def test_every_code_is_explained():
    told = {int(row[0]): row[1].strip("`") for row in table_below("When something is refused")}
    assert told == dict(CODES)


def test_the_limits_are_those_that_are_counted(settings):
    spans = {"a minute": 60, "an hour": 3600}
    told = [(int(row[1]), spans[row[2]]) for row in table_below("How much may be asked")]
    counted = [limits.VISITORS, limits.ACCOUNTS, limits.UPLOADS, limits.EXPORTS]
    assert told == [(allowance.requests, allowance.seconds) for allowance in counted]
    assert WAITING_CHECKS == 5
    assert "Five versions" in TEXT
    assert f"{settings.QUOTA_BOTS} and {settings.QUOTA_UPLOADS_A_DAY}, unless" in TEXT


def test_every_scope_is_explained():
    for scope in ApiToken.Scope.values:
        assert f"`{scope}`" in TEXT


def test_the_version_is_the_one_that_is_served():
    assert f"This is version {interface.VERSION}." in TEXT


def test_every_address_leads_somewhere():
    named = re.findall(r"/api/[-\w./]*", TEXT)
    assert len(named) >= 12
    for address in named:
        assert resolve(address).url_name != "nowhere", address


@pytest.mark.django_db
def test_the_error_that_is_shown_is_the_one_that_comes(client):
    shown = re.search(r'"message": "(.*)",\n', TEXT.partition("## When something is refused")[2])
    assert client.get("/api/matches?size=101").json()["message"] == shown.group(1)
