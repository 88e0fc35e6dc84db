"""Planning against brute force, closed forms, and two programs that are not ours."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailsafe.domains import start_in
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.solvers import model, planning
from tailsafe.solvers.planning import (
    improved,
    modified_policy_iteration,
    solve,
    solve_discounted,
    value_iteration,
)
from tailsafe.table import Table
from tailsafe.task import Task
from tailsafe.unseen import Absorb, Zero
from tailsafe.values import state_values

CASES = ["ring", "chain", "garnet1", "garnet2", "garnet3", "lake4"]


def random_mdp(seed, n_states=4, n_actions=3, discount=0.9, restricted=True):
    """A random model; restricted: state 1 is terminal, some pairs are inadmissible."""
    rng = np.random.default_rng(seed)
    allowed = rng.random((n_states, n_actions)) < 0.7
    allowed[np.arange(n_states), rng.integers(n_actions, size=n_states)] = True
    reward = rng.normal(size=(n_states, n_actions, n_states))
    rules = {"terminal": [1], "admissible": allowed} if restricted else {}
    task = Task(reward, np.full(n_states, 1 / n_states), discount, **rules)
    return MDP.dense(task, rng.dirichlet(np.full(n_states, 0.5), size=(n_states, n_actions)))


def every_policy(mdp):
    """All deterministic admissible policies; in terminal states action 0 only."""
    task = mdp.task
    choices = [
        [0] if task.terminal[s] else np.nonzero(task.admissible[s])[0] for s in range(task.n_states)
    ]
    return [Policy.from_actions(actions, task.n_actions) for actions in product(*choices)]


def banded_mdp(n_states, discount):
    """Many states, few next states each: ahead, back, far ahead."""
    rng = np.random.default_rng(5)
    s = np.arange(n_states).repeat(2)
    near = np.stack([s - 1, s, s + 1, s + 7], axis=1).clip(0, n_states - 1)
    table = Table.from_rows(n_states, 2, near)
    draws = rng.random(table.n_entries)
    probability = draws / table.sum_rows(draws).ravel()[table.row_of_entry]
    task = Task(rng.random((n_states, 2)), start_in(0, n_states), discount)
    return MDP(task, table, probability)


# Policy iteration


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.5, 0.95]))
def test_no_policy_is_better_in_any_state_than_the_one_found(seed, discount):
    mdp = random_mdp(seed, discount=discount)
    policy, V = solve(mdp)
    best = np.max([state_values(mdp, other) for other in every_policy(mdp)], axis=0)
    assert pytest.approx(best, abs=1e-10) == V
    assert pytest.approx(V, abs=1e-12) == state_values(mdp, policy)


def test_another_discount_than_the_tasks_is_planned_with():
    mdp = random_mdp(3, discount=0.9)
    short = MDP(
        Task(mdp.task.reward, mdp.task.initial, 0.3, [1], mdp.task.admissible),
        mdp.table,
        mdp.probability,
    )
    policy, V = solve_discounted(mdp, 0.3)
    assert policy == solve(short)[0]
    assert np.array_equal(V, solve(short)[1])
    with pytest.raises(InvalidData, match=r"discount must be in \[0, 1\], got 1.5"):
        solve_discounted(mdp, 1.5)


@pytest.mark.parametrize(("gap", "chosen"), [(0.0, 0), (1e-11, 0), (1e-7, 2)])
def test_of_equal_actions_the_lowest_is_taken_and_differences_of_rounding_are_none(gap, chosen):
    reward = np.array([[1.0, 0.0, 1.0 + gap], [0.5, 0.5, 0.5]])
    mdp = MDP.dense(Task(reward, [1, 0], 0.9), np.full((2, 3, 2), 0.5))
    policy, _ = solve(mdp)
    assert policy.actions.tolist() == [chosen, 0]


def test_rounding_is_measured_on_the_scale_of_the_values():
    reward = 1e6 * np.array([[1.0, 1.0 + 1e-11], [0.0, 0.0]])
    mdp = MDP.dense(Task(reward, [1, 0], 0.9), np.full((2, 2, 2), 0.5))
    assert solve(mdp)[0].actions.tolist() == [0, 0]


def test_ties_do_not_replace_what_is_there():
    Q, everything = np.array([[1.0, 1.0], [0.0, 2.0]]), np.ones((2, 2), bool)
    assert improved(Q, np.array([1, 0]), everything).tolist() == [1, 1]


def test_an_inadmissible_action_is_never_taken_however_good():
    reward = np.array([[5.0, 1.0], [0.0, 0.0]])
    task = Task(reward, [1, 0], 0.9, admissible=[[False, True], [True, True]])
    policy, V = solve(MDP.dense(task, np.eye(2)[[[0, 0], [1, 1]]]))
    assert policy.actions[0] == 1
    assert V[0] == pytest.approx(10.0)


def test_a_terminal_state_needs_no_admissible_action():
    mdp = random_mdp(2)
    allowed = mdp.task.admissible.copy()
    allowed[1] = False
    task = Task(mdp.task.reward, mdp.task.initial, 0.9, terminal=[1], admissible=allowed)
    closed = MDP(task, mdp.table, mdp.probability)
    assert np.array_equal(solve(closed)[1], solve(mdp)[1])
    assert value_iteration(closed).value == pytest.approx(solve(mdp)[1], abs=1e-8)


def test_what_is_inadmissible_does_not_set_the_scale_of_ties():
    reward = np.array([[1e12, 1.0, 1.1], [0.0, 0.0, 0.0]])
    task = Task(reward, [1, 0], 0.9, admissible=[[False, True, True], [True] * 3])
    assert solve(MDP.dense(task, np.full((2, 3, 2), 0.5)))[0].actions[0] == 2


def test_sparse_rows_give_what_dense_rows_give(monkeypatch):
    mdp = random_mdp(8, n_states=30)
    policy, V = solve(mdp)
    approximate = modified_policy_iteration(mdp)
    monkeypatch.setattr(model, "DENSE_ELEMENTS", 0)
    for states in (2_000, 1):
        monkeypatch.setattr(model, "DENSE_STATES", states)
        assert solve(mdp)[0] == policy
        assert solve(mdp)[1] == pytest.approx(V, abs=1e-12)
    assert modified_policy_iteration(mdp).value == pytest.approx(approximate.value, abs=1e-12)


# Discount 1


def ladder(prices):
    """Three rungs and an end: action 0 climbs one rung, 1 jumps to the end; both cost."""
    T = np.zeros((4, 2, 4))
    T[[0, 1, 2], 0, [1, 2, 3]] = T[:, 1, 3] = T[3, :, 3] = 1.0
    return MDP.dense(Task(-np.array(prices), np.eye(4)[0], 1.0, terminal=[3]), T)


def test_undiscounted_the_cheapest_way_to_the_end_is_taken():
    policy, V = solve(ladder([[1.0, 5.0], [1.0, 1.5], [1.0, 9.0], [0.0, 0.0]]))
    assert policy.actions.tolist() == [0, 1, 0, 0]
    assert pytest.approx([-2.5, -1.5, -1.0, 0.0]) == V


@pytest.mark.parametrize("forbidden", [[], [2]], ids=["ends at once", "leads to the end"])
def test_undiscounted_a_forbidden_end_is_not_taken_though_it_is_cheaper(forbidden):
    # State 0 ends for nothing, which is forbidden, or for 1; state 1 ends for 1, or goes to 0.
    allowed = np.array([[False, True], [True, True], [True, True]])
    task = Task([[0.0, -1.0], [-0.5, -1.0], [0.0, 0.0]], [0.5, 0.5, 0], 1.0, [2], allowed)
    table = Table.from_rows(3, 2, [forbidden, [2], [0], [2], [2], [2]])
    policy, V = solve(MDP(task, table, np.ones(table.n_entries)))
    assert policy.actions.tolist() == [1, 1, 0]
    assert V.tolist() == [-1.0, -1.0, 0.0]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_undiscounted_no_policy_that_ends_is_better(seed):
    mdp = random_mdp(seed, discount=1.0)
    costs = MDP(
        Task(-np.abs(mdp.task.reward), mdp.task.initial, 1.0, [1], mdp.task.admissible),
        mdp.table,
        mdp.probability,
    )
    best = np.max([state_values(costs, policy) for policy in every_policy(costs)], axis=0)
    assert solve(costs)[1] == pytest.approx(best, abs=1e-9)


def loop(reward):
    """Action 0 stays for a reward, action 1 ends for nothing."""
    T = np.zeros((2, 2, 2))
    T[0, 0, 0] = T[0, 1, 1] = T[1, :, 1] = 1.0
    return MDP.dense(Task([[reward, 0.0], [0.0, 0.0]], [1, 0], 1.0, terminal=[1]), T)


def test_undiscounted_going_round_for_free_is_not_preferred_to_an_end():
    policy, V = solve(loop(0.0))
    assert policy.actions[0] == 1
    assert V.tolist() == [0.0, 0.0]


def test_undiscounted_going_round_for_pay_is_refused():
    with pytest.raises(NotSupported, match="use a discount below 1"):
        solve(loop(1.0))


def test_undiscounted_a_state_that_cannot_end_is_refused():
    task = Task(np.zeros((3, 1)), np.eye(3)[0], 1.0, terminal=[2])
    with pytest.raises(NotSupported, match=r"from state 0 \(2 such states\)"):
        solve(MDP.dense(task, np.eye(3)[[[1], [0], [2]]]))
    chained = MDP.dense(Task(np.zeros((2, 1)), [1, 0], 0.9), np.full((2, 1, 2), 0.5))
    with pytest.raises(NotSupported, match="needs states where episodes end"):
        solve_discounted(chained, 1.0)


# Iterations with a bound


@pytest.mark.parametrize("restricted", [False, True])
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("iterate", [value_iteration, modified_policy_iteration])
def test_iterations_are_as_near_to_the_optimum_as_they_say(seed, iterate, restricted):
    mdp = random_mdp(seed, n_states=12, discount=0.95, restricted=restricted)
    _, V = solve(mdp)
    for precision in (1.0, 1e-3, 1e-9):
        found = iterate(mdp, precision)
        assert found.converged
        assert found.error <= precision
        assert np.abs(found.value - V).max() <= found.error + 1e-12
        assert (V - state_values(mdp, found.policy)).max() <= 2 * found.error + 1e-12


@pytest.mark.parametrize("restricted", [False, True])
@pytest.mark.parametrize("sweeps", [1, 2, 5])
def test_a_spent_budget_is_a_value_and_its_bound_holds_all_the_same(sweeps, restricted):
    mdp = random_mdp(1, n_states=12, discount=0.95, restricted=restricted)
    found = value_iteration(mdp, max_sweeps=sweeps)
    assert not found.converged
    assert found.sweeps == sweeps
    assert 1e-9 < np.abs(found.value - solve(mdp)[1]).max() <= found.error


def test_the_bound_counts_episodes_that_end_outside_terminal_states():
    # State 0 goes to a bad state for 1, or ends for nothing; all values fall in the second sweep.
    task = Task([[1.0, 0.0], [-100.0, -100.0]], [1, 0], 0.9)
    mdp = MDP(task, Table.from_rows(2, 2, [[1], [], [1], [1]]), np.ones(3))
    found = value_iteration(mdp, max_sweeps=2)
    assert solve(mdp)[1] == pytest.approx([0.0, -1000.0])
    assert np.abs(found.value - [0.0, -1000.0]).max() <= found.error


def test_following_the_greedy_policy_saves_sweeps():
    mdp = random_mdp(1, n_states=12, discount=0.99)
    plain, modified = value_iteration(mdp), modified_policy_iteration(mdp)
    assert modified.sweeps < plain.sweeps / 5
    assert modified.value == pytest.approx(plain.value, abs=2e-9)


def test_what_iteration_cannot_do_is_refused():
    with pytest.raises(NotSupported, match="no error bound at discount 1: use solve"):
        value_iteration(ladder(np.ones((4, 2))))
    with pytest.raises(InvalidData, match="precision must be positive, got 0"):
        value_iteration(random_mdp(0), precision=0)
    with pytest.raises(InvalidData, match="max_sweeps must be a positive whole number"):
        value_iteration(random_mdp(0), max_sweeps=0)


def test_a_large_sparse_problem_is_solved_to_the_bound():
    mdp = banded_mdp(3_000, 0.98)
    found = modified_policy_iteration(mdp, precision=1e-7)
    _, V = solve(mdp)
    assert found.converged
    assert np.abs(found.value - V).max() <= found.error + 1e-11


@pytest.mark.slow
def test_the_bound_of_a_hundred_thousand_states_agrees_with_the_residual():
    mdp = banded_mdp(100_000, 0.98)
    found = modified_policy_iteration(mdp, precision=1e-6)
    rows = model.model_of(mdp, 0.98)
    residual = np.abs(rows.backup(found.value).max(axis=1) - found.value).max()
    assert found.converged
    assert residual / (1 - 0.98) <= 2e-6


# Other programs: QuantEcon 0.11.4 and pymdptoolbox (tests/golden)


def agrees(policy, V, expected_policy, expected_V, gap):
    """Values to 1e-9; actions where the second best is worse by more than that."""
    assert pytest.approx(expected_V, abs=1e-9) == V
    clear = gap > 1e-9
    assert np.array_equal(policy.actions[clear], expected_policy[clear])


@pytest.mark.parametrize("name", CASES)
def test_the_optimum_of_the_truth_is_that_of_other_programs(golden_case, name):
    case = golden_case(name)
    policy, V = solve(case.truth())
    for program in ("quantecon", "mdptoolbox", "rcraam", "evc"):
        agrees(policy, V, case[f"opt_policy_{program}"], case["opt_V"], case["opt_gap"])
    assert planning.model_of(case.truth(), 0.9).backup(V) == pytest.approx(case["opt_Q"], abs=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_the_most_likely_model_is_solved_as_by_other_programs(golden_case, name):
    case = golden_case(name)
    problem, worst = case.problem(), int(case["S"]) - 1
    absorbed = problem.nominal(Absorb(worst))
    for prefix, mdp in (("trivial", problem.nominal()), ("trivial_absorb", absorbed)):
        policy, V = solve(mdp)
        for program in ("quantecon", "mdptoolbox"):
            expected = case[f"{prefix}_policy_{program}"]
            agrees(policy, V, expected, case[f"{prefix}_V"], case[f"{prefix}_gap"])
    assert np.allclose(absorbed.transition, case["T_hat_absorb"], rtol=0, atol=1e-15)
    zero = problem.nominal(Zero()).transition
    assert np.allclose(zero, case["T_hat_zero"], rtol=0, atol=1e-15)


@pytest.mark.parametrize("discount", ["0.2", "0.4", "0.6", "0.8", "0.9"])
@pytest.mark.parametrize("name", CASES)
def test_lower_discounts_are_planned_with_as_by_other_programs(golden_case, name, discount):
    case = golden_case(name)
    nominal = case.problem().nominal()
    policy, V = solve_discounted(nominal, float(discount))
    Q = np.sort(model.model_of(nominal, float(discount)).backup(V), axis=1)
    expected = (case[f"trivial_policy_gamma{discount}"], case[f"trivial_V_gamma{discount}"])
    agrees(policy, V, *expected, gap=Q[:, -1] - Q[:, -2])


@pytest.mark.parametrize("name", CASES)
def test_sampled_models_are_solved_as_by_other_programs(golden_case, name):
    case = golden_case(name)
    sampled = case["P_first"] if "P_first" in case else case["P"][:3]
    for i, T in enumerate([*sampled, case["T_hat"]]):
        for j, discount in enumerate(case["cand_gammas"]):
            policy, V = solve_discounted(MDP.dense(case.task(), T), float(discount))
            expected = (case["cand_policy_quantecon"][i, j], case["cand_V"][i, j])
            agrees(policy, V, *expected, case["cand_gap"][i, j])


@pytest.mark.parametrize("name", CASES)
def test_given_policies_have_the_values_that_numpy_gave(golden_case, name):
    case = golden_case(name)
    estimated = case.problem().nominal()
    for k, probs in enumerate(case["perf_policies"]):
        for mdp, expected in ((case.truth(), "perf_u_true"), (estimated, "perf_u_mle")):
            u = mdp.task.initial @ state_values(mdp, Policy(probs))
            assert u == pytest.approx(case[expected][k], abs=1e-10)
