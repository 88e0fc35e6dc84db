"""s-rectangular L1: backups against linear programs, and what mixing buys."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import linprog

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.solvers.natures import worst_l1
from tailsafe.solvers.robust import Answer, robust_values, settled
from tailsafe.solvers.s_rectangular import SRectangularL1, state_answer

S, A = 4, 3


def instance(seed, terminal=()):
    rng = np.random.default_rng(seed)
    table = ts.Table.full(S, A)
    center = rng.dirichlet(np.ones(S), size=(S, A)).ravel()
    allowed = np.ones((S, A), bool)
    allowed[0, 1] = False
    reward = np.round(rng.normal(size=(S, A, S)), 1)
    task = ts.Task(reward, np.full(S, 1 / S), 0.9, terminal=list(terminal), admissible=allowed)
    return task, table, center, rng.uniform(0.0, 2.0, S), rng.normal(size=S)


def l1_program(z, center, budget, cost):
    """Return the least cost @ (values of the actions), or their least maximum, of nature."""
    k, n = z.shape
    eye, one = np.eye(k * n), np.ones(k * n)
    # Variables: p[a, t], d[a, t] >= |p - center|, and the maximum.
    rows = [
        np.hstack([eye, -eye, np.zeros((k * n, 1))]),
        np.hstack([-eye, -eye, np.zeros((k * n, 1))]),
        np.concatenate([0 * one, one, [0]])[None],
    ]
    limits = [center.ravel(), -center.ravel(), [budget]]
    values = np.zeros((k, k * n))
    for a in range(k):
        values[a, a * n : (a + 1) * n] = z[a]
    if cost is None:
        rows.append(np.hstack([values, np.zeros((k, k * n)), -np.ones((k, 1))]))
        limits.append(np.zeros(k))
    goal = np.concatenate([0 * one if cost is None else cost @ values, 0 * one, [cost is None]])
    sums = np.hstack([np.kron(np.eye(k), np.ones(n)), np.zeros((k, k * n + 1))])
    bounds = [(0, 1)] * (k * n) + [(0, None)] * (k * n) + [(None, None)]
    return linprog(goal, np.vstack(rows), np.concatenate(limits), sums, np.ones(k), bounds).fun


@pytest.mark.parametrize("seed", range(4))
def test_the_backup_and_its_policy_are_worth_what_the_linear_programs_say(seed):
    task, table, center, budget, V = instance(seed)
    answer = state_answer(task, table, center, budget, V)
    z = task.reward + 0.9 * V
    for s in range(S):
        allowed = task.admissible[s]
        game = (z[s][allowed], center.reshape(S, A, S)[s][allowed], budget[s])
        assert answer.best[s] == pytest.approx(l1_program(*game, None), abs=1e-8)
        assert l1_program(*game, answer.probs[s][allowed]) == pytest.approx(
            answer.best[s], abs=1e-7
        )
        assert (answer.probs[s][~allowed] == 0.0).all()


def test_nature_keeps_its_budget_and_q_is_what_it_chose():
    task, table, center, budget, V = instance(5)
    answer = state_answer(task, table, center, budget, V)
    distance = table.sum_rows(np.abs(answer.probability - center)).sum(axis=1)
    assert (distance <= budget + 1e-9).all()
    z = task.entry_reward(table) + 0.9 * V[table.successor]
    assert np.allclose(answer.Q, table.sum_rows(answer.probability * z), rtol=0, atol=1e-12)


def test_terminal_states_are_worth_nothing_and_take_the_first_action():
    task, table, center, budget, V = instance(5, terminal=[2])
    answer = state_answer(task, table, center, budget, V)
    assert answer.Q[2].tolist() == [0.0, 0.0, 0.0]
    assert answer.best[2] == 0.0
    assert answer.probs[2].tolist() == [1.0, 0.0, 0.0]


def test_without_a_budget_it_plans_on_the_center_and_with_all_of_it_for_the_worst():
    task, table, center, _, _ = instance(6, terminal=[3])
    none = settled(task, table, partial(state_answer, task, table, center, np.zeros(S)))
    policy, value = ts.solve(ts.MDP(task, table, center))
    assert np.allclose(none.value, value, rtol=0, atol=1e-9)
    assert np.allclose(none.policy.probs[:3], policy.probs[:3])
    most = settled(task, table, partial(state_answer, task, table, center, np.full(S, 2.0 * A)))
    z = task.reward + 0.9 * most.value
    worst = np.where(task.admissible, z.min(axis=2), -np.inf).max(axis=1)
    assert np.allclose(most.value[:3], worst[:3], rtol=0, atol=1e-9)
    assert most.value[3] == 0.0


def test_mixing_is_worth_more_than_the_best_single_action_with_the_same_budget():
    task, table, center, budget, _ = instance(1)
    found = settled(task, table, partial(state_answer, task, table, center, budget))

    nature = partial(worst_l1, table, center, np.repeat(budget, A))

    single = robust_values(task, table, nature)
    assert (found.value >= single.value - 1e-9).all()
    assert found.value.max() > single.value.max() + 1e-3
    assert not found.policy.deterministic
    assert found.residual < 1e-9


def test_the_budget_is_the_quantile_of_the_distance_of_a_state():
    models = np.random.default_rng(0).dirichlet(np.ones(3), size=(50, 3, 2))
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 3, 2)
    task = ts.Task(np.ones((3, 2)), [1, 0, 0], 0.9, terminal=[2])
    problem = ts.Problem(task, batch, ts.Samples(models))
    total = np.abs(models - models.mean(axis=0)).sum(axis=(2, 3))
    expected = 0.5 * np.quantile(total, 1 - 0.25 / 2, axis=0)
    found = SRectangularL1(0.75, 0.5).budgets(problem)
    assert np.allclose(found[:2], expected[:2], rtol=1e-12)
    assert found[2] == 0.0


@pytest.mark.parametrize("weight", [0.25, 1.0])
def test_where_the_worst_case_is_worth_nothing_rounding_ends_the_iteration(golden_case, weight):
    # Nature can always keep the agent from the goal: values are noise around 0.
    case = golden_case("lake4")
    log = case["episodes"]
    columns = (log[:, k] for k in (0, 2, 3, 4, 5))
    batch = ts.Batch(*columns, np.zeros(len(log), bool), 16, 4)
    task = ts.Task(case["R"], case["mu0"], 0.9)
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))
    found = SRectangularL1(0.75, weight).solve(problem)
    assert np.allclose(found.probs.sum(axis=1), 1.0)


def test_an_operator_that_never_settles_is_given_up_with_its_residual():
    task = ts.Task(np.ones((2, 1)), [1.0, 0.0], 0.9)
    table, noise = ts.Table.full(2, 1), np.random.default_rng(0)

    def restless(V):
        best = np.ones(2) + 0.9 * V + noise.uniform(0.0, 0.1, 2)
        return Answer(best[:, None], np.full(4, 0.5), np.ones((2, 1)), best)

    found = settled(task, table, restless)
    assert found.residual > 1e-6
    assert found.backups < 1_000


def test_parameters_are_checked():
    with pytest.raises(InvalidData, match="confidence must be in"):
        SRectangularL1(0.0)
    with pytest.raises(InvalidData, match="weight must be positive"):
        SRectangularL1(0.5, 0.0)
    with pytest.raises(InvalidData, match="n_models must be a positive whole number"):
        SRectangularL1(0.5, 1.0, 0)
