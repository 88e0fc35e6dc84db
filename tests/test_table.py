"""The sparse table: every way to build and read it agrees with the dense array."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tailsafe.table import Table

MASKS = st.integers(1, 4).flatmap(
    lambda s: st.integers(1, 3).flatmap(lambda a: hnp.arrays(bool, (s, a, s)))
)


@given(MASKS)
def test_a_mask_comes_back(mask):
    assert np.array_equal(Table.from_mask(mask).mask(), mask)


@given(MASKS)
def test_rows_in_any_order_give_the_same_table(mask):
    rows = [reversed(np.nonzero(row)[0]) for row in mask.reshape(-1, mask.shape[2])]
    assert Table.from_rows(*mask.shape[:2], rows).equals(Table.from_mask(mask))


@given(MASKS, st.integers(0, 9))
def test_entries_and_dense_are_inverse(mask, seed):
    table = Table.from_mask(mask)
    values = np.random.default_rng(seed).random((2, table.n_entries))
    dense = table.dense(values, fill=-1.0)
    assert np.array_equal(table.entries(dense), values)
    assert (dense[:, ~mask] == -1.0).all()


@given(MASKS, st.integers(0, 9))
def test_row_sums_are_those_of_the_dense_array_empty_rows_too(mask, seed):
    table = Table.from_mask(mask)
    values = np.random.default_rng(seed).random((2, table.n_entries))
    assert table.sum_rows(values) == pytest.approx(table.dense(values).sum(axis=-1))


@given(MASKS)
def test_lookup_finds_every_entry_and_nothing_else(mask):
    table = Table.from_mask(mask)
    s, a, t = np.indices(mask.shape).reshape(3, -1)
    found = table.lookup(s * mask.shape[1] + a, t)
    assert np.array_equal(found >= 0, mask.ravel())
    assert np.array_equal(found[mask.ravel()], np.arange(table.n_entries))


def test_the_full_table_lists_everything():
    assert Table.full(3, 2).mask().all()
    assert Table.full(3, 2).n_entries == 18


def test_tables_that_list_other_transitions_differ():
    mask = np.ones((2, 2, 2), bool)
    other = mask.copy()
    other[0, 1, 0] = False
    assert not Table.from_mask(mask).equals(Table.from_mask(other))
    assert Table.from_mask(mask).equals(Table.full(2, 2))
