"""Checks at the door: copies, read-only, renormalised within 1e-9 and said so."""

import numpy as np
import pytest

from tailsafe.arrays import (
    ROUNDING,
    as_distributions,
    check_range,
    frozen_bools,
    frozen_floats,
    frozen_ints,
)
from tailsafe.errors import InvalidData


def test_arrays_are_read_only_copies():
    given = np.array([1.0, 2.0])
    for array in (frozen_floats(given, "x"), frozen_ints(given, "x")):
        given[0] = 1.0
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5
    assert not frozen_bools([0, 1], "x").flags.writeable


def test_whole_numbers_beyond_the_floats_survive():
    large = 2**53 + 1
    assert frozen_ints([large], "x")[0] == large


def test_a_sum_off_by_little_is_renormalised_and_that_is_said():
    values, notes = as_distributions(np.array([[0.5, 0.5 + 5e-10], [0.5, 0.5]]), "p")
    assert values.sum(axis=1) == pytest.approx(1.0, abs=1e-15)
    assert notes == ("p: 1 distribution(s) renormalised, sums were off by up to 5.0e-10",)


def test_mere_rounding_keeps_its_bits_and_is_not_worth_a_note():
    given = np.array([0.1] * 9 + [0.1 + ROUNDING / 2])
    values, notes = as_distributions(given, "p")
    assert np.array_equal(values, given)
    assert notes == ()


def test_a_sum_off_by_more_is_refused():
    with pytest.raises(InvalidData, match=r"p\[1\] is not a distribution: sums to 1.00000001"):
        as_distributions(np.array([[1.0, 0.0], [1.0, 1e-8]]), "p")


def test_rows_that_are_not_required_may_be_zero_but_not_half_full():
    required = np.array([True, False])
    values, _ = as_distributions(np.array([[1.0, 0.0], [0.0, 0.0]]), "p", required)
    assert values[1].sum() == 0.0
    with pytest.raises(InvalidData, match=r"sums to 0\.5"):
        as_distributions(np.array([[1.0, 0.0], [0.5, 0.0]]), "p", required)


def test_the_index_after_the_last_one_is_refused():
    check_range(np.array([0, 2]), 3, "state", "n_states")
    with pytest.raises(InvalidData, match=r"state\[1\] is 3, but n_states is 3"):
        check_range(np.array([0, 3]), 3, "state", "n_states")
