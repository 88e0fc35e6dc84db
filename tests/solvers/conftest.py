"""A problem with one decision, whose answers are closed forms."""

import numpy as np
import pytest

import tailsafe as ts


@pytest.fixture
def bandit():
    """Return the function that makes it: in state 0 an action pays and ends in state 1."""

    def make(reward, visits, behaviour=None, discount=0.9):
        n = len(reward)
        action = np.repeat(np.arange(n), visits)
        zero, one = np.zeros(len(action), int), np.ones(len(action), int)
        paid = np.asarray(reward, float)[action]
        batch = ts.Batch(np.arange(len(action)), zero, action, paid, one, one, 2, n)
        values = np.array([reward, np.zeros(n)])
        task = ts.Task(values, [1, 0], discount, terminal=[1])
        table = ts.Table.from_rows(2, n, [[1]] * 2 * n)
        probs = None
        if behaviour is not None:
            probs = ts.Policy([behaviour, np.full(n, 1 / n)])
        return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table), probs)

    return make
