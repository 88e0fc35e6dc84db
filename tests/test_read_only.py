"""What was checked once stays as it was: arrays are copies, and read-only."""

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

import tailsafe as ts

R, T = np.arange(8.0).reshape(2, 2, 2), np.full((2, 2, 2), 0.5)
TASK = ts.Task(R, [1.0, 0.0], 0.9, terminal=[1], admissible=[[1, 1], [0, 0]])
LOG = ts.Batch([0], [0], [1], [0.0], [1], [True], 2, 2, propensity=[0.5])
THINGS = [
    TASK,
    ts.Table.full(2, 2),
    ts.Table.from_mask(T > 0.0),
    ts.Table.from_rows(2, 2, [[0], [1], [0, 1], []]),
    LOG.seen(),
    ts.MDP.dense(TASK, T),
    ts.MDP(TASK, ts.Table.full(2, 2), T.ravel() * (1.0 + 4e-10)),
    ts.Policy([[0.5, 0.5], [1.0, 0.0]]),
    ts.Policy([[0.5, 0.5 + 4e-10], [1.0, 0.0]]),
    ts.Policy.uniform(2, 2),
    LOG,
    ts.Dirichlet.from_batch(LOG, known={(1, 0): 1}),
    ts.Samples(T[None]),
    ts.Samples(T[None] * (1.0 + 4e-10)),
]


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
def test_fields_cannot_be_replaced_nor_arrays_written_to(thing):
    arrays = [getattr(thing, field.name) for field in fields(thing)]
    arrays = [array for array in arrays if isinstance(array, np.ndarray)]
    assert arrays
    assert not any(array.flags.writeable for array in arrays)
    with pytest.raises(FrozenInstanceError):
        setattr(thing, fields(thing)[0].name, None)


def test_what_the_caller_does_to_an_array_afterwards_changes_nothing():
    reward, terminal = np.zeros((2, 2)), np.array([False, True])
    transition, probs = T.copy(), np.full((2, 2), 0.5)
    task = ts.Task(reward, [1, 0], 0.9, terminal)
    mdp, policy = ts.MDP.dense(task, transition), ts.Policy(probs)
    for array in (reward, terminal, transition, probs):
        array[:] = 1
    assert task.reward.sum() == 0.0
    assert task.terminal.tolist() == [False, True]
    assert np.array_equal(mdp.transition, T)
    assert policy == ts.Policy.uniform(2, 2)
