"""Curves: names that do not overlap, gaps that stay gaps."""

import numpy as np
import pytest

from tailsafe.report.lines import Series, lines, spread


def test_a_missing_value_breaks_the_curve_in_two():
    drawing = lines([Series("a", [1, 2, 3, 4], [1.0, float("nan"), 2.0, 3.0])], "x", "y", "T", "D")
    assert drawing.count('class="line"') == 2
    assert drawing.count("<circle") == 3
    assert "nan" not in drawing


def test_a_band_goes_forth_along_its_low_and_back_along_its_high_side(read):
    series = Series("a", [0, 1], [1.0, 1.0], low=[0.0, 0.0], high=[2.0, 2.0])
    path = read(lines([series], "x", "y", "T", "D")).all("path", class_="band")[0]["d"]
    corners = np.array([c.split() for c in path.strip("Mz").split("L")], dtype=float)
    assert corners[:, 0].tolist() == [*corners[:2, 0], *corners[1::-1, 0]]
    assert corners[0, 1] == corners[1, 1] > corners[2, 1] == corners[3, 1]


@pytest.mark.parametrize("wanted", [[10, 10, 10], [331, 330, 332], [300, 20, 21, 22]])
def test_names_keep_their_distance_and_stay_inside(wanted):
    places = spread(wanted, 15.0, 10.0, 332.0)
    assert np.diff(np.sort(places)).min() >= 15.0 - 1e-9
    assert max(places) <= 332.0


def test_names_that_have_room_stay_where_they_are():
    assert spread([100.0, 50.0], 15.0, 0.0, 332.0) == [100.0, 50.0]


def test_more_names_than_fit_come_closer_together():
    assert np.diff(spread([100.0] * 30, 15.0, 0.0, 290.0)) == pytest.approx(10.0)


def test_names_are_escaped(read):
    page = read(lines([Series("<i>", [1], [1.0])], "<x>", "<y>", "<T>", "<D>"))
    assert not page.all("i")
    assert page.all("title")[0].text == "<T>"
