"""Rows are Dirichlet, whatever the concentration, and any one can be drawn alone."""

import numpy as np
import pytest
from scipy.stats import beta, kstest

from tailsafe.kernels import RowsLaw, cpu, reference

CONCENTRATIONS = [0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 2.5, 40.0, 1e4]
MIXED = [0.5, 1.0, 2.0, 40.0, 1.0, 3.0, 0.1]
MODELS = 4_000


def law(rows, known=None):
    """Return the law with these concentrations, row by row; successors do not matter here."""
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    values = np.concatenate([np.asarray(row, float) for row in rows])
    mask = np.zeros(len(rows), bool) if known is None else np.array(known)
    return RowsLaw(indptr, np.zeros(len(values), np.int64), values, mask)


def drawn(rows, models=MODELS, seed=11, stream=0):
    return cpu.draw(law(rows), np.arange(len(rows)), 0, models, seed, stream)


@pytest.mark.parametrize("a", CONCENTRATIONS)
def test_each_entry_of_a_row_has_its_beta_distribution(a):
    row = drawn([[a, a, a]])
    for column in range(3):
        assert kstest(row[:, column], beta(a, 2.0 * a).cdf).pvalue > 1e-3


@pytest.mark.parametrize("a", CONCENTRATIONS)
def test_the_moments_of_a_row_are_those_of_dirichlet(a):
    row = drawn([[a, a, a]])
    law_of_entry = beta(a, 2.0 * a)
    error = law_of_entry.std() / np.sqrt(MODELS)
    assert row.mean(axis=0) == pytest.approx(1.0 / 3.0, abs=4.0 * error)
    fourth = float(law_of_entry.stats("k")) + 2.0
    assert row.var(axis=0) == pytest.approx(
        law_of_entry.var(), rel=4.0 * np.sqrt(max(fourth, 0.5) / MODELS)
    )
    correlation = np.corrcoef(row.T)[0, 1:]
    assert correlation == pytest.approx(-0.5, abs=4.0 / np.sqrt(MODELS))


def test_a_row_of_different_concentrations_has_the_right_margins():
    row, total = drawn([MIXED]), sum(MIXED)
    for column, a in enumerate(MIXED):
        assert kstest(row[:, column], beta(a, total - a).cdf).pvalue > 1e-3


@pytest.mark.parametrize("a", [0.1, 1.0, 2.5])
def test_rows_models_streams_and_seeds_are_independent(a):
    one, two = np.split(drawn([[a, a, a]] * 2), 2, axis=1)
    columns = [one[:, 0], two[:, 0], np.roll(one[:, 0], 1), np.roll(two[:, 0], 2)]
    columns += [drawn([[a, a, a]], stream=1)[:, 0], drawn([[a, a, a]], seed=12)[:, 0]]
    correlation = np.corrcoef(columns)[np.triu_indices(len(columns), 1)]
    assert np.abs(correlation).max() < 4.5 / np.sqrt(MODELS)


@pytest.mark.parametrize("a", [1e-3, 1e-2])
def test_tiny_concentrations_never_make_an_empty_row(a):
    row = drawn([[a] * 5], models=2_000)
    assert row.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    assert row.max(axis=1).mean() > 0.9


@pytest.mark.parametrize("a", [[c] * 4 for c in CONCENTRATIONS] + [MIXED])
def test_the_compiled_draws_are_those_of_the_reference(a):
    one = law([a, a[:3]])
    rows = np.array([1, 0])
    got, expected = (k.draw(one, rows, 5, 205, 2**32 - 1, 3) for k in (cpu, reference))
    assert got == pytest.approx(expected, rel=1e-11, abs=1e-300)


@pytest.mark.parametrize("kernels", [cpu, reference])
def test_known_rows_are_copied_and_single_entries_are_certain(kernels):
    one = law([[0.25, 0.75], [7.0], [], [1.0]], known=[True, False, False, True])
    assert (kernels.draw(one, np.arange(4), 0, 3, 0, 0) == [0.25, 0.75, 1.0, 1.0]).all()


def test_every_row_of_every_model_can_be_drawn_alone():
    rows = [MIXED, [1.0, 1.0, 1.0], [0.5, 7.0], [2.5], [1.0, 2.0]]
    one, ends = law(rows), np.cumsum([0] + [len(row) for row in rows])
    whole = drawn(rows, models=70)
    for m in (0, 1, 8, 63, 69):
        for row in range(len(rows)):
            alone = cpu.draw(one, np.array([row]), m, m + 1, 11, 0)[0]
            assert np.array_equal(alone, whole[m, ends[row] : ends[row + 1]])


def test_the_last_models_of_all_can_be_drawn():
    last = cpu.draw(law([[1.0, 2.5]]), np.array([0]), 2**32 - 3, 2**32, 0, 0)
    assert np.array_equal(
        last[2:], cpu.draw(law([[1.0, 2.5]]), np.array([0]), 2**32 - 1, 2**32, 0, 0)
    )
    assert last.sum(axis=1) == pytest.approx(1.0)
