"""BOPAH: its gradient, its ascent, its folds, and the policies of given weights."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.kernels import bopah as kernel
from tailsafe.solvers.altered import restricted
from tailsafe.solvers.bopah import BOPAH, FLOOR, NOTHING, fold_counts
from tailsafe.solvers.regularised import estimated, setting_of
from tailsafe.unseen import Absorb


def folds_of(problem, unseen=NOTHING, folds=2):
    counts = fold_counts(problem, folds)
    models = [
        (estimated(problem, N, unseen), estimated(problem, counts.sum(axis=0) - N, unseen))
        for N in counts
    ]
    P, P_valid = (np.array([m[i][0] for m in models]) for i in (0, 1))
    reward, reward_valid = (np.array([m[i][1] for m in models]) for i in (0, 1))
    return setting_of(problem, problem.posterior.table), kernel.Folds(
        P, P_valid, reward, reward_valid
    )


def climb(problem, folds, fold, alpha):
    """Return U and dU / dalpha of one fold."""
    setting, models = folds
    work, slope = kernel.new_work(problem.n_states, problem.n_actions), np.empty(problem.n_states)
    kernel.regularise(setting, models.train[fold], models.train_reward[fold], alpha, work)
    return kernel.gradient(setting, models, fold, alpha, work, slope), slope


@pytest.mark.parametrize("name", ["ring", "garnet2"])
def test_the_gradient_is_that_of_the_value_on_the_other_fold(golden_case, name):
    problem = golden_case(name).problem(behaviour="pi_b2")
    folds, step = folds_of(problem), 1e-5
    alpha = np.random.default_rng(0).uniform(0.2, 0.6, problem.n_states)
    for fold in (0, 1):
        _, slope = climb(problem, folds, fold, alpha)
        for s in range(problem.n_states):
            nudge = step * np.eye(problem.n_states)[s]
            up, _ = climb(problem, folds, fold, alpha + nudge)
            down, _ = climb(problem, folds, fold, alpha - nudge)
            assert slope[s] == pytest.approx((up - down) / (2 * step), rel=1e-4, abs=1e-7)


def test_the_value_is_that_of_the_policy_on_the_other_fold(golden_case):
    problem = golden_case("garnet2").problem()
    setting, models = folds_of(problem, Absorb(11))
    alpha = np.full(12, 0.3)
    work = kernel.new_work(12, 3)
    kernel.regularise(setting, models.train[0], models.train_reward[0], alpha, work)
    U = kernel.gradient(setting, models, 0, alpha, work, np.empty(12))
    mdp = ts.MDP(problem.task, problem.posterior.table, models.valid[0])
    assert ts.performance(mdp, ts.Policy(work.pi)) == pytest.approx(U, abs=1e-9)


def test_the_ascent_raises_the_mean_value_on_what_was_held_out(golden_case):
    problem = golden_case("ring").problem()
    folds = folds_of(problem)

    def mean_value(psi):
        alpha = psi[np.arange(5) % len(psi)]
        return np.mean([climb(problem, folds, f, alpha)[0] for f in (0, 1)])

    start = np.full(5, 1.0 / problem.batch.n_episodes)
    psi = BOPAH(5).weights(problem)
    assert mean_value(psi) > mean_value(start) + 0.01
    assert (psi >= FLOOR).all()


def test_states_share_weights_by_their_number(golden_case):
    problem = golden_case("garnet2").problem()
    solver = BOPAH(5)
    psi, alpha = solver.weights(problem), solver.alpha(problem)
    expected = np.where(psi <= FLOOR, 0.0, psi)
    assert len(psi) == 5
    assert alpha.tolist() == [expected[s % 5] for s in range(12)]


def test_one_step_follows_the_mean_of_the_clipped_gradients_of_the_folds(golden_case):
    problem = golden_case("garnet2").problem()
    folds, start = folds_of(problem), np.array([0.3, 0.2, 0.4, 0.25, 0.35])
    slopes = np.array([climb(problem, folds, f, start[np.arange(12) % 5])[1] for f in (0, 1)])
    shared = np.array([[slope[d::5].sum() for d in range(5)] for slope in slopes])
    clip = np.median(np.abs(shared))
    expected = start + 0.01 * np.clip(shared, -clip, clip).mean(axis=0)
    assert kernel.ascend(*folds, start, (0.01, clip, FLOOR), 1) == pytest.approx(expected)


def test_the_weights_climb_from_one_over_the_episodes_on_what_each_fold_holds_out(golden_case):
    problem = golden_case("garnet1").problem()
    start = np.full(5, 1.0 / problem.batch.n_episodes)
    expected = kernel.ascend(*folds_of(problem), start, (0.01, 10.0, 1e-3), 3)
    assert BOPAH(5, max_steps=3).weights(problem) == pytest.approx(expected, abs=1e-12)


def test_folds_are_the_episodes_in_the_order_of_the_log():
    # Five episodes of one, two, one, one and one transitions.
    batch = ts.Batch(
        [7, 3, 3, 9, 1, 4], [0] * 6, [0, 1, 1, 2, 2, 0], [0] * 6, [0] * 6, [0] * 6, 1, 3
    )
    problem = ts.Problem(ts.Task(np.zeros((1, 3)), [1], 0.9), batch, ts.Dirichlet.from_batch(batch))
    assert fold_counts(problem, 2).tolist() == [[1, 2, 0], [1, 0, 2]]
    assert fold_counts(problem, 5).sum(axis=1).tolist() == [1, 2, 1, 1, 1]


def test_the_result_is_the_mean_of_the_policies_of_the_folds(golden_case):
    problem = golden_case("chain").problem()
    solver = BOPAH(2)
    alpha, policies = solver.alpha(problem), []
    setting, models = folds_of(problem)
    for f in (0, 1):
        work = kernel.new_work(5, 2)
        kernel.regularise(setting, models.train[f], models.train_reward[f], alpha, work)
        policies.append(work.pi)
    assert solver.solve(problem).probs == pytest.approx(np.mean(policies, axis=0))


def test_impossible_transitions_do_not_change_the_weights(golden_case):
    problem = golden_case("garnet1").problem()
    setting, models = folds_of(problem)
    kept = (np.maximum(models.train, models.valid) > 0.0).any(axis=0)
    assert not kept.all()
    smaller = setting_of(problem, restricted(problem.posterior.table, kept))
    less = models._replace(
        train=np.ascontiguousarray(models.train[:, kept]),
        valid=np.ascontiguousarray(models.valid[:, kept]),
    )
    start, limits = np.full(3, 0.1), (0.01, 10.0, FLOOR)
    full = kernel.ascend(setting, models, start, limits, 20)
    assert kernel.ascend(smaller, less, start, limits, 20) == pytest.approx(full, abs=1e-12)


def test_one_trajectory_is_refused_with_what_to_use_instead(golden_case):
    problem = golden_case("ring").problem()
    n = int(problem.batch.starts[1])
    columns = [getattr(problem.batch, c)[:n] for c in ("episode", "state", "action", "reward")]
    ends = problem.batch.next_state[:n], problem.batch.terminated[:n]
    batch = ts.Batch(*columns, *ends, 5, 3)
    single = ts.Problem(problem.task, batch, ts.Dirichlet.from_batch(batch))
    with pytest.raises(NotSupported, match=r"2 folds need .* but the log has 1: use BRAC"):
        BOPAH().solve(single)


def test_one_fold_is_refused():
    with pytest.raises(InvalidData, match="folds must be at least 2"):
        BOPAH(folds=1)
