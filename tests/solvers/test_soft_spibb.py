"""Soft-SPIBB: the linear programme, its greedy stand-ins, and the budgets that all must keep."""

import numpy as np
import pytest
from scipy.optimize import linprog

import tailsafe as ts
from tailsafe.domains.garnet import garnet, transition_rewards
from tailsafe.errors import InvalidData
from tailsafe.solvers.soft_spibb import (
    AdvantageousSoftSPIBB,
    ApproximateSoftSPIBB,
    LowerSoftSPIBB,
    SoftSPIBB,
    best_within,
    errors_of,
    mean_returns,
)

KINDS = [SoftSPIBB, ApproximateSoftSPIBB, AdvantageousSoftSPIBB, LowerSoftSPIBB]


def spent(errors, moved):
    """Return sum_a e(s, a) |moved|; where the error is infinite nothing may move."""
    assert (moved[np.isinf(errors)] == 0.0).all()
    return (np.where(np.isinf(errors), 0.0, errors) * moved).sum(axis=1)


def programme(Q, behaviour, errors, epsilon):
    """Return the value of the linear programme of one state, moves up and down apart."""
    n, movable = len(Q), np.isfinite(errors)
    cost = np.where(movable, errors, 0.0)
    result = linprog(
        np.concatenate([-Q, Q]),
        A_ub=[np.concatenate([cost, cost])],
        b_ub=[epsilon],
        A_eq=[np.repeat([1.0, -1.0], n)],
        b_eq=[0.0],
        bounds=[(0.0, 1.0 if m else 0.0) for m in movable]
        + [(0.0, b if m else 0.0) for b, m in zip(behaviour, movable, strict=True)],
    )
    return behaviour @ Q - result.fun


@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.3, 1.0, 10.0])
@pytest.mark.parametrize("shape", [(8, 4), (3, 6)])
def test_the_exact_step_solves_the_linear_programme(epsilon, shape):
    rng = np.random.default_rng(0)
    Q, behaviour = rng.normal(size=shape), rng.dirichlet(np.ones(shape[1]), size=shape[0])
    errors = rng.uniform(0.1, 2.0, size=shape)
    errors[rng.random(shape) < 0.2] = np.inf
    best = best_within(behaviour, errors, epsilon, Q, behaviour)
    assert (spent(errors, np.abs(best - behaviour)) <= epsilon + 1e-12).all()
    assert best.sum(axis=1) == pytest.approx(np.ones(len(best)))
    assert (best >= 0.0).all()
    expected = [programme(*row, epsilon) for row in zip(Q, behaviour, errors, strict=True)]
    assert (best * Q).sum(axis=1) == pytest.approx(expected, abs=1e-9)


def test_two_actions_move_what_the_budget_pays_for(bandit):
    problem = bandit([0.0, 1.0], [4, 9], [0.5, 0.5])
    low, high = errors_of(problem, 1.0)[0]
    for kind, cost in ((SoftSPIBB, low + high), (LowerSoftSPIBB, high)):
        moved = 0.2 / cost
        assert kind(0.2).solve(problem).probs[0] == pytest.approx([0.5 - moved, 0.5 + moved])


def test_the_greedy_step_spends_at_most_half_of_the_budget_on_each_end(bandit):
    problem = bandit([0.0, 1.0], [4, 9], [0.5, 0.5])
    low, high = errors_of(problem, 1.0)[0]
    assert low > high
    moved = min(0.3 / (2 * low), 0.3 / (2 * high))
    probs = ApproximateSoftSPIBB(0.3).solve(problem).probs[0]
    assert probs == pytest.approx([0.5 - moved, 0.5 + moved])


def test_an_action_that_was_never_tried_keeps_its_probability(bandit):
    problem = bandit([0.0, 1.0, 0.5], [9, 0, 9], [0.3, 0.3, 0.4])
    for kind in KINDS:
        assert kind(100.0).solve(problem).probs[0] == pytest.approx([0.0, 0.3, 0.7])


def test_what_the_returns_in_the_log_speak_against_is_not_done(bandit):
    one = bandit([0.0, 1.0], [9, 9], [0.5, 0.5])
    flipped = one.batch.action == 0
    columns = (one.batch.episode, one.batch.state, one.batch.action, flipped * 1.0)
    batch = ts.Batch(*columns, one.batch.next_state, one.batch.terminated, 2, 2)
    problem = ts.Problem(one.task, batch, one.posterior, one.behaviour)
    assert AdvantageousSoftSPIBB(1.0).solve(problem) == problem.behaviour
    assert ApproximateSoftSPIBB(1.0).solve(problem) != problem.behaviour


@pytest.mark.parametrize("kind", KINDS)
def test_budgets_are_kept_and_values_rise_with_them(golden_case, kind):
    problem = golden_case("garnet2").problem(behaviour="pi_b2")
    errors, behaviour = errors_of(problem, 1.0), problem.behaviour.probs
    values = [ts.performance(problem.nominal(), problem.behaviour)]
    for epsilon in (0.1, 0.5, 2.0, 50.0):
        policy = kind(epsilon).solve(problem)
        change = policy.probs - behaviour
        counted = np.maximum(change, 0.0) if kind is LowerSoftSPIBB else np.abs(change)
        # The greedy procedure, as published, does not look at the giver's end again.
        slack = 0.05 if kind in (ApproximateSoftSPIBB, AdvantageousSoftSPIBB) else 1e-9
        assert (spent(errors, counted) <= epsilon * (1 + slack)).all()
        values.append(ts.performance(problem.nominal(), policy))
    assert values[-1] > values[0]
    assert min(values) == values[0]


def test_no_greedy_policy_is_better_than_the_exact_one(golden_case):
    problem = golden_case("ring").problem()
    exact, greedy = (kind(0.5).solve(problem) for kind in KINDS[:2])
    assert ts.performance(problem.nominal(), exact) >= ts.performance(problem.nominal(), greedy)


def test_moving_all_of_the_surplus_leaves_no_debt():
    # 0.1 + 0.2 - 0.3 is more than nothing, and 0.3 - 0.1 - 0.2 less: neither may be moved again.
    refused = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        truth = garnet(int(rng.integers(4, 9)), 4, 2, seed, transition_rewards)
        S = truth.task.n_states
        log = ts.simulate(truth, ts.Policy.uniform(S, 4), 30, 8, seed=seed)
        problem = ts.Problem(truth.task, log, ts.Dirichlet.from_batch(log))
        policy = AdvantageousSoftSPIBB(2.0).solve(problem)
        refused += bool((policy.probs < 0.0).any())
    assert refused == 0


def test_a_whole_number_is_a_budget_too(golden_case):
    problem = golden_case("ring").problem()
    for kind in KINDS:
        assert kind(1).solve(problem) == kind(1.0).solve(problem)


def test_returns_are_discounted_within_their_episode():
    batch = ts.Batch([0, 0, 1], [0, 0, 1], [0, 1, 0], [1.0, 2.0, 4.0], [0, 1, 1], [0] * 3, 2, 2)
    assert mean_returns(batch, 0.5).tolist() == [[2.0, 2.0], [4.0, 0.0]]


def test_a_negative_budget_is_refused():
    with pytest.raises(InvalidData, match="epsilon must be a number of at least 0, got -1"):
        SoftSPIBB(-1.0)
    with pytest.raises(InvalidData, match="delta must be in"):
        LowerSoftSPIBB(delta=2.0)
