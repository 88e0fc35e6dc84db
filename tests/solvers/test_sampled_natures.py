"""Natures over sampled models: the weights of the measures, and the mixtures they make."""

from functools import partial

import numpy as np
import pytest

from tailsafe.risk import CVaR, VaR
from tailsafe.solvers.sampled_natures import (
    Sampled,
    quantile_weights,
    tail_weights,
    worst_mixture,
)
from tailsafe.table import Table

TABLE = Table.from_rows(3, 1, [[0, 1, 2], [1], [0, 2]])


def sampled(weights):
    rng = np.random.default_rng(0)
    rows = [rng.dirichlet(np.ones(n), size=len(weights)) for n in (3, 1, 2)]
    P = np.hstack(rows)
    return Sampled(TABLE, P, weights, weights @ P)


@pytest.mark.parametrize("level", [0.05, 0.2, 0.25, 0.5, 0.77])
@pytest.mark.parametrize("equal", [True, False])
def test_each_row_is_worth_what_the_measure_says_of_its_models(level, equal):
    n = 20
    w = np.full(n, 1 / n) if equal else np.random.default_rng(1).dirichlet(np.ones(n))
    models, z = sampled(w), np.array([1.0, -2.0, 0.5, 3.0, 2.0, -1.0])
    for measure, weights in ((CVaR(level), tail_weights), (VaR(level), quantile_weights)):
        p = worst_mixture(models, partial(weights, level), 1.0, z)
        for row, worth in enumerate(TABLE.sum_rows(p * z).ravel()):
            entries = slice(TABLE.indptr[row], TABLE.indptr[row + 1])
            Z = models.probability[:, entries] @ z[entries]
            order = np.argsort(Z)
            expected = measure.value(Z[order], None if equal else w[order])
            assert worth == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("level", "weights", "rank"),
    [(0.8, [0.7, 0.1, 0.2], 2), (0.81, [0.7, 0.1, 0.2], 3), (0.95, [0.6, 0.2, 0.1], 3)],
    ids=["rounding of a sum", "just above", "a sum that does not reach the level"],
)
def test_the_first_value_that_reaches_the_level_counts_or_the_last_one(level, weights, rank):
    # In doubles 0.7 + 0.1 is a little less than 0.8.
    assert quantile_weights(level, np.array([weights]))[0].tolist() == np.eye(3)[rank - 1].tolist()


def test_the_share_mixes_in_the_mean_model():
    models = sampled(np.full(5, 0.2))
    z = np.array([1.0, -2.0, 0.5, 3.0, 2.0, -1.0])
    tail, half, mean = (
        worst_mixture(models, partial(tail_weights, 0.2), share, z) for share in (1.0, 0.5, 0.0)
    )
    assert np.allclose(half, (tail + mean) / 2, rtol=0, atol=1e-15)
    assert np.allclose(mean, models.mean, rtol=0, atol=1e-15)
