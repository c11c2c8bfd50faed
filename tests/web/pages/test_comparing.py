"""Two bots against each other."""

import pytest
from django.urls import reverse

from pages import comparing
from tests.web import factories
from tests.web.tournaments.made import begin, result
from tournaments import results
from tournaments.crosstable import crosstable

pytestmark = pytest.mark.django_db


def met(pair, wins, **options):
    """A round robin of the two in which the first has won, or lost, every game."""
    first, _ = pair
    cup = factories.round_robin(pair, **options)
    match = begin(cup.matches.get())
    ours = match.seats.get(entry__bot=first).index
    results.record(match.pk, 1, result(2, cup.deals, [ours, 1 - ours] if wins else [1 - ours, ours]))
    return match


@pytest.fixture
def pair():
    return factories.bot(name="Ann"), factories.bot(name="<b>Bob</b>")


def test_the_score_is_that_of_the_deals_by_ruleset(pair):
    met(pair, wins=True, deals=4)
    met(pair, wins=False, deals=2)
    met(pair, wins=True, deals=1, ruleset="perevodnoy")
    first, second = comparing.compare(*pair).scores
    assert (first.ruleset_name, first.deals, first.games, first.matches) == ("podkidnoy", 6, 12, 2)
    assert (first.won, first.even, first.lost) == (4, 0, 2)
    assert first.score == pytest.approx(4 / 6)
    assert (second.ruleset_name, second.deals, second.score) == ("perevodnoy", 1, 1.0)


def test_the_other_way_round_is_the_rest(pair):
    met(pair, wins=True, deals=3)
    one, other = comparing.compare(*pair).scores[0], comparing.compare(*reversed(pair)).scores[0]
    assert one.score + other.score == 1
    assert (one.won, one.lost) == (other.lost, other.won)
    assert one.low == pytest.approx(1 - other.high)


def test_it_agrees_with_the_crosstable():
    bots = [factories.bot() for _ in range(4)]
    cup = factories.round_robin(bots, players=3, deals=2)
    factories.play(cup)
    for meeting in crosstable(cup).values():
        one = bots[[entry.pk for entry in cup.entries.order_by("id")].index(meeting.entry_id)]
        other = bots[[entry.pk for entry in cup.entries.order_by("id")].index(meeting.opponent_id)]
        score = comparing.compare(one, other).scores[0]
        assert score.score == pytest.approx(meeting.score)
        assert (score.games, score.deals) == (meeting.games, meeting.deals)


def test_partners_alone_get_no_score_from_each_other():
    bots = [factories.bot() for _ in range(4)]
    cup = factories.round_robin(bots, players=4, ruleset="pairs", deals=1)
    match = cup.matches.order_by("id").first()
    match = factories.finish(match, lambda _: factories.skilled(1.0))
    seats = list(match.seats.order_by("index"))
    partner, opponent = seats[2].entry.bot, seats[1].entry.bot
    assert comparing.compare(seats[0].entry.bot, partner).scores == []
    assert comparing.compare(seats[0].entry.bot, opponent).scores[0].games == 4


@pytest.mark.parametrize(
    ("score", "deals", "low", "high"), [(0.5, 100, 0.4038, 0.5962), (1.0, 10, 0.7225, 1.0), (0.0, 10, 0.0, 0.2775)]
)
def test_the_interval_is_wilsons(score, deals, low, high):
    assert comparing.interval(score, deals) == pytest.approx((low, high), abs=1e-4)


def test_few_deals_tell_nobody_apart(pair):
    met(pair, wins=True, deals=1)
    assert not comparing.compare(*pair).scores[0].told_apart


def test_the_page_shows_score_and_matches(client, pair):
    match = met(pair, wins=True, deals=20)
    shown = client.get(reverse("bots:compare", args=[bot.slug for bot in pair])).content.decode()
    assert "100.0 %" in shown
    assert match.get_absolute_url() in shown
    assert "&lt;b&gt;Bob" in shown
    assert "<b>Bob" not in shown


def test_two_that_never_met_have_an_empty_page(client, pair):
    shown = client.get(reverse("bots:compare", args=[bot.slug for bot in pair])).content.decode()
    assert "not finished a match against each other" in shown


def test_a_bot_is_not_compared_with_itself_or_with_none(client, pair):
    slug = pair[0].slug
    assert client.get(reverse("bots:compare", args=[slug, slug])).status_code == 302
    assert client.get(reverse("bots:compare", args=[slug, "nobody"])).status_code == 404


def test_the_page_asks_a_fixed_number_of_times(client, pair, django_assert_max_num_queries):
    for _ in range(5):
        met(pair, wins=True, deals=1)
    with django_assert_max_num_queries(12):
        client.get(reverse("bots:compare", args=[bot.slug for bot in pair]))


def test_older_matches_are_left_out_and_that_is_said(client, pair, monkeypatch):
    monkeypatch.setattr(comparing, "MOST_MATCHES", 1)
    met(pair, wins=True, deals=1)
    met(pair, wins=False, deals=1)
    found = comparing.compare(*pair)
    assert found.more
    assert found.scores[0].score == 0.0
