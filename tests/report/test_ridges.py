"""Ridges: where hills, tails and marks are drawn."""

import re

import numpy as np
import pytest

from tailsafe.report.ridges import PEAK, UNITS, Ridge, common_scale, ridges
from tailsafe.report.scale import Scale


def normal(middle, sd, name="a"):
    u = np.sort(np.random.default_rng(3).normal(middle, sd, 20_000))
    marks = {"VaR": u[5000], "CVaR": u[:5000].mean(), "mean": u.mean()}
    return Ridge(name, np.quantile(u, np.linspace(0, 1, 201)).tolist(), marks)


def draw(rows, scale=None):
    return ridges(rows, "performance", "Title", "Description", scale)


def outline(drawing, kind):
    """Return the corners (x, y) of the hill or the tail of the first ridge."""
    start, top, steps = re.search(
        rf'class="{kind}" d="M(\d+) {10 * PEAK}V(\d+)l([-\d ]+)V', drawing
    ).groups()
    moves = np.array(steps.split(), dtype=int).reshape(-1, 2)
    return np.vstack([[int(start), int(top)], moves]).cumsum(axis=0)


def test_the_hill_is_highest_where_the_models_are():
    corners = np.vstack([outline(draw([normal(0.3, 0.05)], Scale(0.0, 1.0)), k) for k in
                         ("tail", "hill")])  # fmt: skip
    x, y = corners[corners[:, 1].argmin()]
    assert x / UNITS == pytest.approx(0.3, abs=0.02)
    assert y == 0


def test_the_tail_ends_at_var_where_the_hill_begins():
    row = normal(0.5, 0.1)
    drawing = draw([row], Scale(0.0, 1.0))
    edge = round(UNITS * row.marks["VaR"])
    assert outline(drawing, "tail")[-1].tolist() == outline(drawing, "hill")[0].tolist()
    assert outline(drawing, "tail")[-1][0] == edge


def test_the_tail_has_the_share_of_the_area_that_it_names():
    drawing = draw([normal(0.5, 0.1)], Scale(0.0, 1.0))
    areas = []
    for kind in ("tail", "hill"):
        x, y = outline(drawing, kind).T
        areas.append(np.trapezoid(10 * PEAK - y, x))
    assert areas[0] / sum(areas) == pytest.approx(0.25, abs=0.02)


def test_marks_stand_at_their_values():
    row = normal(2.0, 0.5)
    drawing = draw([row], Scale(0.0, 4.0))
    for kind, pattern in (("VaR", 'class="var" x1="{}"'), ("CVaR", '<svg x="{}"'),
                          ("mean", 'class="mean" cx="{}"')):  # fmt: skip
        assert pattern.format(f"{25 * row.marks[kind]:.2f}%") in drawing


def test_what_lies_off_the_axis_is_said_and_not_drawn():
    drawing = draw([normal(0.5, 0.1), normal(-9.0, 0.1, "far")], Scale(0.0, 1.0))
    assert drawing.count('class="hill"') == 1
    assert drawing.count('class="var"') == 1
    assert "◂ median off this axis: −8.9995" in drawing


def test_a_constant_is_a_spike():
    drawing = draw([Ridge("certain", [2.0] * 201, {"VaR": 2.0, "CVaR": 2.0, "mean": 2.0})])
    assert drawing.count('class="spike"') == 1
    assert 'class="hill"' not in drawing


def test_the_common_axis_shows_the_first_policy_well_whatever_the_others_do():
    first = normal(10.0, 1.0)
    alone, among = common_scale([first]), common_scale([first, normal(-5_000.0, 900.0)])
    assert alone.high - alone.low < 7.0
    assert among.high - among.low < 5 * (alone.high - alone.low)
    assert all(among.holds(v) for v in first.marks.values())


def test_a_single_extreme_model_does_not_stretch_the_axis():
    row = normal(10.0, 1.0)
    extreme = Ridge(row.name, [-500.0, *row.quantiles[1:]], row.marks)
    assert common_scale([extreme]).low > 5.0


def test_near_policies_share_the_axis_whole():
    axis = common_scale([normal(10.0, 1.0), normal(8.0, 1.0), normal(11.0, 0.5)])
    assert axis.holds(8.0 - 2.3)
    assert axis.holds(12.2)


def test_the_quantiles_travel_with_their_ridge():
    row = normal(10.0, 1.0)
    data = re.search(r'data-q="([^"]+)"', draw([row]))[1].split()
    assert len(data) == 41
    assert float(data[20]) == pytest.approx(row.quantiles[100], rel=1e-3)


def test_names_are_escaped_and_cut_in_their_middle():
    drawing = draw([Ridge("<b>" + "x" * 80 + "</b>", [1.0, 2.0])])
    assert "<b>" not in drawing
    assert "&lt;b&gt;xxxxxxxxxxxxxxxxxxxxx…" in drawing
