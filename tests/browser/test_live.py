"""Pages that follow what goes on ask one question at a time, and none while nobody looks. By a clock that is set."""

import time

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web import factories
from tournaments.models import Tournament

pytestmark = [pytest.mark.chromium, pytest.mark.django_db(transaction=True)]

MINUTE = 60_000
PATIENCE_SECONDS = 15.0
HIDE = "hidden => Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })"
TURN = "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def followed(live_server, page: Page) -> list[Route]:
    """A page that follows a running cup, and what it has asked since; whoever tests it answers, or does not."""
    cup = factories.round_robin([factories.bot() for _ in range(3)], "Cup")
    asked: list[Route] = []
    page.clock.install()
    page.route("**/progress/**", lambda route: asked.append(route))
    page.goto(live_server.url + cup.get_absolute_url())
    expect(page.get_by_text("0 of 3 matches played")).to_be_visible()
    expect(page.locator("[data-hx-get*=progress]")).to_be_attached()
    return asked


def asked(page: Page, followed: list[Route], times: int) -> None:
    """Waits until the page has asked so often. Not by a function in the page: its policy forbids to evaluate one."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(followed) < times and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    assert len(followed) == times


def test_a_page_asks_one_question_at_a_time_however_long_the_answer_takes(page: Page, followed):
    page.clock.run_for(MINUTE)
    asked(page, followed, 1)
    followed[0].continue_()
    page.wait_for_load_state("networkidle")
    page.clock.run_for(MINUTE)
    asked(page, followed, 2)
    followed[1].continue_()
    page.wait_for_load_state("networkidle")


def test_a_tab_that_nobody_looks_at_asks_nothing_and_asks_at_once_when_looked_at_again(page: Page, followed):
    page.evaluate(HIDE, True)
    page.evaluate(TURN)
    page.clock.run_for(10 * MINUTE)
    assert followed == []
    factories.play(Tournament.objects.get(name="Cup"), 2)
    page.evaluate(HIDE, False)
    page.evaluate(TURN)
    asked(page, followed, 1)
    followed[0].continue_()
    expect(page.get_by_text("2 of 3 matches played")).to_be_visible()


def test_a_server_that_is_away_for_a_while_is_asked_again(page: Page, page_faults, followed):
    page.clock.run_for(6_000)
    asked(page, followed, 1)
    followed[0].fulfill(status=502, body="away")
    expect(page.locator(".htmx-request")).to_have_count(0)
    page.clock.run_for(6_000)
    asked(page, followed, 2)
    followed[1].continue_()
    expect(page.get_by_text("0 of 3 matches played")).to_be_visible()
    assert all("502" in fault for fault in page_faults)
    page_faults.clear()


def test_the_keyboard_keeps_its_place_when_the_table_is_replaced(page: Page, followed):
    link = page.get_by_role("link", name="How ratings work")
    link.focus()
    page.clock.run_for(6_000)
    asked(page, followed, 1)
    factories.play(Tournament.objects.get(name="Cup"), 1)
    followed[0].continue_()
    expect(page.get_by_text("1 of 3 matches played")).to_be_visible()
    expect(link).to_be_focused()


def test_the_first_page_shows_a_match_as_soon_as_it_has_been_played(live_server, page: Page):
    cup = factories.round_robin([factories.bot(name="Thrifty"), factories.bot(name="Lowest")], "Cup")
    page.clock.install()
    page.goto(live_server.url)
    expect(page.get_by_text("No match has ended yet.")).to_be_visible()
    page.evaluate("window.stayed = true")
    factories.play(cup)
    page.clock.run_for(11_000)
    link = page.locator(f"#match-{cup.matches.get().pk}")
    expect(link).to_be_visible()
    # Whoever stands on a link keeps the place when the list is replaced.
    link.focus()
    with page.expect_response("**/?part=newest"):
        page.clock.run_for(11_000)
    page.clock.run_for(100)
    expect(link).to_be_focused()
    assert page.evaluate("window.stayed")
