"""The vectorisable functions are those of the textbook, to a unit or two in the last place."""

import numpy as np
import pytest

from tailsafe.kernels import elementary

RNG = np.random.default_rng(0)
POSITIVE = np.concatenate(
    [np.exp(RNG.uniform(-700.0, 700.0, 500)), 1.0 + RNG.uniform(-0.5, 1.0, 500), [2.0**-53]]
)


def units(got, expected):
    return np.abs(np.array(got) - expected) / np.spacing(np.abs(expected))


def test_the_logarithm_is_right_to_two_units_in_the_last_place():
    assert units([elementary.log(x) for x in POSITIVE], np.log(POSITIVE)).max() <= 2.0


def test_the_logarithm_keeps_its_relative_precision_next_to_one():
    x = np.array([1.0 - 2.0**-53, 1.0 + 2.0**-52, 1.0 - 1e-9])
    assert units([elementary.log(v) for v in x], np.log(x)).max() <= 1.0
    assert elementary.log(1.0) == 0.0


def test_the_exponential_is_right_to_two_units_and_ends_in_zero():
    x = -np.concatenate([RNG.uniform(0.0, 708.0, 500), RNG.uniform(0.0, 1.0, 500)])
    assert units([elementary.exp(v) for v in x], np.exp(x)).max() <= 2.0
    assert elementary.exp(0.0) == 1.0
    assert elementary.exp(-709.0) == elementary.exp(-1e300) == 0.0


def test_the_cosine_of_turns_is_right_to_the_rounding_of_its_argument():
    t = RNG.uniform(-0.5, 0.5, 1_000)
    got = np.array([elementary.cosine_of_turns(v) for v in t])
    assert got == pytest.approx(np.cos(2.0 * np.pi * t), abs=5e-16)
    assert elementary.cosine_of_turns(0.5) == -elementary.cosine_of_turns(0.0)
