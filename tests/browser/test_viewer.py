"""The replay viewer as people use it: by mouse, keyboard and ear, on a phone and on a wide screen."""

import functools
import http.server
import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from arena.durak import GameRecord, replay
from tests.arena.replay.played import longest_record, record
from tests.browser.conftest import listen
from tests.web import factories
from tournaments.models import Game

pytestmark = [pytest.mark.chromium, pytest.mark.django_db(transaction=True)]

Open = Callable[..., Game]

# Counts what would wake an idle page: timers that wait, and frames that were asked for.
WATCH = """
window.waiting = new Set(); window.frames_asked = 0;
const later = window.setTimeout, never = window.clearTimeout, paint = window.requestAnimationFrame;
window.setTimeout = (act, ...rest) => {
  const id = later((...given) => { window.waiting.delete(id); act(...given); }, ...rest);
  window.waiting.add(id);
  return id;
};
window.clearTimeout = (id) => { window.waiting.delete(id); never(id); };
window.setInterval = () => { throw new Error("an interval never ends"); };
window.requestAnimationFrame = (act) => { window.frames_asked++; return paint(act); };
"""


def stored(played: GameRecord) -> Game:
    """A finished game in the database with this record."""
    bots = [factories.bot(name=str(seat["bot"])) for seat in played.seats]
    tournament = factories.round_robin(bots, deals=1, players=played.players)
    factories.play(tournament, limit=1)
    game = Game.objects.filter(match__tournament=tournament).earliest("pk")
    seats = {seat.entry.bot_id: seat.index for seat in game.match.seats.select_related("entry")}
    failures = [{**played.failure, "forfeited": False}] if played.failure else []
    Game.objects.filter(pk=game.pk).update(
        seating=[seats[bot.pk] for bot in bots],
        record=played.compact(),
        moves=len(played.moves),
        ending=str(played.result.ending),
        places=list(played.result.places),
        failures=failures,
    )
    game.refresh_from_db()
    return game


@pytest.fixture
def open_replay(page: Page, live_server: LiveServer) -> Open:
    """Opens the replay of a record and waits for the table."""

    def opened(played: GameRecord, fragment: str = "", path: str = "game") -> Game:
        game = stored(played)
        page.add_init_script(WATCH)
        page.goto(live_server.url + reverse(f"replays:{path}", args=[game.pk]) + fragment)
        expect(page.locator(".rv-plate")).to_have_count(played.players)
        return game

    return opened


def now(page: Page) -> str:
    return page.locator(".rv-now").inner_text()


def frame(page: Page) -> int:
    return int(page.get_by_role("slider", name="Move").input_value())


def test_one_steps_through_a_game_to_its_end(page: Page, open_replay: Open):
    played = record(2)
    open_replay(played)
    assert "leads first" in now(page)
    for number in range(1, len(played.moves) + 1):
        page.get_by_role("button", name="Next move").click()
        assert frame(page) == number
    fool = {0: "Lowest", 1: "Патiенс"}[played.result.fool or 0]
    expect(page.locator(".rv-banner")).to_have_text(f"{fool} is the fool")
    expect(page.get_by_role("button", name="Next move")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_cards_on_the_screen_are_those_of_the_game(page: Page, open_replay: Open, players: int):
    played = record(players)
    open_replay(played)
    for number, game in enumerate(replay(played)):
        if number % 7:
            continue
        page.evaluate("number => { location.hash = `m=${number}` }", number)
        expect(page.get_by_role("slider", name="Move")).to_have_value(str(number))
        shown = page.locator(".rv-card use").evaluate_all("uses => uses.map(use => use.getAttribute('href'))")
        open_cards = {name.split("-")[1] for name in shown} - {"back"}
        held = {str(card) for seat in range(players) for card in game.hand(seat)}
        lying = {str(card) for pair in game.table for card in pair if card}
        turned_up = {str(game.turn_up)} if game.talon_count else set()
        assert open_cards == held | lying | turned_up
        assert len(shown) == 36


def test_the_keyboard_does_everything(page: Page, open_replay: Open):
    played = record(3)
    open_replay(played)
    last = len(played.moves)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert frame(page) == 2
    page.keyboard.press("ArrowLeft")
    assert frame(page) == 1
    page.keyboard.press("End")
    assert frame(page) == last
    page.keyboard.press("Home")
    assert frame(page) == 0
    page.keyboard.press("Shift+ArrowRight")
    first_bout = frame(page)
    assert first_bout > 1
    page.get_by_role("slider", name="Move").focus()
    page.keyboard.press("]")
    assert frame(page) > first_bout
    page.keyboard.press("[")
    assert frame(page) == first_bout
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_single_characters_do_nothing_outside_the_viewer(page: Page, open_replay: Open):
    open_replay(record(3))
    page.keyboard.press("]")
    assert frame(page) == 0


def test_it_plays_by_itself_and_stops_at_the_end(page: Page, open_replay: Open):
    played = record(2)
    open_replay(played, f"#m={len(played.moves) - 3}")
    page.get_by_label("Speed").select_option("8")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".rv-banner")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert frame(page) == len(played.moves)


