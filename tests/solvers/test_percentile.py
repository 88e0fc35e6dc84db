"""Percentile optimisation: its objective, its local optimum, and the caution that it buys."""

import numpy as np
import pytest
from scipy.stats import norm

import tailsafe as ts
from tailsafe.domains import ring
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.moments import moments
from tailsafe.policy import Policy
from tailsafe.solvers.ascent import by_switches
from tailsafe.solvers.percentile import NormalQuantile, Percentile


def ring_problem(episodes=30):
    domain = ring()
    batch = ts.simulate(domain, Policy.uniform(5, 3), episodes, 8, 0)
    return ts.Problem(domain.task, batch, ts.Dirichlet.from_batch(batch))


def bets(often=(50, 50), once=(1, 0)):
    """One choice: a pair tried 100 times, or one that looks a little better after one try."""
    pairs = [(a, t) for a, n in enumerate((often, once)) for t in (1, 2) for _ in range(n[t - 1])]
    action, after = np.transpose(pairs)
    zero = np.zeros(len(pairs), int)
    batch = ts.Batch(np.arange(len(pairs)), zero, action, zero, after, zero, 3, 2)
    reward = np.zeros((3, 2, 3))
    reward[0, :, 1] = 1.0
    table = ts.Table.from_rows(3, 2, [[1, 2], [1, 2], [1], [1], [2], [2]])
    task = ts.Task(reward, [1, 0, 0], 0.9)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))


def test_the_objective_is_the_normal_quantile_of_the_analytic_moments():
    problem = ring_problem()
    policies = [Policy.from_actions(np.full(5, a), 3) for a in range(3)]
    found = moments(problem.posterior, problem.task, policies)
    judge = NormalQuantile(problem, 0.1, 0, Engine())
    assert np.allclose(judge(policies), norm.ppf(0.1, found.mean, found.sd), rtol=1e-12)


def test_of_an_explicit_list_the_moments_are_exact_and_weighted():
    rng = np.random.default_rng(0)
    models, weights = rng.dirichlet(np.ones(3), size=(6, 3, 2)), rng.dirichlet(np.ones(6))
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 3, 2)
    task = ts.Task(rng.uniform(size=(3, 2, 3)), [1, 0, 0], 0.9)
    problem = ts.Problem(task, batch, ts.Samples(models, weights))
    policy = Policy.uniform(3, 2)
    u = np.array([ts.performance(ts.MDP.dense(task, T), policy) for T in models])
    mean, sd = weights @ u, np.sqrt(weights @ (u - weights @ u) ** 2)
    judge = NormalQuantile(problem, 0.2, 0, Engine())
    assert judge([policy])[0] == pytest.approx(norm.ppf(0.2, mean, sd), rel=1e-12)


def test_no_switch_of_one_state_is_better():
    problem = ring_problem()
    policy = Percentile(0.1).solve(problem)
    judge = NormalQuantile(problem, 0.1, 0, Engine())
    values = judge.switch_values(policy)
    assert values.max() <= judge([policy])[0] + 1e-9
    assert values[2, policy.actions[2]] == pytest.approx(judge([policy])[0], rel=1e-12)


def test_the_search_starts_at_the_best_policy_of_the_mean_and_takes_all_its_steps(monkeypatch):
    asked = []

    def spied(judge, start, max_steps):
        asked.append((start, max_steps))
        return by_switches(judge, start, max_steps)

    monkeypatch.setattr("tailsafe.solvers.percentile.by_switches", spied)
    # Action 1 won 2 of 3 times, which the prior takes for 3 of 5.
    problem = bets((65, 35), (2, 1))
    Percentile(0.05, max_steps=7).solve(problem)
    assert asked == [(ts.solve(problem.mean())[0], 7)]
    assert asked[0][0] != ts.solve(problem.nominal())[0]


def test_a_low_level_prefers_what_is_known_a_high_one_what_looks_better():
    problem = bets()
    assert Percentile(0.05).solve(problem).actions[0] == 0
    assert Percentile(0.5).solve(problem).actions[0] == 1


def test_actions_that_are_not_admissible_are_not_tried():
    problem = bets()
    allowed = np.array([[False, True], [True, True], [True, True]])
    task = ts.Task(problem.task.reward, [1, 0, 0], 0.9, terminal=[2], admissible=allowed)
    alive = ts.Batch([0], [0], [1], [0.0], [1], [False], 3, 2)
    bound = ts.Problem(task, alive, problem.posterior)
    values = NormalQuantile(bound, 0.05, 0, Engine()).switch_values(Percentile(0.05).solve(bound))
    assert np.isneginf(values).tolist() == [[True, False], [False, False], [True, True]]


def test_at_discount_1_switches_that_never_end_are_not_tried():
    # Action 0 stays, action 1 ends.
    table = ts.Table.from_rows(2, 2, [[0], [1], [1], [1]])
    task = ts.Task([[1.0, 0.5], [0.0, 0.0]], [1, 0], 1.0, terminal=[1])
    batch = ts.Batch([0], [0], [1], [0.5], [1], [True], 2, 2)
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    judge = NormalQuantile(problem, 0.25, 0, Engine())
    values = judge.switch_values(Policy.from_actions([1, 0], 2))
    assert values.tolist() == [[-np.inf, 0.5], [-np.inf, -np.inf]]


def test_a_search_that_would_take_too_long_is_refused():
    n = 500
    table = ts.Table.from_rows(n, 2, [[0]] * (2 * n))
    task = ts.Task(np.zeros((n, 2)), np.eye(n)[0], 0.9)
    batch = ts.Batch([0], [0], [0], [0.0], [0], [False], n, 2)
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    with pytest.raises(NotSupported, match="500 equations for each of 1000 switches"):
        Percentile().solve(problem)


def test_parameters_are_checked():
    with pytest.raises(InvalidData, match="level must be in"):
        Percentile(1.0)
    with pytest.raises(InvalidData, match="max_steps must be a positive whole number"):
        Percentile(0.25, 0)
