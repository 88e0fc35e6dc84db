"""The robust loop: fixed points, agreement with plain backups, ends, and where it must give up."""

from functools import partial

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import NotSupported
from tailsafe.solvers.divergences import worst_chi2, worst_kl
from tailsafe.solvers.natures import worst_l1
from tailsafe.solvers.robust import robust_values


def garnet(seed=0, n_states=8, n_actions=3, **rest):
    rng = np.random.default_rng(seed)
    table = ts.Table.from_mask(rng.uniform(size=(n_states, n_actions, n_states)) < 0.6)
    weight = rng.uniform(size=table.n_entries)
    P = weight / table.sum_rows(weight).ravel()[table.row_of_entry]
    reward = rng.normal(size=(n_states, n_actions, n_states))
    task = ts.Task(reward, np.full(n_states, 1 / n_states), rest.pop("discount", 0.9), **rest)
    return task, table, P


def ball(table, P, size):
    return partial(worst_l1, table, P, np.full(table.n_rows, size))


def test_plain_backups_lead_to_the_same_values():
    task, table, P = garnet()
    nature = ball(table, P, 0.3)
    V, reward = np.zeros(task.n_states), task.entry_reward(table)
    for _ in range(400):
        z = reward + task.discount * V[table.successor]
        V = table.sum_rows(nature(z) * z).max(axis=1)
    found = robust_values(task, table, nature)
    assert np.allclose(found.value, V, rtol=0, atol=1e-11)
    assert found.backups < 15


def test_where_policies_and_nature_chase_each_other_in_a_circle_plain_backups_take_over():
    # Nature chooses the next state. Exact solutions alone go from (6, 1) to (6.2, 6) and back.
    reward = np.array([[[0.6, 0.8], [0.5, 0.2]], [[0.9, 0.1], [-1.0, 0.6]]])
    task, table = ts.Task(reward, [1, 0], 0.9), ts.Table.full(2, 2)
    V = np.zeros(2)
    for _ in range(400):
        V = (reward + 0.9 * V).min(axis=2).max(axis=1)
    found = robust_values(task, table, ball(table, np.full(8, 0.5), np.inf))
    assert found.value == pytest.approx(V, abs=1e-10)


@pytest.mark.parametrize("worst", [worst_kl, worst_chi2])
@pytest.mark.parametrize("seed", [0, 1])
def test_where_nature_answers_smoothly_the_residual_is_rounding(worst, seed):
    task, table, P = garnet(seed, discount=0.99)
    found = robust_values(task, table, partial(worst, table, P, np.full(table.n_rows, 0.3)))
    assert found.residual <= 1e-12 * np.abs(found.action_value).max()


def test_the_residual_is_at_least_what_another_backup_would_change(monkeypatch):
    monkeypatch.setattr("tailsafe.solvers.robust.PRECISION", 1e-4)
    task, table, P = garnet(1, discount=0.99)
    nature = partial(worst_chi2, table, P, np.full(table.n_rows, 0.3))
    found = robust_values(task, table, nature)
    z = task.entry_reward(table) + 0.99 * found.value[table.successor]
    change = np.abs(table.sum_rows(nature(z) * z).max(axis=1) - found.value).max()
    assert 0.0 < change <= found.residual
    assert found.residual <= 1e-4 * np.abs(found.action_value).max()


def test_without_ambiguity_the_optimal_policy_comes_out():
    task, table, P = garnet(1)
    policy, value = ts.solve(ts.MDP(task, table, P))
    found = robust_values(task, table, ball(table, P, 0.0))
    assert found.policy == policy
    assert np.allclose(found.value, value, rtol=0, atol=1e-11)


def test_the_values_are_those_of_the_policy_in_the_model_that_nature_chose():
    task, table, P = garnet(2)
    found = robust_values(task, table, ball(table, P, 0.5))
    mdp = ts.MDP(task, table, found.probability)
    assert ts.performance(mdp, found.policy) == pytest.approx(task.initial @ found.value, abs=1e-11)


def test_terminal_states_are_worth_nothing_and_forbidden_actions_are_not_taken():
    admissible = np.ones((8, 3), bool)
    admissible[:, 0] = False
    task, table, P = garnet(3, terminal=[4], admissible=admissible)
    found = robust_values(task, table, ball(table, P, 0.2))
    assert found.value[4] == 0.0
    assert (np.delete(found.policy.actions, 4) > 0).all()


def test_discount_1_settles_where_nature_cannot_prevent_the_end():
    # Walk right at a cost of 1; nature may slow each step, never stop it.
    table = ts.Table.from_rows(3, 1, [[0, 1], [1, 2], [2]])
    task = ts.Task(-np.ones((3, 1)), [1, 0, 0], 1.0, terminal=[2])
    center = np.array([0.25, 0.75, 0.25, 0.75, 1.0])
    found = robust_values(task, table, ball(table, center, 0.5))
    assert found.value == pytest.approx([-4.0, -2.0, 0.0], rel=1e-10)


def test_discount_1_is_refused_where_nature_keeps_the_process_from_ending():
    table = ts.Table.from_rows(2, 1, [[0, 1], [1]])
    task = ts.Task(-np.ones((2, 1)), [1, 0], 1.0, terminal=[1])
    with pytest.raises(NotSupported, match="use a discount below 1"):
        robust_values(task, table, ball(table, np.array([0.5, 0.5, 1.0]), 1.0))


def test_rounding_of_huge_and_tiny_rewards_does_not_keep_the_loop_busy():
    for scale in (1e-12, 1e12):
        task, table, P = garnet(4)
        scaled = ts.Task(task.reward * scale, task.initial, task.discount)
        plain, found = (robust_values(t, table, ball(table, P, 0.4)) for t in (task, scaled))
        assert np.allclose(found.value / scale, plain.value, rtol=1e-10)
        assert found.backups < 30