def test_a_paused_viewer_runs_nothing(page: Page, open_replay: Open):
    open_replay(record(4), "#m=5")
    idle = "() => window.waiting.size === 0 && document.getAnimations().length === 0"
    page.wait_for_function(idle)
    page.get_by_role("button", name="Play").click()
    assert page.evaluate("window.waiting.size") == 1
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function(idle)
    assert page.evaluate("window.frames_asked") == 0


def test_a_link_leads_to_a_move_and_a_perspective(page: Page, open_replay: Open):
    open_replay(record(3), "#m=12&seat=1")
    assert frame(page) == 12
    expect(page.get_by_label("Seen by")).to_have_value("1")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/#m=13&seat=1")
    page.evaluate("location.hash = 'm=4'")
    expect(page.get_by_role("slider", name="Move")).to_have_value("4")


@pytest.mark.parametrize("fragment", ["#m=-5", "#m=banana", "#m=1e99", "#seat=17", "#m=3&seat=x", "#%E0%A4%A"])
def test_a_broken_link_opens_the_game_all_the_same(page: Page, open_replay: Open, fragment: str):
    open_replay(record(2), fragment)
    assert frame(page) in {0, 3, len(record(2).moves)}


def test_a_player_sees_his_hand_and_what_everybody_knows(page: Page, open_replay: Open):
    """In a game in which somebody has picked cards up: those stay open, the rest of the other hands is not."""
    played = record(3)
    open_replay(played)
    taken = next(
        number for number, game in enumerate(replay(played)) if any(e.kind.value == "taken" for e in game.events)
    )
    page.evaluate("number => { location.hash = `m=${number}&seat=0` }", taken)
    expect(page.get_by_role("slider", name="Move")).to_have_value(str(taken))
    page.get_by_text("The table in words").click()
    words = page.locator(".rv-words li").all_inner_texts()
    own = next(line for line in words if line.startswith("Lowest"))
    others = [line for line in words if re.match("Патiенс|Źdźbło", line)]
    assert "hidden" not in own
    assert any("hidden" in line and " of " in line for line in others)
    page.get_by_label("Seen by").select_option("")
    assert not any("hidden" in line for line in page.locator(".rv-words li").all_inner_texts())


def test_each_move_is_said_aloud(page: Page, open_replay: Open):
    open_replay(record(2))
    page.keyboard.press("ArrowRight")
    spoken = page.locator("[role=status][aria-live=polite]").inner_text()
    assert re.search(r"leads the \w+ of (clubs|diamonds|hearts|spades)", spoken)
    assert spoken in (page.get_by_role("slider", name="Move").get_attribute("aria-valuetext") or "")


@pytest.mark.parametrize(
    ("ending", "places", "failures", "banner"),
    [
        ("draw", [1, 1], [], "A draw: the last went out together"),
        ("win", [2, 1], [], "Патiенс wins"),
        ("stalemate", [1, 1], [], "Stalemate: 40 bouts in a row were taken"),
        ("bout_limit", [1, 1], [], "Stopped after 500 bouts"),
        ("forfeit", [2, 1], [{"seat": 0, "reason": "load", "at": 0}], "Forfeit: Lowest did not start"),
        ("forfeit", [1, 2], [{"seat": 1, "reason": "pondering", "at": 9}], "Forfeit: Патiенс thought out of turn"),
    ],
)
def test_the_banner_is_the_stored_result(
    page: Page, open_replay: Open, ending: str, places: list[int], failures: list[dict[str, Any]], banner: str
):
    game = open_replay(record(2))
    Game.objects.filter(pk=game.pk).update(ending=ending, places=places, failures=failures)
    page.reload()
    page.keyboard.press("End")
    expect(page.locator(".rv-banner")).to_have_text(banner)


def test_names_are_shown_and_never_run(page: Page, open_replay: Open):
    open_replay(record(6))
    expect(page.locator(".rv-plate").filter(has_text="<b>Bold</b>")).to_have_count(1)
    assert page.locator(".rv b").filter(has_text="Bold").count() == 0


