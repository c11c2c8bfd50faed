"""The geometry of the drawings."""

from hypothesis import given
from hypothesis import strategies as st

from pages import charts


def test_a_scale_draws_its_ends_at_its_ends_and_what_lies_outside_there_as_well():
    scale = charts.Scale(1400, 1600)
    assert [scale.at(value) for value in (1400, 1500, 1600, 1000, 9000)] == [0, 50, 100, 0, 100]


def test_the_bars_of_a_table_share_a_scale_rounded_outwards_to_fifties():
    assert charts.rating_scale(1412.3, 1587.9) == charts.Scale(1400, 1600)
    assert charts.rating_scale(1500, 1500) == charts.Scale(1500, 1550)


def test_a_course_needs_two_values():
    assert charts.line([], start=1500) is None
    assert charts.line([1500.0], start=1500) is None


def test_a_course_begins_left_ends_right_and_higher_values_stand_higher():
    line = charts.line([1500.0, 1516.0, 1490.0], start=1500)
    assert line is not None
    points = [tuple(map(float, point.split(","))) for point in line.points.split()]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert points[1][1] < points[0][1] < points[2][1]
    assert (line.end_x, line.end_y) == (charts.number(points[-1][0]), charts.number(points[-1][1]))


def test_a_course_that_never_moves_is_drawn_all_the_same():
    line = charts.line([1500.0] * 5, start=1500)
    assert line is not None
    assert len({point.split(",")[1] for point in line.points.split()}) == 1


def test_ten_thousand_matches_make_no_longer_a_drawing_than_a_screen_can_show():
    line = charts.line([1500.0 + index % 7 for index in range(10_000)], start=1500)
    assert line is not None
    assert len(line.points.split()) <= line.width / 2


@given(st.integers(1, 3000), st.integers(2, 400))
def test_thinning_keeps_the_first_and_the_last(count, most):
    kept = list(charts.thin(count, most))
    assert len(kept) <= max(most, 1)
    assert kept[0] == 0
    assert kept[-1] == count - 1
    assert kept == sorted(set(kept))


@given(st.floats(0.001, 1e6), st.integers(1, 10))
def test_a_step_cuts_a_span_into_at_most_so_many(span, steps):
    assert span / charts.nice_step(span, steps) <= steps * (1 + 1e-6)


def test_shades_run_from_all_lost_to_all_won():
    assert [charts.heat(score) for score in (0, 0.5, 1, -3, 7)] == [0, 4, 8, 0, 8]


def test_a_coordinate_has_a_point_and_no_needless_nought():
    assert [charts.number(value) for value in (0, 12.5, 33.333333, 1e-9)] == ["0", "12.5", "33.33", "0"]


def test_the_band_of_a_course_holds_what_was_lowest_and_highest_lately():
    values = [1500.0] * 5 + [1600.0] + [1500.0] * (charts.BAND + 5)
    drawn = charts.line(values, start=1500)
    points = [tuple(map(float, point.split(","))) for point in drawn.band.split()]
    upper, lower = points[: len(values)], points[len(values) :][::-1]
    heights = [low - high for (_, high), (_, low) in zip(upper, lower, strict=True)]
    assert heights[:5] == [0.0] * 5
    assert all(height > 0 for height in heights[5 : 5 + charts.BAND])
    assert heights[5 + charts.BAND :] == [0.0] * 6
