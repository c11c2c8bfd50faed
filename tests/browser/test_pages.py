"""Every page as it looks: light and dark, on a desk and on a phone, for visitor and author, with and without script.

A page must keep every rule that axe checks, must not be wider than its window, and (as in all tests here) must log no
error and ask nobody else for anything.
"""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from bots.models import BotVersion
from tests.web import factories
from tournaments import lifecycle
from tournaments.models import Tournament

pytestmark = [pytest.mark.chromium, pytest.mark.django_db(transaction=True)]

AXE = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
POLL_MILLISECONDS = 30_000
"""How long a page that polls each few seconds may take to notice something on a busy machine."""
LONG = "A bot with a name that is as long as any may be, so it goes on"[:60]


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def author():
    return factories.user("author", email="author@example.org")


@pytest.fixture
def club(author) -> Tournament:
    """A ladder, a cup half played with a match in every state, and an author with versions in every state."""
    bots = [factories.bot(author, LONG), factories.bot(name="<b>Bold</b>"), *(factories.bot() for _ in range(5))]
    ladder = factories.ladder(bots)
    factories.play(ladder, brain=lambda bot: factories.skilled(bot.pk % 7 / 7, 0.02 if bot == bots[0] else 0))
    factories.rate(ladder)
    cup = factories.round_robin(bots[:6], "Cup of four", players=4, deals=1)
    factories.play(cup, 3)
    factories.rate(cup)
    waiting = list(cup.matches.filter(state="queued").order_by("id"))
    factories.move_to(waiting[0], "running", progress=1)
    factories.move_to(waiting[1], "parked", error="No engine answers.")
    factories.round_robin(bots[:2], "Open to all", start=False)
    lifecycle.create_round_robin("A draft")
    checked = factories.bot(author, "Checked", ready=False)
    factories.version(checked, "rejected", report=factories.failed_report())
    factories.version(checked, "checking", progress={"done": 3, "total": 7}, lease_until="2100-01-01T00:00Z")
    factories.version(checked, "parked", fault="No engine answers.")
    factories.version(checked, "ready", report=factories.passed_report())
    return ladder


def everyones() -> Iterator[str]:
    """Addresses for everybody."""
    for name in ("home", "leaderboard", "tournaments:list", "bots:list", "docs:index"):
        yield reverse(name)
    for name in ("account_login", "account_signup", "account_reset_password"):
        yield reverse(name)
    for slug in ("five-minutes", "bot-api", "limits-and-failures"):
        yield reverse("docs:page", args=[slug])
    for slug in ("ladder", "cup-of-four"):
        for part in ("detail", "crosstable", "plan", "matches", "fairness", "rules", "final"):
            yield reverse(f"tournaments:{part}", args=[slug])
    cup = Tournament.objects.get(slug="cup-of-four")
    for state in ("finished", "running", "queued", "parked"):
        match = cup.matches.filter(state=state).first()
        assert match is not None
        yield match.get_absolute_url()
    first, second = (version.bot for version in BotVersion.objects.order_by("pk")[:2])
    yield first.get_absolute_url()
    yield reverse("bots:compare", args=[first.slug, second.slug])


def authors() -> Iterator[str]:
    """Addresses for who is signed in."""
    for name in ("bots:mine", "bots:new", "account", "account_email", "account_change_password", "mfa_index"):
        yield reverse(name)
    yield reverse("account-data")
    yield reverse("tournaments:enter", args=["open-to-all"])
    entry = Tournament.objects.get(slug="cup-of-four").entries.get(bot__owner__username="author")
    yield reverse("tournaments:withdraw", args=["cup-of-four", entry.pk])
    for number in (1, 2, 3, 4):
        yield reverse("bots:version", args=["checked", number])
    for part in ("detail", "upload", "edit"):
        yield reverse(f"bots:{part}", args=["checked"])


