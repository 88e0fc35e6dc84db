"""Worst and best performances: closed forms, and no model ever leaves them."""

import numpy as np
import pytest

from tailsafe.evaluate import performances
from tailsafe.extremes import extremes
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.table import Table
from tailsafe.task import Task


def test_the_ends_are_the_rewards_forever_where_all_states_may_follow():
    task = Task(np.array([[0.0], [2.0]]), np.array([0.0, 1.0]), 0.9)
    posterior = Dirichlet(Table.full(2, 1), np.ones(4), np.zeros(2, bool))
    xi, zeta = extremes(posterior, task, [Policy.uniform(2, 1)])
    assert (xi[0], zeta[0]) == pytest.approx((2.0, 20.0), abs=1e-3)
    assert xi[0] <= 2.0
    assert zeta[0] >= 20.0


def test_known_rows_take_their_expectation():
    task = Task(np.array([[0.0], [2.0]]), np.array([1.0, 0.0]), 0.5)
    certain = np.array([0.5, 0.5, 0.5, 0.5])
    posterior = Dirichlet(Table.full(2, 1), certain, np.ones(2, bool))
    xi, zeta = extremes(posterior, task, [Policy.uniform(2, 1)])
    assert (xi[0], zeta[0]) == pytest.approx((1.0, 1.0), abs=1e-3)


@pytest.mark.parametrize("discount", [0.0, 0.9, 0.99])
def test_no_model_leaves_the_bounds(discount):
    rng = np.random.default_rng(0)
    for _ in range(5):
        mask = rng.uniform(size=(5, 2, 5)) < 0.5
        mask[..., 0] = True
        table = Table.from_mask(mask)
        task = Task(rng.normal(size=(5, 2, 5)), rng.dirichlet(np.ones(5)), discount, terminal=[4])
        posterior = Dirichlet(table, np.full(table.n_entries, 0.05), np.zeros(10, bool))
        policies = [Policy(rng.dirichlet(np.ones(2), size=5)) for _ in range(3)]
        xi, zeta = extremes(posterior, task, policies)
        U = performances(posterior, task, policies, 0, 500, 1)
        assert (U - xi[:, None]).min() >= 0.0
        assert (zeta[:, None] - U).min() >= 0.0
        assert (xi >= task.reward.min() / (1 - discount) - 1e-9).all()


def test_without_discount_a_loop_has_no_bound_and_a_line_has():
    policy = Policy.uniform(3, 1)
    line = Table.from_rows(3, 1, [[1, 2], [2], [2]])
    loop = Table.from_rows(3, 1, [[0, 2], [2], [2]])
    task = Task(np.array([[-1.0], [-5.0], [0.0]]), np.eye(3)[0], 1.0, terminal=[2])
    for table, worst in ((line, -6.0), (loop, -np.inf)):
        posterior = Dirichlet(table, np.ones(table.n_entries), np.zeros(3, bool))
        xi, zeta = extremes(posterior, task, [policy])
        assert xi[0] == pytest.approx(worst, abs=1e-2)
        assert zeta[0] == pytest.approx(-1.0, abs=1e-2)
        assert xi[0] <= worst
        assert zeta[0] >= -1.0
