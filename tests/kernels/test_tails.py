"""Loops over models and rows give what the sums of their definition give."""

import numpy as np
import pytest

from tailsafe.kernels import tails

INDPTR = np.array([0, 2, 2, 5, 6])
SUCCESSOR = np.array([0, 2, 0, 1, 2, 1])
ROW = np.array([0, 0, 2, 2, 2, 3])
RNG = np.random.default_rng(0)
MODELS = RNG.uniform(size=(4, 6))


def summed(values):
    """Return values[m, e] summed over the entries of each row, [m, row]."""
    return np.stack([np.bincount(ROW, weights=v, minlength=4) for v in values])


def test_an_expectation_is_taken_in_each_row_of_each_model():
    z = RNG.normal(size=6)
    assert tails.row_expectations(MODELS, INDPTR, z) == pytest.approx(summed(MODELS * z).T)


def test_each_row_has_a_mixture_of_its_own():
    weights = RNG.uniform(size=(4, 4)) * (RNG.uniform(size=(4, 4)) < 0.7)
    expected = (weights[ROW].T * MODELS).sum(axis=0)
    assert tails.mixed_rows(MODELS, INDPTR, weights) == pytest.approx(expected)


def test_each_model_backs_up_its_own_values():
    reward, V = RNG.normal(size=6), RNG.normal(size=(4, 3))
    expected = summed(MODELS * (reward + V[:, SUCCESSOR]))
    assert tails.model_backups(MODELS, (INDPTR, SUCCESSOR), reward, V) == pytest.approx(expected)
