"""What an author learns about his bots: failures by traceback, files that reproduce them, times, versions compared."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.durak import GameRecord
from arena.reproduction import Reproduction, decisions
from bots.models import BotVersion
from pages import failures, thinking, versions
from pages.failures import Filters
from tests.web import factories
from tournaments import lifecycle
from tournaments.models import Game, GameLog, Tournament

pytestmark = pytest.mark.django_db

TRACE = "bot.py, line 6, in act: return 1 / 0"


@pytest.fixture
def author():
    return factories.user("author")


@pytest.fixture
def bot(author):
    """A bot that has failed in all its games of a ladder: in half of them at one place, in the others elsewhere."""
    bot = factories.bot(author, "Mine")
    others = [factories.bot(name=f"Other {number}") for number in range(2)]
    ladder = factories.ladder([bot, *others])
    factories.play(ladder, brain=lambda one: factories.skilled(0.5, 0.3 if one == bot else 0))
    factories.rate(ladder)
    for number, log in enumerate(GameLog.objects.filter(seat__entry__bot=bot, failure__isnull=False).order_by("pk")):
        line = 6 + number % 2
        detail = {"file": "bot.py", "line": line, "traceback": TRACE.replace("6", str(line)), "type": "", "message": ""}
        log.failure = {**log.failure, "detail": detail}
        log.log = "for my eyes"
        log.save()
    return bot


def started(bot):
    return [log for log in GameLog.objects.filter(seat__entry__bot=bot).order_by("pk") if not log.failure["forfeited"]]


# My failures


def test_failures_are_grouped_by_traceback(bot, author):
    found = failures.read([bot], Filters())
    logs = started(bot)
    assert len(logs) >= 2
    assert {(group.traceback, group.reason) for group in found.groups} == {
        (log.failure["detail"]["traceback"], "crash") for log in logs
    }
    assert sum(group.count for group in found.groups) == len(logs)
    assert [group.count for group in found.groups] == sorted((group.count for group in found.groups), reverse=True)
    newest = max(logs, key=lambda log: log.pk)
    assert newest.pk in {group.newest.log.pk for group in found.groups}


def test_failures_without_a_traceback_are_one_group_a_reason(bot):
    for number, log in enumerate(started(bot)):
        log.failure = {**log.failure, "reason": "time", "detail": None, "message": f"No answer within {number} s."}
        log.save()
    (group,) = failures.read([bot], Filters()).groups
    assert (group.reason, group.traceback, group.count) == ("time", "", len(started(bot)))


def test_the_page_shows_view_log_replay_and_file_of_each(client, bot, author):
    client.force_login(author)
    page = client.get(reverse("bots:failures")).content.decode()
    for group in failures.read([bot], Filters()).groups:
        log, seat = group.newest.log, group.newest.seat
        assert group.traceback in page
        assert f"/games/{log.game_id}/#m={log.failure['at']}&amp;seat={seat}" in page
        assert reverse("replays:reproduction", args=[log.game_id, seat]) in page
        assert " ".join(log.failure["view"]["hand"]) in page
        assert "for my eyes" in page


def test_a_group_lists_all_its_games(client, bot, author):
    client.force_login(author)
    for group in failures.read([bot], Filters()).groups:
        page = client.get(reverse("bots:failures"), {"group": group.key}).content.decode()
        games = [log.game_id for log in started(bot) if log.failure["detail"]["traceback"] == group.traceback]
        assert page.count('aria-label="game ') == len(games)
        assert all(f"/games/{game}/#m=" in page for game in games)
    assert client.get(reverse("bots:failures"), {"group": "nothing"}).status_code == 404


def test_the_filters_choose(client, bot, author):
    client.force_login(author)
    address = reverse("bots:failures")
    for query, there in (
        ({"bot": bot.slug}, True),
        ({"reason": "crash"}, True),
        ({"reason": "time"}, False),
        ({"version": "1"}, True),
        ({"version": "2"}, False),
        ({"version": "x", "reason": "x"}, True),
    ):
        assert (TRACE.partition(",")[2] in client.get(address, query).content.decode()) is there, query


def test_lost_games_are_counted_by_cause(bot):
    lost = dict(failures.read([bot], Filters()).lost)
    entry = bot.entries.get()
    assert sum(lost.values()) == entry.lost
    assert lost["crash"] == entry.failures["crash"]


def test_what_others_failed_at_is_theirs(client, bot):
    address = reverse("bots:failures")
    assert client.get(address).status_code == 302
    client.force_login(factories.user())
    assert client.get(address, {"bot": bot.slug}).status_code == 403
    assert "for my eyes" not in client.get(address).content.decode()
    assert client.get(address, {"bot": "nobody"}).status_code == 404
    client.force_login(factories.user(is_staff=True))
    assert "for my eyes" in client.get(address, {"bot": bot.slug}).content.decode()


def test_who_has_never_failed_is_told_so(client):
    client.force_login(factories.user())
    assert "None of your bots has failed" in client.get(reverse("bots:failures")).content.decode()


def test_many_failures_cost_no_more_queries(bot, author):
    with CaptureQueriesContext(connection) as few:
        failures.read([bot], Filters())
    log = started(bot)[0]
    for game in Game.objects.exclude(logs__seat=log.seat):
        if log.seat.index in game.seating and game.match_id == log.game.match_id:
            GameLog.objects.create(game=game, seat=log.seat, failure={**log.failure, "reason": "illegal"})
    with CaptureQueriesContext(connection) as many:
        failures.read([bot], Filters())
    assert len(many) <= len(few)


# Reproduction files


def test_the_file_of_a_game_reproduces_it(client, bot, author):
    client.force_login(author)
    log = started(bot)[0]
    seat = list(log.game.seating).index(log.seat.index)
    response = client.get(reverse("replays:reproduction", args=[log.game_id, seat]))
    assert response["Content-Disposition"] == f'attachment; filename="durak-failure-{log.game_id}-{seat}.json"'
    assert "no-store" in response["Cache-Control"]
    found = Reproduction.loads(response.content)
    assert (found.bot, found.version, found.seat, found.reason) == ("Mine", 1, seat, "crash")
    *_, last = decisions(found)
    assert [str(card) for card in last.view.hand] == log.failure["view"]["hand"]
    assert [str(move) for move in last.view.legal] == log.failure["view"]["legal"]
    assert found.use["decisions"] >= 1


def test_the_file_of_a_game_is_for_the_owner_of_that_seat(client, bot, author):
    log = started(bot)[0]
    seat = list(log.game.seating).index(log.seat.index)
    address = reverse("replays:reproduction", args=[log.game_id, seat])
    assert client.get(address).status_code == 302
    client.force_login(author)
    assert client.get(reverse("replays:reproduction", args=[log.game_id, 1 - seat])).status_code == 403
    assert client.get(reverse("replays:reproduction", args=[log.game_id, 5])).status_code == 404
    client.force_login(factories.user())
    assert client.get(address).status_code == 403
    client.force_login(factories.user(is_staff=True))
    assert client.get(address).status_code == 200


def test_a_game_without_a_failure_has_no_file(client, bot, author):
    client.force_login(author)
    log = started(bot)[0]
    seat = list(log.game.seating).index(log.seat.index)
    for failure in (None, {**log.failure, "forfeited": True}):
        GameLog.objects.filter(pk=log.pk).update(failure=failure)
        assert client.get(reverse("replays:reproduction", args=[log.game_id, seat])).status_code == 404


def test_the_replay_offers_the_file_to_its_owner_alone(client, bot, author):
    log = started(bot)[0]
    seat = list(log.game.seating).index(log.seat.index)
    address = reverse("replays:reproduction", args=[log.game_id, seat])
    assert address not in client.get(log.game.get_absolute_url()).content.decode()
    client.force_login(author)
    assert address in client.get(log.game.get_absolute_url()).content.decode()


def test_the_file_of_a_failed_check_reproduces_it(client, bot, author):
    log = started(bot)[0]
    shown = _record(log.game)
    seat = list(log.game.seating).index(log.seat.index)
    report = factories.failed_report(record=shown, seat=seat, view=log.failure["view"])
    version = factories.version(bot, "rejected", report=report)
    address = reverse("bots:reproduction", args=[bot.slug, version.number])
    assert client.get(address).status_code == 302
    client.force_login(author)
    assert Reproduction.loads(client.get(address).content).version == version.number
    assert address in client.get(version.get_absolute_url()).content.decode()
    assert client.get(reverse("bots:reproduction", args=[bot.slug, 1])).status_code == 404
    client.force_login(factories.user())
    assert client.get(address).status_code == 403


def _record(game):
    return GameRecord.from_compact(bytes(game.record)).to_json()


# Thinking time


def test_times_are_those_of_the_records(bot):
    found = thinking.read(bot)
    entry = bot.entries.get()
    assert found.games == entry.games
    # The decision on which a bot fails has no move, and no time in the record.
    assert entry.decisions - len(started(bot)) <= found.decisions <= entry.decisions
    assert sum(bar.count for bar in found.bars) == found.decisions
    assert found.median <= found.p95 <= found.slowest_ms == found.slowest[0].ms
    for slow in found.slowest:
        record = _record(slow.game)
        assert record["moves"][slow.move - 1] == [slow.seat, slow.notation]
        assert record["times_ms"][slow.move - 1] == slow.ms


def test_the_page_of_times_links_each_slow_decision_to_its_move(client, bot):
    page = client.get(reverse("bots:times", args=[bot.slug])).content.decode()
    slow = thinking.read(bot).slowest[0]
    assert f"/games/{slow.game.pk}/#m={slow.move}&amp;seat={slow.seat}" in page


def test_times_of_drafts_and_of_no_games_are_not_shown(client, bot):
    Tournament.objects.update(state="draft", started_at=None)
    assert thinking.read(bot) is None
    assert "not decided anything" in client.get(reverse("bots:times", args=[bot.slug])).content.decode()
    assert client.get(reverse("bots:times", args=["nobody"])).status_code == 404


# Two versions


@pytest.fixture
def second(bot):
    """A second version that plays better, and has met the same opponents."""
    version = factories.version(bot, code=factories.CODE + b"# better\n")
    ladder = Tournament.objects.get(slug="ladder")
    lifecycle.join_ladder(ladder, version)
    factories.play(ladder, brain=lambda _one: factories.skilled(1.0))
    factories.rate(ladder)
    return version


def test_versions_are_compared_over_the_opponents_that_both_met(bot, second):
    first = bot.versions.get(number=1)
    pair = versions.compare(first, second)
    assert {meeting.name for meeting in pair.meetings} == {"Other 0", "Other 1"}
    for meeting in pair.meetings:
        assert 0 <= meeting.first.low <= meeting.first.score <= meeting.first.high <= 1
        assert meeting.second.score > meeting.first.score
    entries = {entry.version_id: entry for entry in bot.entries.all()}
    for side in pair.sides:
        entry = entries[side.version.pk]
        assert (side.games, side.won, side.lost) == (entry.games, entry.won, entry.lost)
        mean = sum(
            getattr(meeting, "first" if side is pair.first else "second").score for meeting in pair.meetings
        ) / len(pair.meetings)
        assert mean == pytest.approx(entry.points / (2 * entry.games))
    assert pair.first.failed == entries[first.pk].failures["crash"]


def test_the_code_that_changed_is_for_the_owner(client, bot, second, author):
    address = reverse("bots:compare-versions", args=[bot.slug, 1, 2])
    assert "# better" not in client.get(address).content.decode()
    client.force_login(author)
    assert "<ins>+# better</ins>" in client.get(address).content.decode()
    changed, cut = versions.changes(*bot.versions.order_by("number"))
    assert [(one.name, ("+", "# better") in one.lines) for one in changed] == [("bot.py", True)]
    assert not cut


def test_a_version_that_did_not_pass_is_compared_for_its_owner_alone(client, bot, author):
    factories.version(bot, "rejected", report=factories.failed_report())
    address = reverse("bots:compare-versions", args=[bot.slug, 1, 2])
    assert client.get(address).status_code == 404
    client.force_login(author)
    assert client.get(address).status_code == 200


def test_the_older_version_comes_first(client, bot, second):
    newer_first = client.get(reverse("bots:compare-versions", args=[bot.slug, 2, 1]))
    assert newer_first.url == reverse("bots:compare-versions", args=[bot.slug, 1, 2])
    chosen = client.get(reverse("bots:choose-versions", args=[bot.slug]), {"first": "2", "second": "1"})
    assert chosen.url == reverse("bots:compare-versions", args=[bot.slug, 2, 1])
    assert client.get(reverse("bots:choose-versions", args=[bot.slug]), {"first": "x"}).status_code == 404
    assert client.get(reverse("bots:compare-versions", args=[bot.slug, 1, 1])).url == (
        BotVersion.objects.get(bot=bot, number=1).get_absolute_url()
    )


def test_a_long_difference_is_cut(bot):
    long = "\n".join(f"# {number}" for number in range(versions.DIFF_LINES + 9)).encode()
    factories.version(bot, code=factories.CODE + long)
    changed, cut = versions.changes(*bot.versions.order_by("number"))
    assert cut
    assert sum(len(one.lines) for one in changed) == versions.DIFF_LINES
