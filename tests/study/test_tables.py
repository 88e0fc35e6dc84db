"""Tables and figures from rows: statistics, intervals, marks, selection rates, comparisons."""

from xml.etree import ElementTree

import numpy as np
import pytest

from tailsafe.study.comparison import duel, summaries
from tailsafe.study.figures import (
    in_table_order,
    plot_gains,
    plot_selection_rates,
    svg_gains,
    svg_selection_rates,
)
from tailsafe.study.paper_numbers import COLUMNS, DELTA_U, SELECTION_RATES, delta_u, tolerance
from tailsafe.study.rows import Row
from tailsafe.study.tables import gain_cells, origin_of, selection_rates, split_rates


def row(**known):
    """Return a row with the given cells; the others say nothing."""
    blank = {
        **{"study": "t", "domain": "ring", "profile": "published", "size": 8, "trial": 0},
        **{"method": "BCR", "seed": 1, "u_trivial": 1.0, "u_star": 2.0, "role": "baseline"},
        **{"status": "ok", "u": 1.0, "u_exact": 1.0, "gain": 0.0, "regret": 0.0, "policy": 0},
        **{"chosen": "", "stochastic": 0, "estimate": None, "bound": None, "confidence": None},
        **{"covered": None, "n_candidates": 0, "n_models": 0, "evaluations": 0},
        **{"tailsafe": "0", "numpy": "2", "python": "3", "seconds": 0.0},
    }
    return Row(**{**blank, **known})


def cells_of(gains, **known):
    rows = [row(trial=i, gain=float(g), **known) for i, g in enumerate(gains)]
    return {(c.domain, c.statistic): c for c in gain_cells(rows)}


def test_the_four_statistics_are_those_of_all_logs():
    cells = cells_of([0.1, -0.4, 0.3, 0.0])
    values = {statistic: cell.value for (_, statistic), cell in cells.items()}
    assert values == pytest.approx({"max": 0.3, "mean": 0.0, "median": 0.05, "min": -0.4})
    assert all(cell.n_logs == 4 for cell in cells.values())


def test_the_interval_of_the_mean_is_as_wide_as_it_should_be():
    gains = np.random.default_rng(0).normal(size=400)
    cell = cells_of(gains)["ring", "mean"]
    assert cell.high - cell.low == pytest.approx(2 * 1.96 * gains.std() / 20, rel=0.15)
    assert cell.low < gains.mean() < cell.high


def test_the_interval_of_the_mean_covers_the_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(150):
        cell = cells_of(rng.gamma(2.0, size=60))["ring", "mean"]
        covered += cell.low <= 2.0 <= cell.high
    assert 0.95 - 3 * np.sqrt(0.95 * 0.05 / 150) <= covered / 150


@pytest.mark.parametrize(("value", "inside"), [(-0.01, True), (0.034, True), (0.04, False)])
def test_a_cell_is_marked_by_its_distance_from_the_printed_one(value, inside):
    cell = cells_of([value])["ring", "mean"]
    assert (cell.paper, cell.tolerance) == (-0.01, 0.04)
    assert cell.inside is inside


def test_another_metric_has_no_number_of_the_paper_beside_it():
    rows = [row(trial=i, gain=0.0, regret=0.1 * i) for i in range(3)]
    means = [cell for cell in gain_cells(rows, metric="regret") if cell.statistic == "mean"]
    assert [(cell.value, cell.paper) for cell in means] == [(pytest.approx(0.1), None)]


def test_domains_as_the_text_has_them_stand_beside_the_same_numbers():
    rows = [row(domain=f"lake {i} (text)", gain=0.01 * i, method="SPIBB") for i in (1, 2)]
    cells = {(c.domain, c.statistic): c for c in gain_cells(rows)}
    assert cells["lake (text)", "mean"].paper == pytest.approx(0.025)
    assert cells["lake 2 (text)", "mean"].paper == 0.02
    assert cells["lake (text)", "mean"].value == pytest.approx(0.015)


def test_what_the_paper_does_not_print_has_no_mark():
    cell = cells_of([0.5], method="NORBU VaR")["ring", "mean"]
    assert (cell.paper, cell.inside) == (None, None)


def test_lakes_are_also_taken_together_and_compared_with_the_mean_of_the_paper():
    rows = [row(domain=f"lake {i}", gain=0.01 * i, method="SPIBB") for i in range(1, 5)]
    cells = {(c.domain, c.statistic): c for c in gain_cells(rows)}
    assert cells["lake", "mean"].value == pytest.approx(0.025)
    assert cells["lake", "mean"].paper == pytest.approx((0.05 + 0.02 + 0.01 + 0.02) / 4)
    assert cells["lake 2", "mean"].paper == 0.02
    assert cells["lake", "mean"].inside
    assert cells["lake 2", "mean"].inside is None


