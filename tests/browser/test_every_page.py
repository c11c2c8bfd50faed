"""Every page of the site as it looks: by day and by night, on a desk and on a phone, in English and in Russian.

A page must keep every rule that axe checks, must not be wider than its window, and (as in all tests here) must log no
error and ask nobody else for anything. Which pages there are stands in `tests/web/everything.py`.
"""

from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import resolve, reverse
from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser.conftest import faults_of, listen
from tests.web import everything, factories
from tests.web.everything import Site

pytestmark = [pytest.mark.chromium, pytest.mark.django_db(transaction=True)]

LOOKS = [("en-US", "light", ViewportSize(width=1280, height=900)), ("ru", "dark", ViewportSize(width=390, height=844))]

NO_PAGES = {
    # Files, feeds and answers for programs.
    *("healthz", "results.atom", "sitemap.xml", "robots.txt", "favicon.ico", "account/data/export.json", "metrics"),
    *("bots/<slug:slug>/results.atom", "bots/<slug:slug>/versions/<int:number>/file/"),
    *("bots/<slug:slug>/versions/<int:number>/failure.json", "games/<int:pk>/failures/<int:seat>.json"),
    *("games/<int:pk>/frames.json", "games/<int:pk>/record.json", "accounts/2fa/recovery-codes/download/"),
    *("tournaments/<slug:slug>/files/tournament.json", "tournaments/<slug:slug>/files/table.csv"),
    *("tournaments/<slug:slug>/files/crosstable.csv", "tournaments/<slug:slug>/files/records.jsonl"),
    "tournaments/<slug:slug>/files/proof.jsonl",
    # They do something and lead elsewhere.
    *("theme/", "i18n/setlang/", "operations/retry/", "account/tokens/<int:pk>/revoke/", "bots/<slug:slug>/pick/"),
    *("operations/matches/<int:pk>/retry/", "operations/checks/<int:pk>/retry/"),
    *("tournaments/<slug:slug>/manage/bots/", "tournaments/<slug:slug>/manage/<str:step>/"),
    *("operations/moderation/files/<slug:digest>/", "bots/<slug:slug>/versions/compare/"),
    "tournaments/<slug:slug>/fairness/verify/",
    # Parts of a page that is listed.
    "tournaments/<slug:slug>/progress/",
    # Ways of signing in that this site does not have switched on, or that only begin in the middle of signing in.
    *("accounts/login/code/confirm/", "accounts/reauthenticate/code/", "accounts/reauthenticate/code/confirm/"),
    *("accounts/password/set/", "accounts/2fa/authenticate/", "accounts/2fa/reauthenticate/"),
    *("accounts/2fa/totp/deactivate/", "accounts/2fa/recovery-codes/", "accounts/2fa/recovery-codes/generate/"),
    *("accounts/2fa/webauthn/reauthenticate/", "accounts/2fa/webauthn/login/"),
    *("accounts/2fa/webauthn/keys/<int:pk>/remove/", "accounts/2fa/webauthn/keys/<int:pk>/edit/"),
}
"""Routes that show no page."""


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def site(live_server) -> Site:
    return everything.build()


@pytest.mark.parametrize(("language", "scheme", "size"), LOOKS, ids=["en-light-desk", "ru-dark-phone"])
def test_every_page_keeps_the_rules_and_its_width(
    live_server, browser: Browser, page_faults, site, language, scheme, size
):
    seen = 0
    for who, paths in everything.pages(site).items():
        context = browser.new_context(viewport=size, color_scheme=scheme, locale=language, reduced_motion="reduce")
        listen(context, page_faults)
        sessions = [morsel.value for name, morsel in site.reader(who).cookies.items() if name == "sessionid"]
        if sessions:
            context.add_cookies([{"name": "sessionid", "value": sessions[0], "url": live_server.url}])
        page = context.new_page()
        for path in paths:
            if path.startswith("/admin/"):
                continue  # Django's own
            response = page.goto(live_server.url + path)
            faults = faults_of(page)
            assert response is not None
            if response.status != 200 or urlsplit(page.url).path != urlsplit(path).path:
                faults.append(f"{response.status}, at {page.url}")
            page_faults += [f"{who} {path}: {fault}" for fault in faults]
            seen += 1
        context.close()
    assert seen > 120


def test_no_page_is_forgotten(site):
    listed = {resolve(urlsplit(path).path).route for paths in everything.pages(site).values() for path in paths}
    others = {route for route in everything.routes() - listed if not route.startswith(("admin/", "api/"))}
    assert others - NO_PAGES == set()
    assert NO_PAGES & listed == set()


@pytest.mark.parametrize("language", ["en", "ru", "pl", "uk"])
def test_the_menu_of_staff_is_one_line_high(live_server, browser: Browser, page_faults, language):
    client = Client()
    client.force_login(factories.user("operator_of_the_site", is_staff=True))
    context = browser.new_context(viewport=ViewportSize(width=1280, height=900), locale=language)
    listen(context, page_faults)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    page = context.new_page()
    page.goto(live_server.url + reverse("docs:index"))
    expect(page.locator("html")).to_have_attribute("lang", language)
    heights = page.locator(".menu ul").evaluate_all("lists => lists.map(list => list.getBoundingClientRect().top)")
    assert len(set(heights)) == 1
    assert page.locator(".menu").bounding_box()["height"] < 64
    context.close()
