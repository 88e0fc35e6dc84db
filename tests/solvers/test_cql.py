"""CQL: the exact minimiser of its objective, and the fixed point of repeating it."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax

import tailsafe as ts
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.solvers.bcq import BCQ
from tailsafe.solvers.cql import CQL, conservative
from tailsafe.values import action_values


def objective(Q, y, b, alpha):
    return alpha * (logsumexp(Q) - b @ Q) + 0.5 * (b * (Q - y) ** 2).sum()


@pytest.mark.parametrize("alpha", [1e-6, 0.01, 0.3, 5.0, 200.0])
def test_no_values_have_a_smaller_objective(alpha):
    rng = np.random.default_rng(0)
    y, b = 3.0 * rng.normal(size=(5, 4)), rng.dirichlet(np.ones(4), size=5)
    Q = conservative(y, b, alpha)
    for s in range(5):
        numeric = minimize(objective, y[s], (y[s], b[s], alpha), tol=1e-12)
        assert objective(Q[s], y[s], b[s], alpha) <= numeric.fun + 1e-12
        slope = alpha * (softmax(Q[s]) - b[s]) + b[s] * (Q[s] - y[s])
        assert slope == pytest.approx(np.zeros(4), abs=1e-10 * max(alpha, 1.0))


def test_what_the_behaviour_never_does_is_out():
    Q = conservative(np.array([[1.0, 5.0, 2.0]]), np.array([[0.5, 0.0, 0.5]]), 0.5)
    assert np.isneginf(Q[0, 1])
    assert np.isfinite(Q[0, [0, 2]]).all()


def test_targets_that_agree_with_the_behaviour_are_left_alone():
    b = np.array([[0.2, 0.5, 0.3]])
    assert conservative(np.log(b) + 7.0, b, 3.0) == pytest.approx(np.log(b) + 7.0)


def test_it_moves_by_no_more_than_its_targets():
    rng = np.random.default_rng(1)
    b = rng.dirichlet(np.ones(4), size=50)
    one, other = rng.normal(size=(2, 50, 4))
    moved = conservative(one, b, 0.7) - conservative(other, b, 0.7)
    assert (np.abs(moved).max(axis=1) <= np.abs(one - other).max(axis=1) + 1e-12).all()


def test_values_are_the_minimiser_for_their_own_targets(golden_case):
    problem = golden_case("garnet2").problem(behaviour="pi_b2")
    Q = CQL(0.5).values(problem)
    targets = action_values(problem.nominal(), Q.max(axis=1))
    expected = conservative(targets, problem.behaviour.probs, 0.5)
    assert np.allclose(Q, expected, rtol=0, atol=1e-9)


def test_a_terminal_state_is_worth_nothing_whatever_the_behaviour_does_there(bandit):
    one = bandit([1.0, 1.2], [9, 1], [0.9, 0.1])
    odd = ts.Policy([[0.9, 0.1], [0.99, 0.01]])
    problem = ts.Problem(one.task, one.batch, one.posterior, odd)
    assert CQL(1.0).values(problem)[1].tolist() == [0.0, 0.0]
    assert CQL(1.0).values(problem)[0] == pytest.approx(CQL(1.0).values(one)[0], rel=1e-12)


def test_rare_actions_lose_and_alpha_0_only_keeps_the_support(bandit, golden_case):
    problem = bandit([1.0, 1.2], [9, 1], [0.9, 0.1])
    assert CQL(0.0).solve(problem).actions[0] == 1
    assert CQL(1.0).solve(problem).actions[0] == 0
    ring = golden_case("ring").problem()
    assert CQL(0.0).solve(ring) == BCQ(1e-9).solve(ring)


def test_discount_1_and_a_negative_alpha_are_refused(bandit):
    with pytest.raises(NotSupported, match="use a discount below 1"):
        CQL().solve(bandit([1.0, 0.0], [1, 1], discount=1.0))
    with pytest.raises(InvalidData, match="alpha must be a number of at least 0"):
        CQL(-1.0)
