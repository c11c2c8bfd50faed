"""What the templates' tags make of names and numbers."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.template import Context, Template
from django.utils import translation
from django.utils.timezone import now

from arena.limits import Limits
from pages.templatetags import charts, ui
from replays.templatetags import replay_words

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\u202egnp.exe",
    "\u2066\u2067zero\u200b width",
    "null\0byte",
    "line\nbreak",
    "Дурачок",
    "🂡🃏",
    "x" * 10_000,
    "",
    "\u200f\u200e",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_name_is_escaped_isolated_and_bounded(text):
    shown = ui.name(text)
    assert shown.startswith("<bdi class=")
    assert shown.endswith("</bdi>")
    assert len(shown) < 1500
    inside = shown[4:-6]
    assert "<" not in inside
    for sign in "\u202e\u2066\u2067\u200b\u200f\0\n":
        assert sign not in shown


def test_a_name_of_nothing_visible_still_shows_something():
    assert ui.clean_name("\u200f \u200b") == "?"


def test_emoji_that_are_joined_stay_joined():
    assert ui.clean_name("👩\u200d🚀") == "👩\u200d🚀"


def test_a_name_in_an_attribute_is_short():
    assert len(ui.plain_name("x" * 10_000)) == 60


def test_shares_are_rounded_and_never_above_hundred():
    assert charts.percent(2 / 3) == "66.7 %"
    assert charts.percent(2 / 3, 0) == "67 %"
    assert charts.percent(1.0000001) == "100.0 %"
    assert charts.percent(None) == "–"


def test_numbers_follow_the_readers_language_in_text_but_not_in_drawings():
    with translation.override("ru"):
        assert charts.percent(0.25) == "25,0\u00a0%"
        drawn = charts.interval(1500.5, 1400.25, 1600.75, charts.rating_scale(1400.25, 1600.75))
    attributes = drawn.split('aria-label="')[1].split('"', 1)[1]
    assert "," not in attributes


def test_changes_have_a_sign():
    assert [charts.signed(value) for value in (8.04, -8.06, 0.0, None)] == ["+8.0", "−8.1", "±0.0", "–"]


def test_an_interval_without_a_rating_draws_nothing():
    assert charts.interval(None, None, None, None) == ""
    assert charts.rating_scale(None, None) is None


def test_an_interval_says_in_words_what_it_draws():
    drawn = charts.interval(1500, 1450, 1550, charts.rating_scale(1400, 1600))
    assert 'aria-label="Rating 1500, between 1450 and 1550"' in drawn
    assert 'cx="50%"' in drawn


def test_a_bar_of_games_adds_up():
    drawn = charts.outcome_bar(2, 1, 1)
    assert 'class="bar__won" x="0%" width="50%"' in drawn
    assert 'class="bar__lost" x="75%" width="25%"' in drawn
    assert charts.outcome_bar(0, 0, 0) == ""


def test_a_moment_is_told_in_full_or_as_how_long_ago():
    moment = datetime(2026, 3, 1, 9, 5, tzinfo=UTC)
    assert "1\u00a0March\u00a02026, 09:05\u00a0UTC" in ui.when(moment)
    assert 'datetime="2026-03-01T09:05:00+00:00"' in ui.when(moment)
    assert "just now" in ui.ago(now())
    assert "2\xa0hours ago" in ui.ago(now() - timedelta(hours=2, minutes=20))


def test_every_reason_of_a_failure_has_a_name():
    from arena.failure import Reason

    for reason in Reason:
        assert str(reason) in ui.REASONS


def test_every_ending_of_a_game_has_a_name():
    from arena.durak import Ending

    for ending in Ending:
        assert str(ending) in ui.ENDINGS


def test_every_state_of_an_entry_has_a_name():
    from tournaments.models import Entry

    assert set(ui.ENTRY_STATES) == set(Entry.State.values)


def test_every_state_that_is_stored_has_a_badge():
    from bots.models import BotVersion
    from tournaments.models import Entry, Match, Tournament

    for states in (BotVersion.State, Match.State, Tournament.State, Entry.State):
        assert set(states.values) <= set(ui.STATE_BADGES)


def test_a_state_is_escaped():
    assert "<b>" not in ui.state("ready", "<b>ready</b>")


def test_the_best_of_a_table_is_nobody_when_all_are_even():
    class Seat:
        def __init__(self, score):
            self.score = score

    assert charts.best_score([Seat(0.5), Seat(0.5)]) is None
    assert charts.best_score([Seat(0.25), Seat(0.75)]) == 0.75
    assert charts.best_score([Seat(None)]) is None


def test_pages_keep_the_rest_of_the_query(rf):
    from django.core.paginator import Paginator

    request = rf.get("/", {"q": "a&b", "page": "1"})
    page = Paginator(range(100), 10).get_page(1)
    shown = Template("{% load ui %}{% pagination page %}").render(Context({"page": page, "request": request}))
    assert "?q=a%26b&amp;page=2" in shown


def test_every_link_to_a_page_has_a_name_by_which_the_keyboard_finds_it_again(rf):
    """A table that follows what is played is replaced each few seconds, under whoever is just walking through it."""
    from django.core.paginator import Paginator

    page = Paginator(range(100), 10).get_page(2)
    shown = Template("{% load ui %}{% pagination page %}").render(Context({"page": page, "request": rf.get("/")}))
    links = re.findall(r"<a [^>]+>", shown)
    names = [re.search(r'id="(page-\w+)"', link) for link in links]
    assert len({name[1] for name in names if name}) == len(links) > 4


@pytest.mark.parametrize(
    ("limit", "value", "shown"),
    [
        ("bank", 10.0, "10 s"),
        ("move_limit", 0.5, "0.5 s"),
        ("memory_mb", 256, "256 MB"),
        ("output_bytes", 1048576, "1 MB"),
        ("forfeit_after", 3, "3"),
        ("pondering_share", 0.1, "0.1"),
    ],
)
def test_a_limit_is_told_with_its_unit(limit, value, shown):
    assert ui.limit(limit, value) == shown


def test_every_limit_that_is_a_time_is_told_as_one():
    """Their docstrings say which: see `arena.limits.Limits`."""
    times = {"bank", "move_limit", "start_limit", "overhead", "pondering_seconds"}
    others = {"memory_mb", "output_bytes", "forfeit_after", "pondering_share"}
    assert times | others == set(Limits().to_json())
    assert times == ui.LIMITS_IN_SECONDS


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (0, "0.00 ms"),
        (0.019, "0.02 ms"),
        (1.999, "2.00 ms"),
        (9.996, "10 ms"),
        (99.6, "100 ms"),
        (999.7, "1.00 s"),
        (1999.9, "2.00 s"),
    ],
)
def test_a_time_is_rounded_and_not_cut_off(value, shown):
    assert charts.milliseconds(value) == shown.replace(" ", "\u00a0")
    assert charts.seconds(value and value / 1000) == charts.milliseconds(value)


def test_the_list_of_moves_writes_a_time_as_the_viewer_does():
    assert [replay_words.duration(ms) for ms in (None, 12.3, 400, 1999)] == ["", "12.3 ms", "400 ms", "2.00 s"]