def test_of_all_lakes_together_only_the_mean_has_a_number_of_the_paper_beside_it():
    # The largest of all logs is not the mean of the four largest that the paper prints.
    cells = cells_of([0.3, 0.1], domain="lake 1", method="SPIBB")
    assert cells["lake", "mean"].paper is not None
    assert {cells["lake", one].paper for one in ("max", "median", "min")} == {None}
    assert cells["lake 1", "max"].paper == 0.32


def test_each_statistic_has_its_own_tolerance():
    cells = cells_of([0.0, 0.1])
    found = {statistic: cell.tolerance for (_, statistic), cell in cells.items()}
    assert found == {"mean": 0.04, "median": 0.05, "min": 0.12, "max": 0.15}


def test_what_selectors_chose_has_its_cells_and_what_was_refused_has_none():
    rows = [
        row(method="EvC VaR(0.25)", role="selector", gain=0.2),
        row(method="IS", role="selector", status="refused: no", gain=None, policy=-1),
        row(method="trivial", role="reference", gain=0.0),
    ]
    assert {cell.method for cell in gain_cells(rows)} == {"EvC VaR(0.25)"}


def test_each_size_has_its_own_selection_rates():
    picks = [(8, "Nominal"), (24, "BCR(0.75)"), (24, "BCR(0.75)")]
    rows = [
        row(method="EvC VaR(0.25)", role="selector", size=size, trial=i, chosen=origin)
        for i, (size, origin) in enumerate(picks)
    ]
    small, large = selection_rates(rows)
    assert (small.size, small.n_logs, small.ours[0]) == (8, 1, 100.0)
    assert (large.size, large.n_logs, large.ours[1]) == (24, 2, 100.0)


def test_every_printed_cell_has_a_place_and_targets_are_those_of_the_method():
    assert all(len(numbers) == len(COLUMNS) for numbers in DELTA_U.values())
    assert all(abs(sum(shares) - 100.0) < 0.31 for shares in SELECTION_RATES.values())
    assert tolerance("ring", "median", "UnO VaR(0.25)") == 0.12
    assert tolerance("chain", "median", "UnO VaR(0.25)") is None
    assert tolerance("chain", "min", "SPIBB") == 0.06
    assert tolerance("lake", "mean", "BCR") == 0.06
    assert tolerance("lake 1", "mean", "BCR") is None
    assert delta_u("ring", "max", "NORBU") == 0.84


@pytest.mark.parametrize(
    ("name", "column"),
    [
        *(("Nominal", "Trivial"), ("Nominal(discount 0.9)", "Trivial")),
        *(("Nominal(discount 0.2)", "Gamma"), ("SampledModel(0, discount 0.9)", "Gamma")),
        *(("BCR(0.75)", "BCR"), ("NORBU VaR", "NORBU"), ("SPIBB(1)", "SPIBB")),
        *(("BOPAH(20)", "BOPAH"), ("PosteriorMean", None)),
    ],
)
def test_methods_belong_to_columns_of_the_figures(name, column):
    assert origin_of(name) == column


def test_a_choice_counts_once_for_each_method_that_proposed_it():
    chosen = ["Nominal + BCR(0.75) + SampledModel(0, discount 0.2) + SampledModel(1)", "BCR(0.75)"]
    rows = [
        row(method="EvC VaR(0.25)", role="selector", trial=i, chosen=names)
        for i, names in enumerate(chosen)
    ]
    (rates,) = selection_rates(rows)
    assert rates.ours == pytest.approx((25.0, 50.0, 0.0, 0.0, 0.0, 25.0))
    assert (rates.domain, rates.risk, rates.size, rates.n_logs) == ("ring", "VaR", 8, 2)
    assert rates.paper == SELECTION_RATES["ring", "VaR", 8]
    assert rates.inside is False
    (split,) = split_rates(rows)
    assert split.ours == pytest.approx((50 / 3, 50 + 50 / 3, 0.0, 0.0, 0.0, 50 / 3))
    assert split.paper is None


def test_summaries_keep_coverage_and_what_was_promised_apart():
    known = {"method": "race VaR(0.25)", "role": "selector", "confidence": 0.75}
    logs = [(0.2, 1, "ok"), (0.0, 1, "selected"), (-0.1, 0, "ok"), (0.1, 1, "budget")]
    rows = [
        row(trial=i, gain=g, covered=c, regret=0.1, evaluations=100, status=status, **known)
        for i, (g, c, status) in enumerate(logs)
    ]
    (summary,) = summaries(rows)
    assert summary.covered == 0.75
    assert summary.promised == 0.75
    assert summary.decided == 0.75
    assert (summary.gain_mean, summary.gain_min) == pytest.approx((0.05, -0.1))
    assert summary.regret == pytest.approx(0.1)
    assert summary.evaluations == 100.0


