"""The button that verifies a tournament, as somebody presses it who then waits for the answer."""

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.web import factories
from tournaments import lifecycle, ratings, verification
from tournaments.models import Game, Tournament

pytestmark = [pytest.mark.chromium, pytest.mark.django_db(transaction=True)]

AXE = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
POLL_MILLISECONDS = 30_000


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def cup() -> Tournament:
    made = factories.round_robin([factories.bot() for _ in range(3)], "Cup", deals=1)
    factories.play(made)
    ratings.refresh_table(Tournament.objects.get(pk=made.pk))
    return lifecycle.finish(made)


def accessible(page: Page) -> None:
    found = Axe().run(page, options=AXE)
    assert found.violations_count == 0, found.generate_report()


def open_page(page: Page, live_server, cup: Tournament) -> None:
    page.goto(live_server.url + reverse("tournaments:fairness", args=[cup.slug]))


def test_it_is_asked_for_by_keyboard_followed_and_told(page, live_server, cup):
    open_page(page, live_server, cup)
    accessible(page)
    page.get_by_role("button", name="Verify the whole tournament").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Verifying: 0 of 3 matches")
    accessible(page)
    # What the sweep does, while the page is open.
    while verification.advance(0.0).finished_at is None:
        pass
    expect(page.get_by_role("status")).to_contain_text("It holds: 3 matches", timeout=POLL_MILLISECONDS)
    accessible(page)


def test_what_does_not_hold_is_told_in_the_dark_and_on_a_phone(page, live_server, cup):
    Game.objects.filter(pk=Game.objects.earliest("id").pk).update(places=[2, 2])
    verification.ask(cup)
    while verification.advance(0.0).finished_at is None:
        pass
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme="dark")
    open_page(page, live_server, cup)
    expect(page.get_by_role("status")).to_contain_text("Match 1, deal 0, rotation 0:")
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
