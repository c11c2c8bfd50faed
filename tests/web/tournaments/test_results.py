"""A result is written down once, by participant, and rated once."""

from itertools import permutations

import pytest

from arena.local import LocalPlayer
from arena.match import play_match
from tests.web import factories
from tests.web.tournaments.made import begin, in_threads, result, won_by
from tournaments import fairness, integrity, ratings, results, standings
from tournaments.models import Entry, Game, GameLog, Match, RatingPoint, Seat
from tournaments.values import limits_of, ruleset_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return factories.round_robin([factories.bot(), factories.bot()]).matches.get()


def elos(match: Match) -> list[float]:
    return [seat.entry.elo for seat in match.seats.select_related("entry").order_by("index")]


def test_a_finished_match_has_its_games_its_seats_and_its_ratings(match):
    begin(match)
    assert results.record(match.pk, 1, won_by(1, match))
    match.refresh_from_db()
    assert (match.state, match.rated_order, match.progress, match.lease_until) == ("finished", 1, 4, None)
    first, second = match.seats.order_by("index")
    assert (first.score, first.points, first.against, first.lost) == (0.0, 0, [None, 0], 4)
    assert (second.score, second.points, second.against, second.won) == (1.0, 8, [8, None], 4)
    assert (second.decisions, second.seconds, second.slowest) == (40, 1.0, 0.125)
    assert elos(match) == [1484.0, 1516.0]
    assert list(match.games.values_list("rotation", "deal")) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(match.games.values_list("seating", flat=True)) == [[0, 1], [0, 1], [1, 0], [1, 0]]


def test_a_result_that_is_delivered_twice_counts_once(match):
    begin(match)
    assert results.record(match.pk, 1, won_by(1, match))
    assert not results.record(match.pk, 1, won_by(1, match))
    assert not results.record(match.pk, 1, won_by(0, match))
    assert elos(match) == [1484.0, 1516.0]
    assert (Game.objects.count(), RatingPoint.objects.count()) == (4, 2)
    assert list(Entry.objects.values_list("matches", flat=True)) == [1, 1]


def test_a_result_of_an_earlier_attempt_changes_nothing(match):
    begin(match, attempt=2)
    assert not results.record(match.pk, 1, won_by(0, match))
    match.refresh_from_db()
    assert (match.state, match.tournament.rated, Game.objects.count()) == ("running", 0, 0)
    assert results.record(match.pk, 2, won_by(1, match))
    assert elos(match) == [1484.0, 1516.0]


def test_a_result_that_cannot_be_stored_leaves_nothing(match, monkeypatch):
    begin(match)

    def fail(*args, **kwargs):
        raise RuntimeError("disk full")

    monkeypatch.setattr(GameLog.objects, "bulk_create", fail)
    with pytest.raises(RuntimeError):
        results.record(match.pk, 1, won_by(0, match))
    match.refresh_from_db()
    assert (match.state, match.tournament.rated) == ("running", 0)
    assert Game.objects.count() == RatingPoint.objects.count() == 0
    assert elos(match) == [1500.0, 1500.0]


def test_a_failed_game_is_lost_for_who_failed_and_shared_by_nobody(match):
    begin(match)
    # The first entrant fails in every game of deal 0, wherever it sits; deal 1 it wins.
    made = result(2, 2, [0, 1], {0: [0]})
    assert results.record(match.pk, 1, made)
    first, second = match.seats.order_by("index")
    assert (first.won, first.drawn, first.lost, first.failures) == (2, 0, 2, {"crash": 2})
    assert (second.won, second.drawn, second.lost, second.failures) == (2, 0, 2, {})
    line = standings.standing_of(first.entry)
    assert line.lost_by == {"play": 0, "crash": 2}
    assert Game.objects.get(deal=0, rotation=1).failures == [
        {"seat": 1, "reason": "crash", "at": 3, "forfeited": False}
    ]


def test_where_both_fail_nobody_gains_from_the_order_of_seats(match):
    begin(match)
    assert results.record(match.pk, 1, result(2, 2, [0, 1], {0: [0, 1], 1: [0, 1]}))
    for seat in match.seats.all():
        assert (seat.score, seat.lost, seat.failures) == (0.5, 4, {"crash": 4})
    assert elos(match) == [1500.0, 1500.0]