@pytest.mark.parametrize("width", [390, 768, 1280])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_nothing_overlaps_or_sticks_out(page: Page, open_replay: Open, players: int, width: int):
    page.set_viewport_size({"width": width, "height": 844})
    played = record(players)
    open_replay(played, f"#m={len(played.moves) // 2}")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for perspective in ["", *map(str, range(players))]:
        page.get_by_label("Seen by").select_option(perspective)
        page.wait_for_function("() => document.getAnimations().length === 0")
        [table] = boxes(page, ".rv-table")
        plates = boxes(page, ".rv-plate")
        for number, plate in enumerate(plates):
            assert table.holds(plate)
            assert not any(plate.meets(other) for other in plates[number + 1 :])
        for card in boxes(page, ".rv-card"):
            assert table.holds(card)
    for button in boxes(page, ".rv-controls button"):
        assert min(button.right - button.left, button.bottom - button.top) >= 40


class Box(NamedTuple):
    """A rectangle of the page, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: "Box") -> bool:
        return (
            self.left - 1 <= other.left
            and self.top - 1 <= other.top
            and other.right <= self.right + 1
            and other.bottom <= self.bottom + 1
        )

    def meets(self, other: "Box") -> bool:
        return (
            min(self.right, other.right) - max(self.left, other.left) > 1
            and min(self.bottom, other.bottom) - max(self.top, other.top) > 1
        )


def boxes(page: Page, selector: str) -> list[Box]:
    """Where the elements of a selector stand."""
    script = "all => all.map(e => e.getBoundingClientRect()).map(r => [r.left, r.top, r.right, r.bottom])"
    return [Box(*found) for found in page.locator(selector).evaluate_all(script)]


def test_with_reduced_motion_no_card_travels(page: Page, open_replay: Open):
    page.emulate_media(reduced_motion="reduce")
    open_replay(record(2))
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getAnimations().length") == 0


def test_four_colours_are_a_switch_that_is_remembered(page: Page, open_replay: Open):
    open_replay(record(2))
    colour = "getComputedStyle(document.querySelector('.rv-card')).getPropertyValue('--suit-c')"
    before = page.evaluate(colour)
    page.get_by_label("Four colours").check()
    assert page.evaluate(colour) != before
    page.reload()
    expect(page.get_by_label("Four colours")).to_be_checked()


def test_the_longest_game_opens_with_one_request_and_few_elements(page: Page, open_replay: Open):
    played = longest_record()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "frames.json" in request.url else None)
    open_replay(played, "#m=4000")
    assert frame(page) == 4000
    assert len(asked) == 1
    assert page.locator(".rv-list li").count() < 600
    page.keyboard.press("End")
    expect(page.locator(".rv-banner")).to_have_text("Stopped after 500 bouts")
    current = page.locator(".rv-list a[aria-current]")
    expect(current).to_have_attribute("data-frame", str(len(played.moves)))
    [lines], [line] = boxes(page, ".rv-list"), boxes(page, ".rv-list a[aria-current]")
    assert lines.holds(line)


def test_a_line_of_the_list_leads_to_its_move(page: Page, open_replay: Open):
    open_replay(record(2))
    page.locator(".rv-list a[data-frame='9']").click()
    assert frame(page) == 9


def test_a_failure_as_a_bout_begins_is_told_once(page: Page, open_replay: Open):
    from arena.replay.frames import frames

    begins = frames(record(2))["marks"]["bout"][3]
    open_replay(record(2, stop=begins), f"#m={begins}")
    expect(page.locator(".rv-line--end")).to_have_count(1)
    expect(page.locator(".rv-bout")).to_have_count(3)


def test_without_a_script_the_game_can_be_read(browser: Browser, live_server: LiveServer):
    game = stored(record(2))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url + game.get_absolute_url())
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.get_by_role("heading", name="Bout 1", exact=True)).to_be_visible()
    assert page.locator(".rv-plain .rv-line").count() == game.moves + 1
    context.close()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Another site: the folder that it serves, and its address."""
    handler = functools.partial(QuietHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield tmp_path, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name in the base class
        """Says nothing."""


def test_the_viewer_may_stand_in_a_frame_elsewhere_and_the_page_may_not(
    page: Page, page_faults: list[str], live_server: LiveServer, elsewhere: tuple[Path, str]
):
    game = stored(record(2))
    folder, address = elsewhere
    for name, path in {"embed": reverse("replays:embed", args=[game.pk]), "page": game.get_absolute_url()}.items():
        frame_tag = f'<iframe src="{live_server.url}{path}" width=800 height=860></iframe>'
        (folder / f"{name}.html").write_text(f'<!doctype html><link rel=icon href="data:,"><title>x</title>{frame_tag}')
    page.goto(f"{address}/embed.html")
    inside = page.frame_locator("iframe")
    expect(inside.locator(".rv-plate")).to_have_count(2)
    inside.get_by_role("button", name="To the end").click()
    expect(inside.locator(".rv-banner")).to_be_visible()
    assert page_faults == []
    page.goto(f"{address}/page.html")
    expect(page.frame_locator("iframe").locator(".rv-plate")).to_have_count(0)
    assert any("frame-ancestors" in fault for fault in page_faults), page_faults
    page_faults.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(page: Page, open_replay: Open, width: int, scheme: Any):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    open_replay(record(4), "#m=20")
    page.get_by_text("The table in words").click()
    page.get_by_text("Keys", exact=True).click()
    found = Axe().run(page).response["violations"]
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == []


# What stands in the corners of the court cards and aces in the page, and beside a suit in its lines of text, by rank.
CORNERS = """() => Object.fromEntries(["J", "Q", "K", "A"].map((rank) => [rank, [...new Set(
  [...document.querySelectorAll(`symbol[id^="card-${rank}"] use, symbol[id^="mini-${rank}"] use`)]
    .map((use) => use.getAttribute("href")).filter((href) => href.startsWith("#rank-"))
    .map((href) => (document.querySelector(href) ? href.slice("#rank-".length) : `${href} is not drawn`)))].join()]))"""
PLAYERS_WRITE = {"ru": "ВДКТ", "uk": "ВДКТ", "pl": "WDKA"}


def chips(page: Page) -> set[str]:
    """Ranks in lines of text that are no numbers."""
    texts = page.locator(".rv-chip > [aria-hidden]").all_text_contents()
    return {text for text in texts if not text.isdecimal()}


@pytest.mark.parametrize("language", PLAYERS_WRITE)
@pytest.mark.parametrize("script", [True, False], ids=["viewer", "list"])
def test_cards_are_written_as_players_of_the_language_do(
    browser: Browser, live_server: LiveServer, page_faults: list[str], language: str, script: bool
):
    game = stored(record(2))
    context = browser.new_context(locale=language, java_script_enabled=script)
    listen(context, page_faults)
    page = context.new_page()
    page.goto(live_server.url + game.get_absolute_url())
    if script:
        expect(page.locator(".rv-plate")).to_have_count(2)
        page.keyboard.press("End")
        assert page.evaluate(CORNERS) == dict(zip("JQKA", PLAYERS_WRITE[language], strict=True))
    # The viewer's list holds the lines near what is seen; the list without a script holds all.
    said = chips(page)
    assert said <= set(PLAYERS_WRITE[language]) if script else said == set(PLAYERS_WRITE[language])
    assert said
    page.goto(live_server.url + reverse("replays:deal", args=[game.match_id, game.deal]))
    dealt = chips(page)
    assert dealt
    assert dealt <= set(PLAYERS_WRITE[language])
    context.close()


def test_the_viewer_needs_no_site(page: Page, live_server: LiveServer):
    """Frames and a deck handed over, in a page of nothing but an element: as in a replay kept in one file."""
    from arena.replay.frames import frames

    made = json.dumps(frames(record(3)))
    deck = (live_server.url + "/static/replay/cards.svg", live_server.url + "/static/replay/viewer.js")

    def blank(route: Route) -> None:
        route.fulfill(body="<!doctype html><title>Alone</title><div id=here></div>", content_type="text/html")

    page.route(f"{live_server.url}/alone", blank)
    page.goto(f"{live_server.url}/alone")
    page.evaluate(
        """async ([made, [deck, module]]) => {
            const { mount } = await import(module);
            const sprite = await (await fetch(deck)).text();
            window.viewer = mount(document.getElementById("here"), JSON.parse(made), { sprite, address: false });
        }""",
        [made, list(deck)],
    )
    page.evaluate("viewer.seek(10)")
    expect(page.locator(".rv-plate")).to_have_count(3)
    assert frame(page) == 10
    assert page.url.endswith("/alone")
    page.evaluate("viewer.destroy()")
    expect(page.locator(".rv-plate")).to_have_count(0)


def test_a_replay_in_one_file_needs_no_network(page: Page, tmp_path: Path):
    """As `python -m arena replay` writes it: opened from the disk, under a policy that forbids every request."""
    from arena.replay.frames import frames
    from arena.replay.languages import words_in
    from arena.replay.page import make_page

    file = tmp_path / "replay.html"
    file.write_text(make_page(frames(record(3), words=words_in("pl")), "pl"), encoding="utf-8")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{file.as_uri()}#m=10")
    expect(page.locator(".rv-plate")).to_have_count(3)
    expect(page.locator(".rv-count-of")).to_contain_text("Ruch 10")
    assert page.evaluate(CORNERS) == {"J": "W", "Q": "D", "K": "K", "A": "A"}
    page.get_by_role("button", name="Na koniec").click()
    expect(page.locator(".rv-banner")).to_be_visible()
    assert asked == [f"{file.as_uri()}"]
    assert Axe().run(page).response["violations"] == []
