"""Natures against linear programs, on ragged rows, all rows at once."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from tailsafe.solvers import natures
from tailsafe.table import Table

TABLE = Table.from_rows(
    4, 2, [[0, 1, 2, 3], [1], [], [0, 2], [1, 2, 3], [0, 1, 2, 3], [2, 3], [0, 1]]
)


def instance(seed):
    rng = np.random.default_rng(seed)
    rows = [rng.dirichlet(np.ones(n)) if n else np.empty(0) for n in TABLE.lengths]
    center = np.concatenate(rows)
    z = np.round(rng.normal(size=TABLE.n_entries), int(rng.integers(0, 3)))  # some ties
    weight = rng.uniform(0.1, 2.0, TABLE.n_entries)
    budget = rng.uniform(0.0, 1.5, TABLE.n_rows)
    return center, weight, budget, z


def by_row(*arrays):
    for row in range(TABLE.n_rows):
        entries = slice(TABLE.indptr[row], TABLE.indptr[row + 1])
        if TABLE.lengths[row]:
            yield row, *(array[entries] for array in arrays)


def cheapest(z, center, weight, budget, box):
    """Return the linear program's minimum: p, and d >= |p - center|."""
    n, eye = len(z), np.eye(len(z))
    A = np.vstack([np.hstack([eye, -eye]), np.hstack([-eye, -eye])])
    b = np.concatenate([center, -center])
    if not box:
        A, b = np.vstack([A, np.concatenate([np.zeros(n), weight])]), np.append(b, budget)
    bounds = [(0, 1)] * n + [(0, budget if box else None)] * n
    A_eq = np.concatenate([np.ones(n), np.zeros(n)])[None]
    return linprog(np.concatenate([z, np.zeros(n)]), A, b, A_eq, [1.0], bounds).fun


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["l1", "weighted", "linf"])
def test_the_worst_case_costs_what_the_linear_program_says(seed, kind):
    center, weight, budget, z = instance(seed)
    if kind == "l1":
        p, weight = natures.worst_l1(TABLE, center, budget, z), np.ones_like(z)
    elif kind == "linf":
        p = natures.worst_linf(TABLE, center, budget, z)
    else:
        p = natures.worst_weighted_l1(TABLE, center, weight, budget, z)
    for row, q, c, w, y in by_row(p, center, weight, z):
        assert q @ y == pytest.approx(cheapest(y, c, w, budget[row], kind == "linf"), abs=1e-9)
        distance = np.abs(q - c).max() if kind == "linf" else w @ np.abs(q - c)
        assert distance <= budget[row] + 1e-12


def test_rows_of_one_length_are_sorted_as_ragged_ones_are():
    z = np.round(np.random.default_rng(0).normal(size=48), 1)
    for table in (Table.full(4, 3), TABLE):
        order = natures.by_value(table, z[: table.n_entries])
        expected = np.lexsort((z[: table.n_entries], table.row_of_entry))
        assert np.array_equal(order, expected)


DISTANCES = {
    "l1": natures.worst_l1,
    "linf": natures.worst_linf,
    "weighted": lambda table, center, budget, z: natures.worst_weighted_l1(
        table, center, np.linspace(0.5, 1.5, len(z)), budget, z
    ),
}


@pytest.mark.parametrize("name", DISTANCES)
@given(seed=st.integers(0, 10_000))
def test_the_answer_is_a_distribution_no_better_than_the_center(name, seed):
    center, _, budget, z = instance(seed)
    p = DISTANCES[name](TABLE, center, budget, z)
    assert (p >= -1e-15).all()
    sums = TABLE.sum_rows(p).ravel()
    assert np.allclose(sums[TABLE.lengths > 0], 1.0, rtol=0, atol=1e-12)
    assert (TABLE.sum_rows(p * z) <= TABLE.sum_rows(center * z) + 1e-12).all()


@pytest.mark.parametrize("name", DISTANCES)
def test_a_budget_of_zero_changes_nothing_and_an_infinite_one_takes_the_worst(name):
    center, _, _, z = instance(3)
    z = np.random.default_rng(0).normal(size=len(z))
    nature = partial(DISTANCES[name], TABLE, center)
    assert np.allclose(nature(np.zeros(TABLE.n_rows), z), center, rtol=0, atol=1e-9)
    p = nature(np.full(TABLE.n_rows, np.inf), z)
    assert np.allclose(TABLE.sum_rows(p * z).ravel(), natures.lowest(TABLE, z), rtol=0, atol=1e-9)
