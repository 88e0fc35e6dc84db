"""Bands for the law of returns: the bound of their formula, and what follows for risks."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.estimators.bands import Bands, return_bands


def one_step(actions, rewards, behaviour):
    """Return a problem of episodes of one step."""
    n, zero = len(actions), np.zeros(len(actions), int)
    batch = ts.Batch(np.arange(n), zero, actions, rewards, zero + 1, zero + 1, 2, 2)
    task = ts.Task(np.zeros((2, 2)), [1, 0], 0.9, terminal=[1])
    probs = ts.Policy([behaviour, behaviour])
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch), probs)


def least_mean(x, error):
    """Return the empirical Bernstein bound (Maurer and Pontil) of values within [0, sqrt(n)]."""
    n = len(x)
    log = np.log(2.0 / error)
    return (
        x.mean() - np.sqrt(2.0 * x.var(ddof=1) * log / n) - 7.0 * np.sqrt(n) * log / (3.0 * (n - 1))
    )


def test_each_bound_is_that_of_its_formula():
    n, half = 40_000, np.full(2, 0.5)
    rewards = np.repeat([0.0, 1.0, 2.0], [10_000, 15_000, 15_000])
    problem = one_step(np.zeros(n, int), rewards, half)
    policy = ts.Policy([[0.6, 0.4]] * 2)
    bands = return_bands(problem, policy, (0.0, 2.0), alpha=0.1, n_points=3)
    assert bands.points.tolist() == [0.0, 1.0, 2.0]
    # Two points inside or at the left end, two sides each: four bounds share alpha.
    lower = [least_mean(1.2 * (rewards <= v), 0.1 / 4) for v in (0.0, 1.0)]
    upper = [1.0 - least_mean(1.2 * (rewards > v), 0.1 / 4) for v in (0.0, 1.0)]
    assert 0.0 < lower[0] < lower[1] < 1.0
    assert bands.lower == pytest.approx([*lower, 1.0], rel=1e-12)
    assert bands.upper == pytest.approx([*upper, 1.0], rel=1e-12)


def test_weights_are_cut_at_the_root_of_the_number_of_episodes():
    n, actions = 10_000, np.zeros(10_000, int)
    actions[0] = 1
    problem = one_step(actions, np.ones(n), [0.999, 0.001])
    bands = return_bands(problem, ts.Policy([[0.5, 0.5]] * 2), (0.0, 2.0), n_points=3)
    x = np.where(actions == 1, 100.0, 0.5 / 0.999)
    assert bands.lower[1] == pytest.approx(max(least_mean(x, 0.05 / 4), 0.0), rel=1e-12)
    assert bands.upper[0] == pytest.approx(1.0 - max(least_mean(x, 0.05 / 4), 0.0), rel=1e-12)


def test_both_bands_rise_though_single_bounds_need_not():
    # The least and the largest return have the one large weight each: more mass, less certainty.
    n, actions = 40_000, np.zeros(40_000, int)
    rewards = np.repeat([1.0, 2.0], n // 2)
    actions[[0, n - 1]], rewards[[0, n - 1]] = 1, (0.0, 3.0)
    problem = one_step(actions, rewards, [0.999, 0.001])
    policy = ts.Policy([[0.9, 0.1]] * 2)
    bands = return_bands(problem, policy, (-1.0, 4.0), n_points=11)
    assert (np.diff(bands.lower) >= 0.0).all()
    assert (np.diff(bands.upper) >= 0.0).all()
    assert bands.lower[-2] > 0.0
    assert bands.upper[1] < 1.0


def test_the_worst_law_puts_mass_at_left_ends_and_the_best_at_right_ends():
    bands = Bands(np.arange(3.0), np.array([0.1, 0.6, 1.0]), np.array([0.4, 0.9, 1.0]))
    assert bands.bounds(ts.Mean()) == pytest.approx((0.1, 0.5 + 2 * 0.4))
    assert bands.bounds(ts.VaR(0.5)) == (0.0, 1.0)


def test_one_episode_says_nothing():
    problem = one_step(np.zeros(1, int), [1.0], [0.5, 0.5])
    bands = return_bands(problem, ts.Policy.uniform(2, 2), (0.0, 2.0), n_points=3)
    assert bands.bounds(ts.Mean()) == (0.0, 2.0)


def test_a_support_needs_a_length_and_two_points():
    problem = one_step(np.zeros(1, int), [1.0], [0.5, 0.5])
    policy = ts.Policy.uniform(2, 2)
    with pytest.raises(InvalidData, match="support of positive length"):
        return_bands(problem, policy, (1.0, 1.0))
    with pytest.raises(InvalidData, match="two points"):
        return_bands(problem, policy, (0.0, 2.0), n_points=1)
