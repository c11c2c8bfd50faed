"""What the intervals of a table tell apart."""

from hypothesis import given
from hypothesis import strategies as st

from arena.told_apart import spans


def places(intervals):
    return [(span.best, span.worst) for span in spans(intervals)]


def test_bots_whose_intervals_do_not_meet_have_one_place_each():
    assert places([(1600, 1700), (1500, 1590), (1400, 1490)]) == [(1, 1), (2, 2), (3, 3)]


def test_bots_whose_intervals_overlap_may_change_places():
    assert places([(1600, 1700), (1450, 1560), (1440, 1550)]) == [(1, 1), (2, 3), (2, 3)]


def test_intervals_that_only_touch_are_not_told_apart():
    assert places([(1500, 1600), (1400, 1500)]) == [(1, 2), (1, 2)]


def test_a_chain_is_one_group_though_its_ends_are_told_apart():
    chain = spans([(1580, 1640), (1540, 1600), (1500, 1560)])
    assert [span.group for span in chain] == [1, 1, 1]
    assert [(span.best, span.worst) for span in chain] == [(1, 2), (1, 3), (2, 3)]


def test_a_group_begins_where_everybody_above_is_better_than_everybody_below():
    table = spans([(1600, 1700), (1610, 1650), (1400, 1500), (1450, 1480)])
    assert [span.starts_group for span in table] == [True, False, True, False]


def test_nobody_is_told_apart_in_an_empty_table():
    assert spans([]) == []


intervals = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20)).map(lambda pair: (pair[0], pair[0] + pair[1])))


@given(intervals)
def test_spans_are_what_counting_by_hand_gives(table):
    table.sort(key=lambda pair: -(pair[0] + pair[1]))
    for (low, high), span in zip(table, spans(table), strict=True):
        assert span.best == 1 + sum(other_low > high for other_low, _ in table)
        assert span.worst == len(table) - sum(other_high < low for _, other_high in table)


@given(intervals)
def test_across_the_line_of_a_group_everybody_is_told_apart(table):
    table.sort(key=lambda pair: -(pair[0] + pair[1]))
    found = spans(table)
    for index, span in enumerate(found):
        if span.starts_group and index:
            assert min(low for low, _ in table[:index]) > max(high for _, high in table[index:])