def test_logs_without_a_bound_count_neither_for_nor_against_it():
    known = {"method": "race VaR(0.25)", "role": "selector"}
    rows = [row(trial=i, covered=c, **known) for i, c in enumerate((1, 0, None, None))]
    assert summaries(rows)[0].covered == 0.5
    (other,) = summaries([row(method="IS", role="selector", regret=None)])
    assert (other.covered, other.promised, other.regret) == (None, None, None)


def test_logs_of_another_size_are_other_logs():
    ours, theirs = ("tailsafe", "race VaR(0.25)"), ("paper", "EvC VaR(0.25)")
    rows = [
        row(profile=profile, method=method, size=size, gain=gain)
        for (profile, method), size, gain in (
            *((ours, 8, 0.3), (theirs, 8, 0.1)),
            *((ours, 16, 0.0), (theirs, 16, 0.1)),
        )
    ]
    (found,) = duel(rows, ours, theirs)
    assert (found.n_logs, found.better, found.worse) == (2, 0.5, 0.5)
    assert found.difference == pytest.approx(0.05)


def test_duels_are_fought_on_the_logs_that_both_have():
    ours, theirs = ("tailsafe", "race VaR(0.25)"), ("paper", "EvC VaR(0.25)")
    rows = []
    for trial, (a, b) in enumerate([(0.4, 0.1), (0.1, 0.1), (0.3, 0.2), (0.0, 0.1), (9, None)]):
        for (profile, method), gain in ((ours, a), (theirs, b)):
            if gain is not None:
                rows.append(row(profile=profile, method=method, trial=trial, gain=gain))
    (found,) = duel(rows, ours, theirs)
    assert found.n_logs == 4
    assert found.difference == pytest.approx(0.3 / 4)
    assert (found.better, found.worse) == (0.5, 0.25)
    assert found.low <= found.difference <= found.high


@pytest.fixture
def figures():
    rows = [row(trial=i, gain=0.1 * i, method=m) for i in range(4) for m in ("BCR", "SPIBB", "X")]
    choices = [
        row(method="EvC CVaR(0.25)", role="selector", size=n, chosen="Nominal") for n in (8, 16)
    ]
    return in_table_order(gain_cells(rows)), selection_rates(choices)


def test_figures_are_whole_svg_and_show_the_paper_beside_ours(figures):
    cells, rates = figures
    for drawing in (svg_gains(cells, "gains <1>"), svg_selection_rates(rates, "rates")):
        assert ElementTree.fromstring(drawing).tag.endswith("svg")
    bars = svg_selection_rates(rates, "rates")
    assert "CVaR, N = 8 (here)" in bars
    assert "CVaR, N = 8 (paper)" in bars
    assert "CVaR, N = 16 (paper)" not in bars


def test_bars_show_ours_first_and_the_papers_below(monkeypatch):
    (rates,) = selection_rates([row(method="EvC VaR(0.25)", role="selector", chosen="BCR(1)")])
    drawn = {}

    def stacked_bars(labels, series, *_):
        drawn.update(labels=labels, series=series)
        return ""

    monkeypatch.setattr("tailsafe.study.figures.stacked_bars", stacked_bars)
    svg_selection_rates([rates], "rates")
    assert drawn["labels"] == ["VaR, N = 8 (here)", "VaR, N = 8 (paper)"]
    assert drawn["series"]["BCR"] == pytest.approx([1.0, 0.232])
    assert drawn["series"]["Gamma"] == pytest.approx([0.0, 0.334])


def test_dots_are_means_between_the_ends_of_their_intervals(monkeypatch):
    drawn = []
    monkeypatch.setattr("tailsafe.study.figures.dots", lambda rows, *_: drawn.extend(rows) or "")
    cells = [cells_of([0.0, 0.1, 0.6])["ring", one] for one in ("mean", "max")]
    svg_gains(cells, "gains")
    (dot,) = drawn
    assert (dot.value, dot.low, dot.high) == (cells[0].value, cells[0].low, cells[0].high)
    assert dot.low < dot.value < dot.high


def test_bars_of_errors_reach_from_the_lower_to_the_upper_end():
    pytest.importorskip("matplotlib")
    cell = cells_of([0.0, 0.0, 0.0, 0.9])["ring", "mean"]
    (segments,) = plot_gains([cell], "g").axes[0].containers[0].lines[2]
    (ends,) = segments.get_segments()
    assert sorted(ends[:, 0]) == pytest.approx([cell.low, cell.high])


def test_figures_can_be_drawn_with_matplotlib(figures, tmp_path):
    pytest.importorskip("matplotlib")
    cells, rates = figures
    for k, figure in enumerate((plot_gains(cells, "gains"), plot_selection_rates(rates, "rates"))):
        figure.savefig(tmp_path / f"{k}.png")
        assert (tmp_path / f"{k}.png").stat().st_size > 1_000
    names = [text.get_text() for text in plot_gains(cells, "g").axes[0].get_yticklabels()]
    assert names == ["SPIBB", "BCR", "X"]
