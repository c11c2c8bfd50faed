"""The table and the crosstable: one source of numbers, a fixed number of queries."""

import pytest

from tests.web import factories
from tests.web.tournaments.made import begin, result, won_by
from tournaments import crosstable, lifecycle, ratings, results, standings
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    tournament = factories.round_robin([factories.bot() for _ in range(5)])
    factories.play(tournament)
    ratings.refresh_table(tournament)
    tournament.refresh_from_db()
    return tournament


def test_the_table_is_one_query_however_many_play(django_assert_num_queries):
    for count in (2, 12):
        tournament = factories.round_robin([factories.bot() for _ in range(count)])
        with django_assert_num_queries(1):
            assert len(standings.table(tournament)) == count


def test_the_best_stands_first_and_the_numbers_add_up(played):
    table = standings.table(played)
    assert [line.place for line in table] == [1, 2, 3, 4, 5]
    assert [line.rating for line in table] == sorted((line.rating for line in table), reverse=True)
    assert {line.games for line in table} == {16}
    for line in table:
        assert line.won + line.drawn + line.lost == line.games
        assert sum(line.lost_by.values()) == line.lost
        assert 0 <= line.score <= 1
    assert sum(line.score for line in table) == pytest.approx(2.5)


def test_before_the_first_match_all_share_a_place():
    tournament = factories.round_robin([factories.bot() for _ in range(3)])
    assert [(line.place, line.score, line.rating) for line in standings.table(tournament)] == [(1, None, None)] * 3


def test_who_no_longer_plays_stands_below_without_a_place(played):
    best = standings.table(played)[0]
    lifecycle.disqualify(Entry.objects.get(pk=best.entry_id), "two accounts")
    table = standings.table(played)
    assert (table[-1].entry_id, table[-1].place, table[-1].reason) == (best.entry_id, None, "two accounts")
    assert [line.place for line in table[:-1]] == [1, 2, 3, 4]


def test_the_ladder_shows_who_plays_now():
    ladder = factories.ladder([factories.bot() for _ in range(3)])
    first = Entry.objects.earliest("id")
    lifecycle.join_ladder(ladder, factories.version(first.bot))
    table = standings.table(ladder)
    assert len(table) == 3
    assert first.pk not in {line.entry_id for line in table}
    assert standings.standing_of(first).place is None


def test_progress_counts_every_match_once(played, django_assert_num_queries):
    other = factories.round_robin([factories.bot() for _ in range(4)])
    first, second, third, *_ = other.matches.order_by("id")
    begin(first)
    factories.move_to(second, "parked")
    factories.move_to(third, "cancelled")
    with django_assert_num_queries(1):
        progress = standings.progress(other)
    assert progress == standings.Progress(queued=3, running=1, finished=0, parked=1, cancelled=1)
    assert (progress.total, progress.share) == (5, 0.0)
    assert standings.progress(played).share == 1.0


def test_the_crosstable_agrees_with_the_table(played, django_assert_num_queries):
    with django_assert_num_queries(1):
        cells = crosstable.crosstable(played)
    assert len(cells) == 5 * 4
    for line in standings.table(played):
        mine = [cell for (entry, _), cell in cells.items() if entry == line.entry_id]
        assert sum(cell.games for cell in mine) == line.games
        assert sum(cell.score for cell in mine) / 4 == pytest.approx(line.score)
        assert {(cell.matches, cell.deals, cell.games) for cell in mine} == {(1, 2, 4)}
    for (entry, other), cell in cells.items():
        assert cell.points + cells[other, entry].points == 2 * cell.games


def test_one_entrys_opponents_are_its_line_of_the_crosstable(played, django_assert_max_num_queries):
    cells = crosstable.crosstable(played)
    entry = Entry.objects.filter(tournament=played).earliest("id")
    with django_assert_max_num_queries(2):
        mine = crosstable.opponents(entry)
    assert {(entry.pk, cell.opponent_id): cell for cell in mine} == {
        key: cell for key, cell in cells.items() if key[0] == entry.pk
    }


def test_the_crosstable_of_larger_tables_counts_each_pair():
    tournament = factories.round_robin([factories.bot() for _ in range(4)], players=3, deals=1)
    for match in tournament.matches.select_related("tournament"):
        begin(match)
        results.record(match.pk, 1, result(3, 1, [0, 1, 2]))
    cells = crosstable.crosstable(tournament)
    assert len(cells) == 12
    assert {cell.matches for cell in cells.values()} == {2}
    assert sum(cell.points for cell in cells.values()) == 4 * 3 * 6


def test_only_finished_matches_count():
    tournament = factories.round_robin([factories.bot(), factories.bot()])
    match = tournament.matches.get()
    begin(match)
    assert crosstable.crosstable(tournament) == {}
    results.record(match.pk, 1, won_by(0, match))
    assert len(crosstable.crosstable(tournament)) == 2
