"""The tests of the CVaR and mean race: the definition cell by cell, errors at the exact null."""

from math import floor, log

import numpy as np
import pytest

from tailsafe.kernels.eprocess import outgrows
from tailsafe.race.cells import GROUP, excluded_everywhere, smallest_above
from tailsafe.race.look import Look
from tailsafe.race.wealth import lower_bound, predictable_levels
from tailsafe.ranks import hi, lo
from tailsafe.risk import CVaR, Mean, soft_robust

MEASURES = [CVaR(0.25), CVaR(0.05), Mean(), soft_robust(0.25, 0.5)]


def look_at(X, leader=0):
    return Look(np.arange(len(X)), X, np.sort(X, axis=1), leader)


def naive_ruled_out(rules, look, i, e):
    """The definition: some bet wins in each single cell."""
    b, shape, width = look.leader, rules.shape, rules.eps / 4
    x, y, m = look.X[i], look.X[b], rules.lower(look) + e
    each = 0.15 * rules.alpha / (2 * len(rules.sizes))
    cells = [0]
    if shape.tail:
        g, h = lo(look.n, shape.level, each), hi(look.n, shape.level, each)
        first = look.S[i][g - 1] if g else rules.lowest[i]
        cells = range(floor(first / width), floor(look.S[i][h - 1] / width) + 1)
    for k in cells:
        c, top = k * width, (k // GROUP + 1) * GROUP * width
        scale = shape.tail * width + shape.spread(top, rules.lowest[b], rules.highest[i])
        pair = (e - shape.tail * width - shape.h(x, c) + shape.h(y, c)) / scale
        reach = shape.tail * top + (1 - shape.tail) * rules.highest[i] - rules.lowest[i]
        single = (m - shape.tail * (c + width) - shape.h(x, c)) / reach
        assert pair.min() >= -1.0
        won = outgrows(pair, log(1 / (0.4 * rules.alpha * rules.weights[b])))
        if m > rules.lowest[i]:
            assert single.min() >= -1.0
            won = won or outgrows(single, log(1 / (0.2 * rules.alpha)))
        if not won:
            return False
    return True


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_a_candidate_is_judged_as_the_definition_says_cell_by_cell(fields, risk):
    verdicts, hard = [], 5.0 if risk == CVaR(0.05) else 1.0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        means = np.array([0.0, -rng.uniform(0, 0.6), -rng.uniform(0, 0.1)]) * hard
        X = fields.correlated(rng, means, 1_200, 0.95)
        rules = fields.rules(risk, means, (600, 1_200), 0.1 * hard)
        look = look_at(X)
        out, near = rules.judge(look)
        for i in (1, 2):
            expected = naive_ruled_out(rules, look, i, rules.eps)
            assert near[i] == expected
            assert out[i] == (expected and naive_ruled_out(rules, look, i, 0.0))
            verdicts.append((bool(near[i]), bool(out[i])))
    assert len(set(verdicts)) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("risk", [CVaR(0.25), Mean(), soft_robust(0.25, 0.5)], ids=lambda m: m.name)
@pytest.mark.parametrize("atom", [False, True])
def test_the_best_is_ruled_out_no_more_often_than_alpha_allows(fields, risk, atom):
    trials, n, alpha = 600, 400, 0.24
    lost = 0
    for trial in range(trials):
        X = fields.correlated(np.random.default_rng([5, trial]), [0.0, 0.0], n, 0.9)
        X = np.clip(X, -8.0, 8.0)
        if atom:
            X = np.where(np.abs(X + 0.6745) < 0.2, -0.6745, X)
        rules = fields.rules(risk, [0.0, 0.0], (n,), 0.2, alpha)
        lost += bool(rules.judge(look_at(X))[0][1])
    assert lost / trials <= alpha + fields.allowance(alpha, trials)


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_the_interval_of_a_candidate_covers_its_measure_as_promised(fields, risk):
    trials, n, alpha = 120, 250, 0.1
    rng = np.random.default_rng(6)
    rules = fields.rules(risk, [0.0], (n,), 0.2, alpha)
    bounds = np.array([rules.interval(x, 0) for x in rng.normal(size=(trials, n))])
    parts = [(1.0, risk)] if not hasattr(risk, "parts") else risk.parts
    truth = sum(weight * fields.true_risk(part, 0.0) for weight, part in parts)
    covered = np.mean((bounds[:, 0] <= truth) & (truth <= bounds[:, 1]))
    assert covered >= 1 - alpha - fields.allowance(alpha, trials)
    assert (bounds[:, 1] - bounds[:, 0]).mean() < 8.0


@pytest.mark.parametrize("risk", [CVaR(0.25), Mean(), soft_robust(0.25, 0.5)], ids=lambda m: m.name)
def test_an_upper_bound_is_nearly_the_least_that_the_single_cells_allow(fields, risk):
    for seed in range(4):
        x = np.random.default_rng(seed).normal(size=300)
        rules = fields.rules(risk, [0.0], (300,), 0.1, 0.1)
        cells, _ = rules._cells(np.sort(x), 0, 0.025)
        lower, upper = rules.interval(x, 0)

        def excluded(m, x=x, rules=rules, cells=cells):
            test = rules._upper_test(x, 0, m, 0.025)
            return all(test(k, k) for k in range(cells[0], cells[1] + 1))

        assert excluded(upper)
        assert not excluded(upper - 0.1)
        assert lower < risk.value(np.sort(x)) < upper


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_who_was_left_behind_is_below_a_value_if_each_cell_says_so(fields, risk):
    rng, seen = np.random.default_rng(9), set()
    for value in np.linspace(-3.0, 3.0, 25):
        x = rng.normal(size=400)
        rules = fields.rules(risk, [0.0, 0.0], (400, 800), 0.2, 0.1)
        cells, _ = rules._cells(np.sort(x), 0, 0.015)
        test = rules._upper_test(x, 0, value, 0.02)
        expected = all(test(k, k) for k in range(cells[0], cells[1] + 1))
        assert rules.below(x, 0, value) == expected
        seen.add(expected)
    assert seen == {True, False}
    assert rules.below(x, 0, 8.1)


def test_an_upper_bound_allows_for_all_of_the_cell_that_the_quantile_lies_in(fields):
    rules = fields.rules(CVaR(0.25), [0.0], (3_000,), 4.0, 0.1)
    for value, edge in ((0.9, 1.0), (-0.1, 0.0)):
        lower, upper = rules.interval(np.full(3_000, value), 0)
        assert lower <= value < edge < upper


def test_equal_performances_are_parked_however_wide_their_law(fields):
    x = np.random.default_rng(7).normal(size=20_000)
    rules = fields.rules(CVaR(0.25), [0.0, 0.0], (20_000,), 0.1)
    out, near = rules.judge(look_at(np.stack([x, x])))
    assert near.tolist() == [False, True]
    assert not out.any()


def test_regret_is_the_largest_advantage_that_is_not_refuted(fields):
    means = np.array([0.0, 0.3, -0.5])
    X = fields.correlated(np.random.default_rng(8), means, 2_000, 0.9)
    rules = fields.rules(CVaR(0.25), means, (2_000,), 0.1)
    regret = rules.regret(look_at(X), np.array([False, True, True]))
    assert 0.3 < regret < 0.8
    assert rules._ruled_out(look_at(X), 1, regret, rules.lower(look_at(X)))
    assert not rules._ruled_out(look_at(X), 1, regret - 0.05, rules.lower(look_at(X)))


def test_every_cell_is_asked_for_somehow():
    for hole in (-300, -1, 0, 255, 256, 511, 700):

        def excluded(first, last, hole=hole):
            assert first // GROUP == last // GROUP
            return not first <= hole <= last

        inside = -300 <= hole <= 700
        assert excluded_everywhere(excluded, (-300, 700), 3) != inside
        assert excluded_everywhere(excluded, (701, 2_000), 800)


def test_a_lattice_too_long_to_be_searched_is_not_excluded():
    assert not excluded_everywhere(lambda *_: True, (0, 10**9), 5)


def test_bisection_ends_at_a_value_that_holds():
    found = smallest_above(lambda v: v >= 0.3, 0.0, 1.0, 1e-6)
    assert 0.3 <= found <= 0.3 + 1e-6
    assert smallest_above(lambda _: False, 0.0, 1.0, 1e-6) == 1.0


@pytest.mark.parametrize("risk", MEASURES, ids=lambda m: m.name)
def test_the_leader_s_bound_spends_the_leader_s_share_of_alpha(fields, risk):
    sizes = (64, 96, 400)
    X = fields.correlated(np.random.default_rng(10), [0.0, 0.0, 0.0], 400, 0.5)
    rules = fields.rules(risk, np.zeros(3), sizes, favourite=0)
    for leader, weight in ((0, 0.5), (2, 0.25)):
        levels = predictable_levels(X[leader], rules.shape.level, rules.guesses[leader], sizes)
        share, ends = 0.25 * rules.alpha * weight, (-8.0, 8.0)
        expected = lower_bound(X[leader], rules.shape, levels, ends, share, rules.eps / 128)
        assert rules.lower(look_at(X, leader)) == expected


@pytest.mark.parametrize("level", [0.05, 0.25])
def test_the_cells_of_a_quantile_are_those_between_its_ranks_at_all_looks_together(fields, level):
    x = np.sort(np.random.default_rng(11).normal(size=2_000))
    sizes = tuple(range(100, 2_001, 100))
    rules = fields.rules(CVaR(level), [0.0], sizes, 0.02)
    (first, last), likely = rules._cells(x, 0, 0.1)
    g, h = lo(2_000, level, 0.1 / 40), hi(2_000, level, 0.1 / 40)
    expected = [floor(x[rank - 1] / 0.005) for rank in (g, h, round(2_000 * level))]
    assert [first, last, likely] == expected
    few = x[:1]
    assert rules._cells(few, 0, 0.1)[0] == (floor(-8.0 / 0.005), floor(8.0 / 0.005))
