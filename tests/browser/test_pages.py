"""Ways through the site: for visitor, author, organiser and staff, with and without a script."""

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, pgettext
from playwright.sync_api import Browser, Page, expect

from bots.models import BotVersion
from tests.browser.conftest import listen
from tests.web import factories
from tournaments import lifecycle
from tournaments.models import Tournament

pytestmark = [pytest.mark.chromium, pytest.mark.django_db(transaction=True)]

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


def sign_in(page: Page, url: str, name: str = "author", title: str = "My bots") -> None:
    page.goto(url + reverse("account_login"))
    page.fill("#id_login", name)
    page.fill("#id_password", factories.PASSWORD)
    page.click("main button[type=submit]")
    expect(page.locator("h1")).to_have_text(title)


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


@pytest.mark.parametrize(("script", "language"), [(True, "en"), (False, "ru")])
def test_an_organiser_makes_runs_and_exports_a_tournament(live_server, browser: Browser, page_faults, script, language):
    def say(text: str, context: str = "", **values: object) -> str:
        with translation.override(language):
            said = pgettext(context, text) if context else gettext(text)
        return said % values if values else said

    for number in range(3):
        factories.bot(name=f"Bot {number}")
    factories.user("teacher", is_staff=True)
    context = browser.new_context(
        java_script_enabled=script,
        locale=language,
        viewport={"width": 390, "height": 844},
        color_scheme="light" if script else "dark",
    )
    listen(context, page_faults)
    page = context.new_page()
    sign_in(page, live_server.url, "teacher", say("My bots"))
    page.goto(live_server.url + reverse("tournaments:list"))
    page.get_by_role("link", name=say("New tournament")).click()
    page.locator("#id_name").fill("Class cup")
    page.get_by_label(say("Deals a match")).fill("1")
    page.get_by_label(say("Bots that you expect")).fill("3")
    page.get_by_role("button", name=say("Compute again")).last.click()
    expect(page.locator(".facts")).to_contain_text("6")
    expect(page.locator("#id_name")).to_have_value("Class cup")
    page.get_by_role("button", name=say("Save as a draft")).click()
    page.get_by_role("button", name=say("Open for entries")).click()
    for number in range(3):
        page.get_by_label(f"Bot {number}").check()
    page.get_by_role("button", name=say("Enter these bots")).click()
    page.get_by_role("link", name=say("Start", "a tournament")).click()
    page.get_by_role("button", name=say("Start", "a tournament")).click()
    played = say("%(done)s of %(total)s matches played", done=0, total=3)
    expect(page.get_by_text(played)).to_be_visible()
    page.get_by_role("button", name=say("Pause", "a tournament")).click()
    expect(page.get_by_role("button", name=say("Go on"))).to_be_visible()
    page.get_by_role("button", name=say("Go on")).click()
    cup = Tournament.objects.get(slug="class-cup")
    factories.play(cup)
    lifecycle.finish(cup)
    page.goto(live_server.url + cup.get_absolute_url())
    for link in ("table (CSV)", "crosstable (CSV)", "everything (JSON)", "all records (JSON lines)"):
        with page.expect_download() as saved:
            page.get_by_role("link", name=say(link), exact=True).click()
        assert saved.value.path().stat().st_size > 100
    page.get_by_role("link", name=say("Result to print")).first.click()
    expect(page.get_by_text(say("Final result"))).to_be_visible()
    context.close()


def test_staff_reads_why_a_match_was_set_aside_and_has_it_tried_again(live_server, page: Page):
    cup = factories.round_robin([factories.bot(), factories.bot()], "Cup")
    match = factories.move_to(cup.matches.get(), "parked", error="No engine answers.")
    factories.user("operator", is_staff=True)
    sign_in(page, live_server.url, "operator")
    page.get_by_role("link", name="Operations").click()
    expect(page.get_by_role("row", name="No engine answers.")).to_be_visible()
    page.get_by_role("button", name="Try again (match 1)").click()
    expect(page.get_by_text("The match waits again, with all its attempts.")).to_be_visible()
    match.refresh_from_db()
    assert match.state == "queued"


def test_a_visitor_comes_from_the_first_page_to_a_game(live_server, page: Page):
    cup = factories.round_robin([factories.bot(name="Thrifty"), factories.bot(name="Lowest")], "Cup")
    factories.play(cup)
    page.goto(live_server.url)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Tournaments").click()
    page.get_by_role("main").get_by_role("link", name="Cup").click()
    page.get_by_role("link", name="Matches").click()
    page.get_by_role("main").get_by_role("link", name="Thrifty").first.click()
    games = page.get_by_role("region", name="Games")
    games.get_by_role("link", name="side by side (deal 0)").click()
    expect(page.get_by_role("heading", name="Who had which hand")).to_be_visible()
    page.go_back()
    games.get_by_role("link", name="is the fool").or_(games.get_by_role("link", name="won")).first.click()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".rv-banner")).to_be_visible()


def test_a_filter_acts_at_once_for_a_pointer_and_waits_for_the_button_of_a_keyboard(live_server, page: Page):
    """Arrows walk through the choices: a page that is loaded anew at the first would let nobody reach the third."""
    lifecycle.create_round_robin("Cup")
    page.goto(live_server.url + reverse("tournaments:list"))
    choice = page.get_by_label("State")
    page.get_by_role("link", name="Documentation").first.focus()
    for _ in range(30):
        page.keyboard.press("Tab")
        if choice.evaluate("select => select === document.activeElement"):
            break
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(choice).to_have_value("running")
    expect(choice).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{live_server.url}/tournaments/?state=running")
    choice.click()
    choice.select_option("finished")
    expect(page).to_have_url(f"{live_server.url}/tournaments/?state=finished")
