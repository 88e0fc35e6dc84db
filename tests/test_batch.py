"""Logs: counts, episodes of any length, the support that was seen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailsafe.batch import Batch
from tailsafe.table import Table


def log(transitions, n_states=3, n_actions=2):
    """Return a batch of (episode, s, a, t, terminated)."""
    columns = np.array(transitions, dtype=np.int64).reshape(-1, 5).T
    episode, s, a, t, end = columns
    return Batch(episode, s, a, s * 1.0, t, end.astype(bool), n_states, n_actions)


TRANSITIONS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2)))


@given(TRANSITIONS)
def test_counts_are_those_of_a_plain_loop(transitions):
    batch = log([(0, s, a, t, 0) for s, a, t in transitions])
    N = np.zeros((3, 2, 3), int)
    for s, a, t in transitions:
        N[s, a, t] += 1
    assert np.array_equal(batch.counts(), N)
    assert np.array_equal(batch.visits(), N.sum(axis=2))
    assert np.array_equal(batch.count_entries(Table.full(3, 2)), N.ravel())


@given(TRANSITIONS, st.sets(st.integers(0, 2)))
def test_the_seen_table_holds_what_was_seen_what_was_added_and_all_of_untried_pairs(log_, plus):
    batch = log([(0, s, a, t, 0) for s, a, t in log_])
    mask = batch.counts() > 0
    mask[:, :, sorted(plus)] = True
    mask[batch.visits() == 0] = True
    assert np.array_equal(batch.seen(np.array(sorted(plus), np.int64)).mask(), mask)


def test_episodes_may_have_any_length_and_end_or_be_cut():
    batch = log([(7, 0, 0, 1, 0), (7, 1, 0, 2, 1), (3, 0, 1, 0, 0), (9, 0, 1, 0, 0)])
    assert batch.n_episodes == 3
    assert batch.starts.tolist() == [0, 2, 3]
    assert batch.truncated.tolist() == [False, False, True, True]


def test_an_empty_log_is_a_log():
    batch = log([])
    assert len(batch) == batch.n_episodes == 0
    assert batch.counts().sum() == 0
    assert batch.truncated.shape == (0,)


def test_columns_are_read_only():
    batch = log([(0, 0, 0, 1, 0)])
    with pytest.raises(ValueError, match="read-only"):
        batch.state[0] = 1
