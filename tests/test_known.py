"""Rows that are certain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailsafe.known import absorbing, with_known_rows
from tailsafe.table import Table


def test_absorbing_states_are_never_left():
    assert absorbing([1], 2) == {(1, 0): 1, (1, 1): 1}
    table, known, probability = with_known_rows(Table.full(3, 2), absorbing([1], 2))
    assert known.tolist() == [False, False, True, True, False, False]
    assert table.dense(probability)[1].tolist() == [[0, 1, 0], [0, 1, 0]]
    assert table.lengths.tolist() == [3, 3, 1, 1, 3, 3]


@pytest.mark.parametrize("law", [2, {2: 1.0}, [0.0, 0.0, 1.0], {0: 0.0, 2: 1.0}])
def test_a_law_may_be_a_state_a_mapping_or_an_array(law):
    table, _, probability = with_known_rows(Table.full(3, 1), {(0, 0): law})
    assert table.successor[: table.indptr[1]].tolist() == [2]
    assert probability[0] == 1.0


def test_no_known_rows_change_nothing():
    table = Table.full(2, 2)
    same, known, _ = with_known_rows(table, {})
    assert same is table
    assert not known.any()


@given(st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 1)), st.integers(0, 2)))
def test_known_rows_replace_theirs_and_leave_the_others(known):
    rng = np.random.default_rng(0)
    before = Table.from_mask(rng.random((3, 2, 3)) < 0.7)
    table, is_known, probability = with_known_rows(before, known)
    dense = table.dense(probability)
    for s in range(3):
        for a in range(2):
            if (s, a) in known:
                assert is_known[s * 2 + a]
                assert dense[s, a].tolist() == np.eye(3)[known[s, a]].tolist()
            else:
                assert np.array_equal(table.mask()[s, a], before.mask()[s, a])
