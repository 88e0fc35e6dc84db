"""Divergences against duals, closed forms and optimality conditions, all rows at once."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from tailsafe.solvers.divergences import worst_chi2, worst_kl
from tailsafe.solvers.natures import lowest
from tailsafe.table import Table

TABLE = Table.from_rows(
    4, 2, [[0, 1, 2, 3], [1], [], [0, 2], [1, 2, 3], [0, 1, 2, 3], [2, 3], [0, 1]]
)


def instance(seed):
    rng = np.random.default_rng(seed)
    rows = [rng.dirichlet(np.ones(n)) if n else np.empty(0) for n in TABLE.lengths]
    center = np.concatenate(rows)
    z = np.round(rng.normal(size=TABLE.n_entries), int(rng.integers(0, 3)))  # some ties
    budget = rng.uniform(0.0, 1.5, TABLE.n_rows)
    return center, budget, z


def by_row(*arrays):
    for row in range(TABLE.n_rows):
        entries = slice(TABLE.indptr[row], TABLE.indptr[row + 1])
        if TABLE.lengths[row]:
            yield row, *(array[entries] for array in arrays)


@pytest.mark.parametrize("seed", range(5))
def test_kl_attains_the_dual_of_nilim_and_el_ghaoui(seed):
    center, budget, z = instance(seed)
    p = worst_kl(TABLE, center, budget, z)
    for row, q, c, y in by_row(p, center, z):
        least = y.min()

        def dual(log_l, c=c, y=y, b=budget[row], least=least):
            price = np.exp(log_l)
            return -(least - price * np.log(c @ np.exp(-(y - least) / price)) - price * b)

        best = minimize_scalar(dual, bounds=(-20, 20), method="bounded", options={"xatol": 1e-10})
        assert q @ y == pytest.approx(max(-best.fun, least), abs=1e-6)
        assert (q[q > 0] * np.log(q[q > 0] / c[q > 0])).sum() <= budget[row] + 1e-9


def test_chi2_is_mean_minus_deviations_while_nothing_becomes_impossible():
    center, _, z = instance(7)
    budget = np.full(TABLE.n_rows, 1e-3)
    p = worst_chi2(TABLE, center, budget, z)
    for row, q, c, y in by_row(p, center, z):
        sd = np.sqrt(c @ (y - c @ y) ** 2)
        assert q @ y == pytest.approx(c @ y - np.sqrt(budget[row]) * sd, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_chi2_meets_its_optimality_conditions(seed):
    center, budget, z = instance(seed)
    p = worst_chi2(TABLE, center, budget / 5, z)
    for row, q, c, y in by_row(p, center, z):
        spent = ((q - c) ** 2 / c).sum()
        assert spent <= budget[row] / 5 + 1e-9
        if q @ y > y.min() + 1e-9:
            # p = c (nu - y)^+ / l: linear in y where positive, and the whole budget is spent.
            assert spent == pytest.approx(budget[row] / 5, abs=1e-9)
            ratio, kept = q / c, q > 0
            if len(np.unique(y[kept])) > 1:
                slope, _ = np.polyfit(y[kept], ratio[kept], 1)
                nu = (y[kept] - ratio[kept] / slope).mean()
                assert slope < 0
                assert np.allclose(ratio[kept], slope * (y[kept] - nu), atol=1e-7)
                assert (y[~kept] >= nu - 1e-9).all()


@pytest.mark.parametrize("nature", [worst_kl, worst_chi2])
@given(seed=st.integers(0, 10_000))
def test_the_answer_is_a_distribution_no_better_than_the_center(nature, seed):
    center, budget, z = instance(seed)
    p = nature(TABLE, center, budget, z)
    assert (p >= -1e-15).all()
    sums = TABLE.sum_rows(p).ravel()
    assert np.allclose(sums[TABLE.lengths > 0], 1.0, rtol=0, atol=1e-12)
    assert (TABLE.sum_rows(p * z) <= TABLE.sum_rows(center * z) + 1e-12).all()


@pytest.mark.parametrize("kind", [worst_kl, worst_chi2])
def test_a_budget_of_zero_changes_nothing_and_an_infinite_one_takes_the_worst(kind):
    center, _, _ = instance(3)
    z = np.random.default_rng(0).normal(size=len(center))
    nature = partial(kind, TABLE, center)
    assert np.array_equal(nature(np.zeros(TABLE.n_rows), z), center)
    p = nature(np.full(TABLE.n_rows, np.inf), z)
    assert np.allclose(TABLE.sum_rows(p * z).ravel(), lowest(TABLE, z), rtol=0, atol=1e-9)


def test_an_outcome_of_probability_0_stays_impossible_and_an_empty_row_empty():
    table = Table.from_rows(2, 1, [[0, 1], []])
    for nature in (worst_kl, worst_chi2):
        p = nature(table, np.array([1.0, 0.0]), np.array([np.inf, 1.0]), np.array([1.0, -1.0]))
        assert p.tolist() == [1.0, 0.0]
