"""A newcomer's first hour: signs up, uploads a bot, sees it checked and ranked, watches one of its games to the end.

And what three frequent mistakes come back as. The site runs in processes of its own, with a worker and the clock; bots
run in containers where an engine answers.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests import services
from tests.running import RunningSite

pytestmark = [pytest.mark.chromium, pytest.mark.alone]

OPPONENTS = ("random", "lowest", "thrifty")
CHECK_MILLISECONDS = 90_000
"""How long a check may take on a busy machine; the sleeping bot alone uses up its five seconds for loading."""

UPLOAD_SAMPLES = """
from accounts.models import User
from arena.samples import SAMPLES
from bots.services import create_bot, submit_version
house = User.objects.create_user("house")
for name in %r:
    submit_version(create_bot(house, SAMPLES[name].title), "bot.py", SAMPLES[name].source)
"""

GOOD = """\
from arena import Bot, Move, View


class First(Bot):
    \"\"\"Cheapest first.\"\"\"

    def act(self, view: View) -> Move:
        print("I hold", *view.hand)
        return view.legal[0]
"""

NO_COLON = """\
from arena import Bot


class First(Bot):
    def act(self, view)
        return view.legal[0]
"""

RAISES_IN_ITS_FIFTH_MOVE = """\
from arena import Bot


class First(Bot):
    moves = 0

    def act(self, view):
        self.moves += 1
        if self.moves == 5:
            raise ValueError("I have lost count")
        return view.legal[0]
"""

SLEEPS = """\
import time

from arena import Bot


class First(Bot):
    def act(self, view):
        time.sleep(3600)
        return view.legal[0]
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[RunningSite]:
    sandbox = "process" if services.missing("docker") else "docker"
    with RunningSite(tmp_path_factory.mktemp("site"), SANDBOX=sandbox, LADDER_DEALS="1") as site:
        site.manage("shell", "--command", UPLOAD_SAMPLES % (OPPONENTS,))
        yield site.start()


@pytest.fixture
def newcomer(site: RunningSite, page: Page, request) -> Iterator[Page]:
    """Somebody who has just signed up, by the link that every page shows."""
    site.processes.check()
    page.goto(site.url)
    page.get_by_role("link", name=re.compile("sign up", re.IGNORECASE)).first.click()
    page.get_by_label("Username").fill(request.node.name.replace("test_", "")[:30])
    page.get_by_label("Password", exact=True).fill("a pack of 36 cards")
    page.get_by_label("Password (again)").fill("a pack of 36 cards")
    page.get_by_role("main").get_by_role("button", name=re.compile("sign up", re.IGNORECASE)).click()
    expect(page).to_have_url(re.compile("/bots/mine/"))
    yield page
    site.processes.check()


def upload(page: Page, name: str, source: str) -> None:
    """Hand in a bot by the form, as a file, and wait until its check has ended."""
    page.get_by_role("main").get_by_role("link", name=re.compile("bot", re.IGNORECASE)).first.click()
    expect(page).to_have_url(re.compile("/bots/new/"))
    page.get_by_label("Name").fill(name)
    file = {"name": "first.py", "mimeType": "text/x-python", "buffer": source.encode()}
    page.get_by_label("File").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Upload and check").click()
    expect(page).to_have_url(re.compile("/versions/1/"))
    expect(page.locator("#check .note")).to_be_visible(timeout=CHECK_MILLISECONDS)


def test_a_bot_is_checked_ranked_and_watched_to_the_end(newcomer: Page):
    page = newcomer
    upload(page, "My first bot", GOOD)
    check = page.locator("#check")
    expect(check).to_contain_text("It passed its check")
    expect(check).to_contain_text("without a failure")
    check.get_by_text("What it printed in the last game").click()
    expect(check.get_by_text("I hold").first).to_be_visible()

    # It is on the ladder, and has a rating once it has met somebody.
    page.get_by_role("link", name="To the page of the bot").click()
    rating = page.locator("dt", has_text="Rating").locator("xpath=following-sibling::dd")
    reload_until(page, lambda: bool(re.match(r"[\d,]+", rating.inner_text() if rating.count() else "")))
    page.get_by_role("link", name="Leaderboard").first.click()
    expect(page.get_by_role("main")).to_contain_text("My first bot")

    # One of its games, move by move.
    page.get_by_role("main").get_by_role("link", name="My first bot").first.click()
    page.get_by_role("heading", name="Newest matches").locator("xpath=..").get_by_role("link").first.click()
    page.get_by_role("region", name="Games").locator("a[href^='/games/']").first.click()
    watch_to_the_end(page)


def watch_to_the_end(page: Page) -> None:
    """Step through a replay by its button until the banner says how it ended."""
    forward = page.get_by_role("button", name="Next move")
    expect(forward).to_be_visible()
    expect(page.get_by_role("button", name="To the deal")).to_have_attribute("aria-disabled", "true")
    banner = page.locator(".rv-banner")
    expect(banner).to_be_hidden()
    count = int(page.get_by_role("slider", name="Move").get_attribute("max") or 0)
    assert count > 10
    for number in range(1, count + 1):
        forward.click()
        expect(page.locator("#replay")).to_contain_text(f"Move {number} of {count}")
    expect(forward).to_have_attribute("aria-disabled", "true")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text(re.compile("fool|drawn|draw|won", re.IGNORECASE))


def test_a_syntax_error_comes_back_with_file_and_line(newcomer: Page):
    upload(newcomer, "No colon", NO_COLON)
    check = newcomer.locator("#check")
    expect(check).to_contain_text("It could not be started")
    expect(check).to_contain_text("SyntaxError")
    expect(check).to_contain_text("bot.py, line 5")


def test_an_exception_comes_back_with_its_traceback_and_the_view_it_failed_on(newcomer: Page):
    upload(newcomer, "Loses count", RAISES_IN_ITS_FIFTH_MOVE)
    check = newcomer.locator("#check")
    expect(check).to_contain_text("It failed in a game")
    expect(check).to_contain_text("ValueError: I have lost count")
    expect(check).to_contain_text("bot.py, line 10")
    expect(check.get_by_role("heading", name="The view it failed on")).to_be_visible()
    # Not ranked, and nobody else is told why.
    newcomer.get_by_role("link", name="Leaderboard").first.click()
    expect(newcomer.get_by_role("main")).not_to_contain_text("Loses count")


def test_a_bot_that_sleeps_is_told_that_its_time_was_up(newcomer: Page):
    upload(newcomer, "Sleeper", SLEEPS)
    check = newcomer.locator("#check")
    expect(check).to_contain_text("It failed in a game")
    expect(check).to_contain_text(re.compile("time", re.IGNORECASE))
    expect(check).to_contain_text("2 s")


def reload_until(page: Page, condition, tries: int = 90) -> None:
    """Look at the page again each second, as somebody who waits for a rating does."""
    for _ in range(tries):
        if condition():
            return
        page.wait_for_timeout(1000)
        page.reload()
    pytest.fail(f"{page.url} never showed what was waited for:\n{page.get_by_role('main').inner_text()}")
