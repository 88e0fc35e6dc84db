"""Bars and dots."""

import re

import pytest

from tailsafe.report.bars import Dot, dots, stacked_bars
from tailsafe.report.drawing import WIDTH


def boxes(drawing):
    found = re.findall(r'<rect x="([\d.]+)" y="(\d+)" width="([\d.]+)" height="22"', drawing)
    return [tuple(map(float, box)) for box in found]


def test_bars_are_as_long_as_their_values_and_stand_end_to_end():
    found = boxes(stacked_bars(["a", "b"], {"u": [1.0, 2.0], "v": [3.0, 6.0]}, "T", "D"))
    assert len(found) == 4
    (x0, _, w0), (x1, _, w1), (x2, _, w2), (x3, _, w3) = found
    assert w1 + 1 == pytest.approx(3 * (w0 + 1), abs=0.3)
    assert w2 + 1 == pytest.approx(2 * (w0 + 1), abs=0.3)
    assert x1 == pytest.approx(x0 + w0 + 1, abs=0.2)
    assert x2 == x0
    # The longest one spans the width.
    assert x3 + w3 + 1 == pytest.approx(WIDTH - 8, abs=0.3)


def test_shares_are_printed_in_per_cent_and_nothing_is_drawn_for_none():
    drawing = stacked_bars(["a"], {"u": [0.25], "v": [0.0], "w": [0.75]}, "T", "D")
    assert len(boxes(drawing)) == 2
    assert ">25%<" in drawing
    assert "a, w: 75%" in drawing


def test_a_ninth_colour_is_told_from_the_first():
    drawing = stacked_bars(["a"], {f"s{k}": [1.0] for k in range(9)}, "T", "D")
    assert drawing.count("fill-opacity:.35") == 2


def test_dots_stand_between_the_ends_of_their_intervals():
    drawing = dots([Dot("a", 2.0, 1.0, 4.0), Dot("b", 3.0, None, 3.5)], "x", "T", "D")
    ends = [
        list(map(float, p))
        for p in re.findall(r'class="axis" d="M([\d.]+) [\d.]+H([\d.]+)', drawing)
    ]
    at = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', drawing)]
    (low, high), (open_low, _) = ends
    assert (at[0] - low) / (high - low) == pytest.approx(1 / 3, abs=0.01)
    assert open_low < low


@pytest.mark.parametrize("draw", [lambda: stacked_bars([], {}, "T", "D"),
                                  lambda: dots([], "x", "T", "D")])  # fmt: skip
def test_nothing_to_draw_is_still_a_drawing(draw, read):
    assert read(draw()).all("svg")[0]["role"] == "img"