def staffs() -> Iterator[str]:
    """Addresses for who runs tournaments and the site."""
    yield reverse("operations")
    yield reverse("tournaments:new")
    for slug in ("a-draft", "open-to-all", "cup-of-four", "ladder"):
        for part in ("manage", "edit", "cancel"):
            yield reverse(f"tournaments:{part}", args=[slug])
    yield reverse("tournaments:start", args=["open-to-all"])
    entry = Tournament.objects.get(slug="open-to-all").entries.earliest("pk")
    yield reverse("tournaments:disqualify", args=["open-to-all", entry.pk])


def sign_in(page: Page, url: str, name: str = "author") -> None:
    page.goto(url + reverse("account_login"))
    page.fill("#id_login", name)
    page.fill("#id_password", factories.PASSWORD)
    page.click("main button[type=submit]")
    expect(page.locator("h1")).to_have_text("My bots")


def faults_of(page: Page) -> list[str]:
    """What is wrong with the page that is shown."""
    found = [
        f"{fault['id']}: {fault['nodes'][0]['html'][:120]}"
        for fault in Axe().run(page, options=AXE).response["violations"]
    ]
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [*found, *([f"{over} pixels wider than the window"] if over > 0 else [])]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
@pytest.mark.usefixtures("club")
def test_every_page_keeps_the_rules_and_its_width(live_server, browser: Browser, page_faults, scheme, width):
    # The checker brings its own script, which the pages' policy would not let in.
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, locale="en-US", bypass_csp=True
    )
    page = context.new_page()
    page.on("console", lambda message: page_faults.append(message.text) if message.type == "error" else None)
    factories.user("staff", is_staff=True)
    for urls, who in ((everyones(), ""), (authors(), "author"), (staffs(), "staff")):
        if who:
            context.clear_cookies()
            sign_in(page, live_server.url, who)
        for url in urls:
            response = page.goto(live_server.url + url)
            if response is None or not response.ok:
                page_faults.append(f"{url}: {response and response.status}")
            page_faults += [f"{url}: {fault}" for fault in faults_of(page)]
    context.close()


def test_the_keyboard_comes_past_the_menu_at_once(live_server, page: Page):
    page.goto(live_server.url)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


@pytest.mark.parametrize("script", [True, False])
def test_the_menu_of_a_phone_opens_with_and_without_a_script(live_server, browser: Browser, script):
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=script, locale="en-US")
    page = context.new_page()
    page.goto(live_server.url)
    link = page.get_by_role("navigation", name="Main").get_by_role("link", name="Tournaments")
    expect(link).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(link).to_be_visible()
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    context.close()