def test_the_owner_gets_log_and_traceback_and_the_public_only_the_reason(match):
    begin(match)
    boom = factories.skilled(1.0, clumsiness=1.0)
    players = [LocalPlayer(boom, "one"), LocalPlayer(factories.skilled(1.0), "two")]
    played = play_match(players, ruleset_of(match.tournament), fairness.decks_of(match), limits_of(match.tournament))
    assert results.record(match.pk, 1, played)
    game = match.games.earliest("id")
    log = game.logs.get(seat__index=0)
    assert "division by zero" in log.failure["message"]
    assert set(game.failures[0]) == {"seat", "reason", "at", "forfeited"}
    assert not game.logs.filter(seat__index=1).exists()


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_same_bot_wins_under_every_order_of_entries_with_equal_names(order):
    skills = [0.0, 0.5, 1.0]
    bots = [factories.bot(name="Same name") for _ in order]
    brains = {bot.pk: factories.skilled(skills[index]) for bot, index in zip(bots, order, strict=True)}
    tournament = factories.round_robin(bots, deals=10)
    factories.play(tournament, brain=lambda bot: brains[bot.pk])
    table = standings.table(tournament)
    best = bots[order.index(2)]
    assert table[0].bot_id == best.pk
    assert max(table, key=lambda line: line.elo).bot_id == best.pk


@pytest.mark.parametrize("players", [3, 4, 6])
def test_points_and_elo_of_larger_tables_add_up(players):
    tournament = factories.round_robin([factories.bot() for _ in range(players)], players=players, deals=1)
    match = tournament.matches.get()
    begin(match)
    assert results.record(match.pk, 1, won_by(1, match))
    seats = list(match.seats.order_by("index"))
    assert sum(seat.score for seat in seats) == pytest.approx(players / 2)
    assert seats[0].score == 0.0  # the fool loses to everybody
    assert sum(seat.entry.elo for seat in seats) == 1500.0 * players
    assert [seat.lost for seat in seats] == [players] + [0] * (players - 1)


def test_partners_share_their_result_and_do_not_meet():
    tournament = factories.round_robin([factories.bot() for _ in range(4)], ruleset="pairs", players=4, deals=1)
    factories.play(tournament)
    for match in tournament.matches.all():
        first, second, third, fourth = match.seats.order_by("index")
        assert first.against[0] is first.against[2] is None
        assert (first.score, second.score) == (third.score, fourth.score)
    assert sum(Entry.objects.values_list("elo", flat=True)) == 6000.0
    assert list(integrity.check_tournament(tournament)) == []


@pytest.mark.django_db(transaction=True)
def test_200_results_from_8_threads_keep_the_sum_of_elo_and_equal_a_serial_recomputation():
    tournament = factories.round_robin([factories.bot() for _ in range(21)], deals=1)
    matches = list(tournament.matches.select_related("tournament").order_by("id")[:200])
    for match in matches:
        begin(match)

    def deliver(match: Match) -> list[bool]:
        made = won_by(match.number % 2, match)
        return [results.record(match.pk, 1, made) for _ in range(2)]

    answers = in_threads(deliver, matches)
    assert answers == [[True, False]] * 200
    tournament.refresh_from_db()
    assert tournament.rated == 200
    assert sorted(Match.objects.filter(state="finished").values_list("rated_order", flat=True)) == list(range(1, 201))
    assert sum(Entry.objects.values_list("elo", flat=True)) == 21 * 1500.0
    assert ratings.recompute_ratings(tournament) == []


def test_the_cost_of_a_result_does_not_grow(django_assert_num_queries):
    tournament = factories.round_robin([factories.bot() for _ in range(5)])
    first, *others = tournament.matches.select_related("tournament").order_by("id")
    for match in others:
        begin(match)
        results.record(match.pk, 1, won_by(0, match))
    begin(first)
    made = won_by(0, first)
    with django_assert_num_queries(14):
        assert results.record(first.pk, 1, made)
    assert Seat.objects.filter(score=None).count() == 0
