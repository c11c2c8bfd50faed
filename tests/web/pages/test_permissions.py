"""Who may ask what: every address of the site, for everybody. The table is `permissions.txt`."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.db import transaction
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import resolve

from accounts import tokens
from accounts.models import ApiToken, User
from tests.web import everything, factories
from tests.web.everything import ENTRY_CODE, OWNERS_SECRET, Site
from tournaments.models import DealSecret

pytestmark = pytest.mark.django_db

ROLES = ("visitor", "user", "owner", "organiser", "rival", "staff")


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    method: str
    template: str
    answers: dict[str, str]


def table() -> list[Row]:
    lines = Path(__file__).with_name("permissions.txt").read_text().splitlines()
    rows = []
    for line in lines:
        if line.startswith("#"):
            continue
        method, template, *answers = line.split()
        everyones = answers * len(ROLES) if len(answers) == 1 else answers
        rows.append(Row(method, template, dict(zip(ROLES, everyones, strict=True))))
    return rows


def person(site: Site, role: str) -> User | None:
    """Who plays a role; None is a visitor."""
    people = {"owner": site.author, "organiser": site.organiser, "visitor": None}
    if role in people:
        return people[role]
    made = factories.user(f"a {role}", is_staff=role == "staff")
    if role == "rival":
        made.user_permissions.add(Permission.objects.get(codename="add_tournament"))
    return made


def ask(user: User | None, method: str, path: str) -> tuple[str, bytes]:
    """What somebody is answered, as the table writes it, and the text of the answer. Changes nothing for good."""
    cache.clear()  # nobody has asked too often
    with transaction.atomic():
        client = Client()
        headers = {}
        if user and path.startswith("/api/"):
            headers["authorization"] = f"Bearer {tokens.make(user, 'of the test', ApiToken.Scope.UPLOAD, 7)[1]}"
        elif user:
            client.force_login(user)
        answer: HttpResponseBase = getattr(client, method.lower())(path, headers=headers)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        transaction.set_rollback(True)
    asks_to_sign_in = answer.status_code == 302 and answer["Location"].startswith("/accounts/login/")
    return ("in" if asks_to_sign_in else str(answer.status_code)), body


@pytest.mark.parametrize("role", ROLES)
def test_everybody_may_do_what_the_table_says_and_reads_no_secret(whole_site, role):
    user = person(whole_site, role)
    unrevealed = [bytes(row.secret).hex() for row in DealSecret.objects.filter(revealed_at=None)]
    assert unrevealed
    wrong, seen = [], set()
    for row in table():
        path = whole_site.path(row.template)
        status, body = ask(user, row.method, path)
        if status != row.answers[role]:
            wrong.append(f"{row.method} {path}: {status} instead of {row.answers[role]}")
        text = body.decode(errors="replace")
        seen |= {secret for secret in (OWNERS_SECRET, ENTRY_CODE) if secret in text}
        wrong += [f"{row.method} {path} tells a secret of the deals" for secret in unrevealed if secret in text]
    assert wrong == []
    owners = {OWNERS_SECRET} if role in {"owner", "staff"} else set()
    organisers = {ENTRY_CODE} if role in {"organiser", "staff"} else set()
    assert seen == owners | organisers


def test_no_address_is_missing_from_the_table(whole_site):
    listed = {resolve(whole_site.path(row.template)).route for row in table()}
    assert sorted(route for route in everything.routes() - listed if not route.startswith("admin/")) == []


def test_what_the_table_has_no_post_for_takes_none(whole_site):
    staff = person(whole_site, "staff")
    rows = table()
    posts = {row.template for row in rows if row.method == "POST"}
    answers = {
        row.template: ask(staff, "POST", whole_site.path(row.template))[0] for row in rows if row.template not in posts
    }
    assert {template for template, status in answers.items() if status != "405"} == set()


@pytest.mark.parametrize("role", ["visitor", "owner", "organiser"])
def test_the_admin_is_closed_to_everybody_but_staff(whole_site, role):
    user = person(whole_site, role)
    routes = [route for route in everything.routes() if route.startswith("admin/")]
    assert len(routes) > 50
    for route in routes:
        filled = re.sub(r"\(\?P<app_label>[^)]*\)", "tournaments", route)
        path = "/" + re.sub(r"<(?:\w+:)?\w+>", "1", filled).rstrip("$").replace("(?P<url>.*)", "nowhere/")
        assert ask(user, "GET", path)[0] in {"in", "302", "403", "404", "405"}, path


def test_who_is_staff_without_a_permission_changes_nothing_in_the_admin(whole_site):
    staff = person(whole_site, "staff")
    for model in ("tournaments/match", "tournaments/gamelog", "bots/botversion", "accounts/user"):
        assert ask(staff, "GET", f"/admin/{model}/")[0] in {"403", "404"}, model


def test_what_was_uploaded_is_a_download_that_no_browser_runs(whole_site):
    client = Client()
    client.force_login(whole_site.author)
    answer = client.get(whole_site.path("/bots/{bot}/versions/1/file/"))
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment;")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer["Content-Security-Policy"]
