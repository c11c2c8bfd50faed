"""The reference of the API, and the tokens of an account, as a person meets them."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from accounts import tokens
from tests.browser.conftest import faults_of
from tests.browser.test_pages import sign_in
from tests.web import factories

pytestmark = [pytest.mark.chromium, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_both_keep_the_rules_and_their_width(live_server, browser: Browser, page_faults, scheme, width):
    tokens.make(factories.user("author"), "A name as long as any may be, and in one word: " + "x" * 12, "read", 7)
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, locale="en-US", bypass_csp=True
    )
    page = context.new_page()
    page.goto(live_server.url + reverse("api:api-root"))
    page_faults += faults_of(page)
    sign_in(page, live_server.url)
    page.goto(live_server.url + reverse("accounts:tokens"))
    page_faults += faults_of(page)
    page.fill("#id_name", "laptop")
    page.get_by_role("button", name="Make a token").click()
    expect(page.get_by_text("cannot be shown again")).to_be_visible()
    page_faults += faults_of(page)
    context.close()


def test_a_token_is_made_shown_once_and_revoked(live_server, page: Page):
    author = factories.user("author")
    sign_in(page, live_server.url)
    page.goto(live_server.url + reverse("account"))
    page.get_by_role("link", name="API tokens").click()
    page.fill("#id_name", "laptop")
    page.get_by_role("button", name="Make a token").click()
    text = page.locator("pre code").inner_text()
    assert tokens.find(text).user == author
    page.goto(live_server.url + reverse("accounts:tokens"))
    expect(page.locator("pre code")).to_have_count(0)
    page.get_by_role("button", name="Revoke (laptop)").click()
    expect(page.get_by_text("is revoked")).to_be_visible()
    with pytest.raises(tokens.TokenError, match="revoked"):
        tokens.find(text)
