"""Analytic moments against large samples; who can be reached."""

import numpy as np
import pytest
from scipy.stats import norm

from tailsafe.domains.chain import chain
from tailsafe.domains.ring import ring_published
from tailsafe.evaluate import performances
from tailsafe.keys import Key, Stream
from tailsafe.moments import Moments, moments
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.risk import CVaR, Mean, VaR, soft_robust
from tailsafe.simulate import simulate
from tailsafe.table import Table
from tailsafe.task import Task
from tailsafe.termination import reachable


def posterior_of(domain, episodes):
    task = domain.task
    behaviour = Policy.uniform(task.n_states, task.n_actions)
    return task, Dirichlet.from_batch(simulate(domain, behaviour, episodes, 8, seed=1))


@pytest.mark.parametrize("make", [ring_published, chain])
def test_moments_come_close_to_those_of_many_models(make):
    task, posterior = posterior_of(make(), 50)
    rng = np.random.default_rng(0)
    A = task.n_actions
    policies = [Policy.from_actions(rng.integers(0, A, 5), A) for _ in range(6)]
    policies.append(Policy(rng.dirichlet(np.ones(A), size=5)))
    U = performances(posterior, task, policies, 0, 20_000, 3)
    found, sd = moments(posterior, task, policies), U.std(axis=1)
    assert np.abs(found.mean - U.mean(axis=1)).max() < 0.05 * sd.max()
    assert np.all((found.sd / sd > 0.75) & (found.sd / sd < 1.05))
    ordered = np.sort(U, axis=1)
    for risk in (VaR(0.25), CVaR(0.25), Mean(), soft_robust(0.25, 0.5)):
        exact = np.array([risk.value(row) for row in ordered])
        assert np.abs(found.risk(risk) - exact).max() < 0.2 * sd.max()
        assert np.argmax(found.risk(risk)) == np.argmax(exact)


def test_a_single_step_has_the_moments_of_its_dirichlet_row_exactly():
    # Beta(2, 3): mean 2/5, variance 1/25, third central moment 2 (3 - 2) 6 / (5^3 6 7).
    task = Task(np.array([[[0.0, 10.0]], [[0.0, 0.0]]]), np.array([1.0, 0.0]), 0.0)
    posterior = Dirichlet(Table.full(2, 1), np.array([3.0, 2.0, 1.0, 1.0]), np.zeros(2, bool))
    found = moments(posterior, task, [Policy.uniform(2, 1)])
    assert (found.mean[0], found.sd[0]) == pytest.approx((4.0, 2.0))
    assert found.kappa3[0] == pytest.approx(1_000 * 2 * 6 / (5**3 * 6 * 7))


def test_known_rows_make_a_performance_certain():
    task = Task(reward=np.ones((2, 1)), initial=np.array([1.0, 0.0]), discount=0.5)
    posterior = Dirichlet(Table.full(2, 1), np.full(4, 0.5), np.ones(2, bool))
    found = moments(posterior, task, [Policy.uniform(2, 1)])
    assert (found.mean[0], found.sd[0], found.kappa3[0]) == pytest.approx((2.0, 0.0, 0.0))


def test_states_are_reached_through_chosen_actions_and_not_past_an_end():
    table = Table.from_rows(4, 2, [[1], [2], [3], [0], [0], [0], [0], [0]])
    task = Task(np.zeros((4, 2)), np.eye(4)[0], 0.9, terminal=[1])
    left, right = Policy.from_actions([0] * 4, 2), Policy.from_actions([1] * 4, 2)
    assert reachable(table, task, left.probs).tolist() == [True, True, False, False]
    assert reachable(table, task, right.probs).tolist() == [True, False, True, False]


@pytest.mark.parametrize("level", [0.05, 0.25, 0.5])
def test_the_tail_mean_of_a_skewed_law_is_that_of_its_expanded_quantiles(level):
    found = Moments(np.array([2.0]), np.array([3.0]), np.array([3.0**3 * 0.6]))
    z = norm.ppf((np.arange(200_000) + 0.5) / 200_000 * level)
    expected = 2.0 + 3.0 * (z + (z * z - 1.0) * 0.6 / 6.0).mean()
    assert found.risk(CVaR(level))[0] == pytest.approx(expected, abs=1e-3)


def test_moments_that_are_guessed_rest_on_models_that_no_race_sees():
    task, posterior = posterior_of(chain(), 5)
    keys = []

    class Mine:
        table = posterior.table

        def models(self, first, last, seed, rows=None):
            keys.append(seed)
            return posterior.models(first, last, seed, rows)

    moments(Mine(), task, [Policy.uniform(5, 2)], seed=7)
    assert keys == [Key(7, Stream.CANDIDATES)]


def test_with_discount_1_states_that_are_never_reached_may_never_end():
    table = Table.from_rows(4, 1, [[1, 3], [3], [2], [3]])
    posterior = Dirichlet(table, np.array([1.0, 1.0, 1.0, 1.0, 1.0]), np.zeros(4, bool))
    task = Task(np.array([[1.0], [2.0], [5.0], [7.0]]), np.eye(4)[0], 1.0, [3])
    found = moments(posterior, task, [Policy.uniform(4, 1)])
    # 1, and 2 more with a probability that is uniform.
    assert (found.mean[0], found.sd[0]) == pytest.approx((2.0, 2.0 / np.sqrt(12.0)))
