"""The report of a study: what it counts, and beside whose rows the paper's numbers stand."""

import re

import pytest

from tailsafe.study import report
from tailsafe.study.comparison import Duel
from tailsafe.study.tables import Cell


def cell(method, value, paper=-0.01, tolerance=0.04, statistic="mean"):
    return Cell("ring", statistic, method, value, value, value, 5, paper, tolerance)


def all_of(method, value, **known):
    return [cell(method, value, statistic=one, **known) for one in report.STATISTICS]


def test_a_table_says_how_many_numbers_are_near_those_of_the_paper():
    aimless = [one for name in "CD" for one in all_of(name, 0.5, tolerance=None)]
    cells = [*all_of("A", 0.0), *all_of("B", 0.5), *aimless]
    html = report._gain_table(cells, "dU", "ring")
    assert "4 of 8 numbers are as near to the paper's as they should be" in html
    assert "here are 5." in html
    assert (html.count("✓"), html.count("paper −0.010 ✗")) == (4, 4)


def test_statistics_stand_in_their_columns():
    cells = [cell("A", 0.1 * i, None, None, one) for i, one in enumerate(report.STATISTICS)]
    html = report._gain_table(cells, "dU", "ring")
    assert re.findall(r"<th[^>]*>(\w+) of dU", html) == ["max", "mean", "median", "min"]
    assert re.findall(r"<td>([\d.]+) \[", html) == ["0.000", "0.100", "0.200", "0.300"]
    assert "numbers are as near" not in html


def test_what_another_profile_reaches_is_not_measured_by_the_paper():
    alone = report._alone(cell("A", 0.3))
    assert (alone.value, alone.n_logs, alone.paper, alone.inside) == (0.3, 5, None, None)


def test_duels_say_who_is_better_and_on_how_many_logs():
    found = Duel("ring", ("tailsafe", "race"), ("paper", "EvC"), 7, 0.5, 0.25, 0.75, 0.6, 0.1)
    html = report._duels_section([found])
    cells = re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", html)[7:]
    assert cells == [
        "ring",
        "tailsafe race",
        "paper EvC",
        "7",
        "0.500 [0.250, 0.750]",
        "60%",
        "10%",
    ]
    assert report._duels_section([]) == ""


@pytest.mark.parametrize(
    ("value", "text"), [(-0.0004, "0.000"), (-0.25, "−0.250"), (1.0, "1.000"), (None, "")]
)
def test_rounded_to_nothing_a_number_has_no_sign(value, text):
    assert report._number(value) == text
