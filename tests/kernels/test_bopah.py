"""Compiled regularised values: the equations that define them, and the elimination under them."""

import numpy as np
import pytest
from scipy.special import logsumexp

from tailsafe.kernels import bopah


@pytest.fixture
def setting():
    rng = np.random.default_rng(0)
    behaviour = rng.dirichlet(np.ones(3), size=6)
    behaviour[2, 1] = 0.0
    behaviour[2] /= behaviour[2].sum()
    indptr, successor = np.arange(19) * 6, np.tile(np.arange(6), 18)
    return bopah.Setting(indptr, successor, behaviour, np.eye(6)[0], 0.95)


@pytest.fixture
def model():
    rng = np.random.default_rng(1)
    return rng.dirichlet(np.ones(6), size=18).ravel(), rng.normal(size=(6, 3))


def solution(setting, model, alpha):
    work = bopah.new_work(6, 3)
    bopah.regularise(setting, *model, alpha, work)
    return work


@pytest.mark.parametrize("weight", [1e-3, 0.1, 3.0])
def test_values_and_policy_meet_their_equations(setting, model, weight):
    alpha = weight * np.linspace(1.0, 2.0, 6)
    work = solution(setting, model, alpha)
    Q = model[1] + 0.95 * (model[0].reshape(18, 6) @ work.V).reshape(6, 3)
    b = setting.behaviour
    V = alpha * logsumexp(Q / alpha[:, None], b=b, axis=1)
    assert np.allclose(work.Q, Q, rtol=0, atol=1e-9)
    assert np.allclose(work.V, V, rtol=0, atol=1e-9)
    assert work.pi == pytest.approx(b * np.exp((Q - V[:, None]) / alpha[:, None]), abs=1e-7)
    assert work.pi.sum(axis=1) == pytest.approx(np.ones(6))


def test_a_weight_of_0_takes_the_best_action_that_the_behaviour_may_take(setting, model):
    work = solution(setting, model, np.zeros(6))
    Q = np.where(setting.behaviour > 0.0, work.Q, -np.inf)
    assert np.allclose(work.V, Q.max(axis=1), rtol=0, atol=1e-9)
    assert np.array_equal(work.pi, np.eye(3)[Q.argmax(axis=1)])
    assert work.pi[2, 1] == 0.0


def test_a_large_weight_keeps_the_behaviour(setting, model):
    work = solution(setting, model, np.full(6, 1e9))
    assert work.pi == pytest.approx(setting.behaviour, abs=1e-6)


def test_values_at_one_weight_do_not_depend_on_those_seen_before(setting, model):
    work = bopah.new_work(6, 3)
    for weight in (2.0, 0.01, 0.0, 0.5):
        alpha = np.full(6, weight)
        bopah.regularise(setting, *model, alpha, work)
        expected = solution(setting, model, alpha).V
        assert np.allclose(work.V, expected, rtol=0, atol=1e-8)


def test_equal_actions_give_the_lowest_index():
    Q, pi = np.array([0.5, 1.0, 1.0 + 1e-12]), np.empty(3)
    assert bopah.choose(np.full(3, 1 / 3), 0.0, Q, 1e-9, pi) == 1.0
    assert pi.tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("n", [1, 2, 5, 33])
def test_factors_solve_a_system_and_its_transpose(n):
    rng = np.random.default_rng(n)
    A = np.eye(n) - 0.99 * rng.dirichlet(np.ones(n), size=n)
    A[rng.random((n, n)) < 0.3] *= 0.0
    A[np.arange(n), np.arange(n)] = 1.0
    lu, x = A.copy(), rng.normal(size=n)
    bopah.eliminate(lu)
    forward, backward = A @ x, A.T @ x
    bopah.solve(lu, forward)
    bopah.solve_transposed(lu, backward)
    assert forward == pytest.approx(x, abs=1e-9)
    assert backward == pytest.approx(x, abs=1e-9)
