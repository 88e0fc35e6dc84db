"""Choosing at random."""

import numpy as np

import tailsafe as ts
from tailsafe.solvers.uniform import Uniform


def test_every_admissible_action_is_equally_likely():
    batch = ts.Batch([0], [0], [1], [0.0], [1], [0], 2, 3)
    allowed = np.array([[False, True, True], [True, True, True]])
    task = ts.Task(np.zeros((2, 3)), [1, 0], 0.9, admissible=allowed)
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))
    expected = [[0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3]]
    assert np.allclose(Uniform().solve(problem).probs, expected)
    assert Uniform().name == "Uniform"