@pytest.mark.parametrize("script", [True, False])
def test_the_dark_table_is_chosen_and_stays(live_server, browser: Browser, script):
    context = browser.new_context(
        java_script_enabled=script, color_scheme="light", locale="en-US", viewport={"width": 1280, "height": 900}
    )
    page = context.new_page()
    page.goto(live_server.url + reverse("leaderboard"))
    page.get_by_role("banner").get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.url.endswith(reverse("leaderboard"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("banner").get_by_role("button", name="Light")).to_be_visible()
    context.close()


def test_a_check_is_followed_to_its_report_without_loading_the_page_again(live_server, page: Page, author):
    version = factories.version(factories.bot(author, "Checked", ready=False), "checking")
    sign_in(page, live_server.url)
    page.goto(live_server.url + version.get_absolute_url())
    expect(page.get_by_text("it is next")).to_be_visible()
    page.evaluate("window.stayed = true")
    BotVersion.objects.filter(pk=version.pk).update(progress={"done": 3, "total": 7}, lease_until="2100-01-01T00:00Z")
    expect(page.get_by_text("3 of 7 games played")).to_be_visible()
    BotVersion.objects.filter(pk=version.pk).update(
        state="rejected", report=factories.failed_report(), lease_until=None
    )
    expect(page.get_by_text("It failed in a game")).to_be_visible()
    expect(page.get_by_text("return 1 / 0")).to_be_visible()
    assert page.evaluate("window.stayed")


def test_a_tournament_is_followed_as_it_is_played(live_server, page: Page):
    cup = factories.round_robin([factories.bot() for _ in range(3)], "Cup")
    page.goto(live_server.url + cup.get_absolute_url())
    expect(page.get_by_text("0 of 3 matches played")).to_be_visible()
    factories.play(cup, 2)
    expect(page.get_by_text("2 of 3 matches played")).to_be_visible(timeout=POLL_MILLISECONDS)


def test_a_waiting_match_turns_into_its_games(live_server, page: Page):
    cup = factories.round_robin([factories.bot(), factories.bot()], "Cup")
    match = cup.matches.get()
    page.goto(live_server.url + match.get_absolute_url())
    expect(page.get_by_text("it is next")).to_be_visible()
    factories.play(cup)
    expect(page.get_by_role("heading", name="Games")).to_be_visible(timeout=POLL_MILLISECONDS)


def test_a_refused_form_leads_the_reader_to_what_is_wrong(live_server, page: Page, page_faults, author):
    sign_in(page, live_server.url)
    page.goto(live_server.url + reverse("bots:new"))
    page.fill("#id_code", "class First(Bot): pass")
    page.get_by_role("button", name="Upload and check").click()
    summary = page.locator(".errors")
    expect(summary).to_be_focused()
    summary.get_by_role("link", name="Name").click()
    expect(page.locator("#id_name")).to_be_focused()
    expect(page.locator("#id_code")).to_have_value("class First(Bot): pass")
    # A browser notes the status of a refused form as an error of the page.
    assert [fault for fault in page_faults if "422" not in fault] == []
    page_faults.clear()


@pytest.mark.usefixtures("club")
def test_reading_needs_no_script(live_server, browser: Browser):
    context = browser.new_context(java_script_enabled=False, locale="en-US")
    page = context.new_page()
    for url, words in (
        (reverse("leaderboard"), "Place"),
        (reverse("tournaments:detail", args=["cup-of-four"]), "3 of 15 matches played"),
        (reverse("bots:version", args=["checked", 2]), "3 of 7 games played"),
    ):
        page.goto(live_server.url + url)
        expect(page.get_by_text(words).first).to_be_visible()
    context.close()


@pytest.mark.parametrize("script", [True, False])
def test_an_organiser_makes_and_runs_a_tournament(live_server, browser: Browser, page_faults, script):
    for number in range(3):
        factories.bot(name=f"Bot {number}")
    factories.user("teacher", is_staff=True)
    context = browser.new_context(java_script_enabled=script, locale="en-US", viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.on("console", lambda message: page_faults.append(message.text) if message.type == "error" else None)
    sign_in(page, live_server.url, "teacher")
    page.goto(live_server.url + reverse("tournaments:list"))
    page.get_by_role("link", name="New tournament").click()
    page.get_by_label("Name", exact=True).fill("Class cup")
    page.get_by_label("Deals a match").fill("1")
    page.get_by_label("Bots that you expect").fill("3")
    page.get_by_role("button", name="Compute again").last.click()
    expect(page.locator(".facts")).to_contain_text("6")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Class cup")
    page.get_by_role("button", name="Save as a draft").click()
    page.get_by_role("button", name="Open for entries").click()
    for number in range(3):
        page.get_by_label(f"Bot {number}").check()
    page.get_by_role("button", name="Enter these bots").click()
    page.get_by_role("link", name="Start").click()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("0 of 3 matches played")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused by the organiser")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    cup = Tournament.objects.get(slug="class-cup")
    factories.play(cup)
    lifecycle.finish(cup)
    page.reload()
    page.get_by_role("link", name="Result to print").first.click()
    expect(page.get_by_text("Final result")).to_be_visible()
    context.close()
