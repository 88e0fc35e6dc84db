"""VI-LCB: values less their bounds, never below the worst."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.solvers.vi_lcb import VILCB, BernsteinVILCB
from tailsafe.values import action_values


def test_hoeffding_takes_off_the_width_of_values_over_the_root_of_visits(bandit):
    problem = bandit([0.0, 0.9, 1.0], [900, 400, 1])
    # Three pairs that can be used; values lie within 1 / (1 - 0.9) = 10.
    b = 0.1 * 10.0 * np.sqrt(np.log(2 * 3 / 0.1) / (2 * np.array([900, 400, 1])))
    expected = np.maximum(np.array([0.0, 0.9, 1.0]) - b, 0.0)
    assert VILCB(0.1, scale=0.1).values(problem)[0] == pytest.approx(expected)
    assert VILCB(0.1, scale=0.1).solve(problem).actions[0] == 1


@pytest.mark.parametrize("kind", [VILCB, BernsteinVILCB])
def test_where_all_rewards_are_the_same_pairs_never_tried_are_worth_no_more(bandit, kind):
    assert kind(0.1).values(bandit([0.0, 0.0, 0.0], [5, 0, 1])).max() == 0.0


def test_bernstein_takes_off_little_where_the_next_value_is_certain(bandit):
    visits = np.array([9_000, 4_000, 0])
    problem = bandit([0.0, 0.9, 1.0], visits)
    N = visits[:2]
    b = np.minimum(2 * 10.0 * np.log(N * 10.0 / 0.1) / N, 10.0) + 5.0 / N
    expected = np.maximum(np.array([0.0, 0.9]) - b, 0.0)
    assert BernsteinVILCB(0.1).values(problem)[0] == pytest.approx([*expected, 0.0])


def test_bernstein_takes_off_the_deviation_of_the_next_value(golden_case):
    problem = golden_case("ring").problem()
    task, table, scale = problem.task, problem.posterior.table, 1e-3
    Q = BernsteinVILCB(0.1, scale=scale).values(problem)
    V, N, P = Q.max(axis=1), problem.visits(), problem.nominal().transition
    deviation = np.sqrt(np.maximum(P @ V**2 - (P @ V) ** 2, 0.0))
    width = np.ptp(task.entry_reward(table))
    log = np.log(N * 10.0 / 0.1)
    spread = np.maximum(np.sqrt(log / N) * deviation, 2 * 10.0 * width * log / N)
    b = scale * (np.minimum(spread, 10.0 * width) + 5 * width / N)
    expected = np.maximum(action_values(problem.nominal(), V) - b, 0.0)
    assert np.allclose(Q, expected, rtol=0, atol=1e-9)


def test_a_terminal_state_is_worth_nothing_though_the_worst_is_less(bandit):
    problem = bandit([-1.0, -0.5], [400, 400])
    b = 0.01 * 5.0 * np.sqrt(np.log(2 * 2 / 0.1) / (2 * 400))
    Q = VILCB(0.1, scale=0.01).values(problem)
    assert Q[0] == pytest.approx([-1.0 - b, -0.5 - b])
    assert Q[1].tolist() == [0.0, 0.0]
    assert BernsteinVILCB(0.1).values(problem)[1].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("kind", [VILCB, BernsteinVILCB])
def test_what_must_not_be_taken_is_not_hoped_for_though_the_log_has_it(golden_case, kind):
    plain = golden_case("garnet3").problem()
    allowed = np.ones((20, 4), bool)
    allowed[np.arange(20), ts.solve(plain.nominal())[0].actions] = False
    task = ts.Task(plain.task.reward, plain.task.initial, 0.9, admissible=allowed)
    given = ts.Policy.uniform(20, 4, allowed)
    problem = ts.Problem(task, plain.batch, plain.posterior, given)
    Q = np.where(allowed, kind(scale=0.0).values(problem), -np.inf)
    assert Q.max(axis=1) == pytest.approx(ts.solve(problem.nominal())[1], abs=1e-9)


@pytest.mark.parametrize("kind", [VILCB, BernsteinVILCB])
def test_values_are_lower_bounds_of_those_on_the_model_and_reach_them_without_a_bound(
    golden_case, kind
):
    problem = golden_case("garnet3").problem()
    optimal = ts.solve(problem.nominal())[1]
    V = [kind(scale=scale).values(problem).max(axis=1) for scale in (0.0, 1e-3, 1e-2, 1.0)]
    assert V[0] == pytest.approx(optimal, abs=1e-9)
    assert (np.diff(V, axis=0) <= 1e-9).all()
    assert (V[2] < V[1] - 1e-6).all()


def test_discount_1_and_bad_parameters_are_refused(bandit):
    for kind in (VILCB, BernsteinVILCB):
        with pytest.raises(NotSupported, match="use a discount below 1"):
            kind().solve(bandit([1.0, 0.0], [1, 1], discount=1.0))
        with pytest.raises(InvalidData, match="scale"):
            kind(scale=-1.0)
    assert BernsteinVILCB(0.1, 0.5).name == "BernsteinVILCB(0.1, scale 0.5)"
