"""Multi-model policies: backward induction by hand, the mean model, and the tail's weights."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.domains import ring
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.policy import Policy
from tailsafe.risk import CVaR
from tailsafe.solvers.multi_model import MultiModel, MultiModelCVaR, MultiModelMean, selected
from tailsafe.solvers.sampled_natures import sampled_models


def random_problem(n_models=7, weights=None, discount=0.9, seed=0):
    rng = np.random.default_rng(seed)
    models = rng.dirichlet(np.full(4, 0.4), size=(n_models, 4, 3))
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 4, 3)
    task = ts.Task(rng.normal(size=(4, 3, 4)), [0.5, 0.5, 0, 0], discount)
    return ts.Problem(task, batch, ts.Samples(models, weights))


def test_the_mean_value_problem_is_the_mean_of_the_sampled_models():
    problem = random_problem()
    assert MultiModelMean().solve(problem) == ts.solve(problem.mean())[0]
    domain = ring()
    batch = ts.simulate(domain, Policy.uniform(5, 3), 5, 8, 0)
    drawn = ts.Problem(domain.task, batch, ts.Dirichlet.from_batch(batch))
    mean = drawn.models(9, 4).mean(axis=0)
    expected = ts.solve(ts.MDP(domain.task, drawn.posterior.table, mean))[0]
    assert MultiModelMean(9).solve(drawn, seed=4) == expected


def test_weight_select_update_is_backward_induction_with_one_value_a_model():
    weights = np.random.default_rng(1).dirichlet(np.ones(7))
    problem = random_problem(weights=weights)
    T, R = problem.posterior.table.dense(problem.posterior.probability), problem.task.reward
    V, actions = np.zeros((7, 4)), None
    for _ in range(500):
        Q = (T * (R + 0.9 * V[:, None, None, :])).sum(axis=-1)
        actions = np.einsum("m,msa->sa", weights, Q).argmax(axis=1)
        V = Q[:, np.arange(4), actions]
    assert np.array_equal(MultiModel().solve(problem).actions, actions)


def test_terminal_states_are_worth_nothing_in_any_model():
    plain = random_problem(seed=5)
    task = ts.Task(plain.task.reward, [0.5, 0.5, 0, 0], 0.9, terminal=[3])
    problem = ts.Problem(task, plain.batch, plain.posterior)
    T = problem.posterior.table.dense(problem.posterior.probability)
    V, actions = np.zeros((7, 4)), None
    for _ in range(500):
        Q = (T * (task.reward + 0.9 * V[:, None, None, :])).sum(axis=-1)
        Q[:, 3] = 0.0
        actions = Q.mean(axis=0).argmax(axis=1)
        V = Q[:, np.arange(4), actions]
    assert not np.array_equal(actions[:3], MultiModel().solve(plain).actions[:3])
    assert np.array_equal(MultiModel().solve(problem).actions[:3], actions[:3])


def test_the_horizon_reaches_as_far_as_the_discount_lets_it_matter():
    # Staying pays a little at each step, the end of a long way right a lot.
    n = 21
    T, reward = np.zeros((1, n, 2, n)), np.zeros((n, 2))
    T[0, np.arange(n), 0, np.arange(n)] = 1.0
    T[0, np.arange(n), 1, np.minimum(np.arange(n) + 1, n - 1)] = 1.0
    reward[:, 0], reward[n - 1] = 0.1, 10.0
    batch = ts.Batch([0], [0], [0], [0.1], [0], [False], n, 2)
    problem = ts.Problem(ts.Task(reward, np.eye(n)[0], 0.9), batch, ts.Samples(T))
    assert MultiModel().solve(problem).actions[:-1].tolist() == [1] * (n - 1)


def test_of_one_model_it_is_the_optimal_policy():
    problem = random_problem(n_models=1)
    best = ts.solve(problem.mean())[0]
    assert MultiModel().solve(problem) == best
    assert MultiModelCVaR(0.25).solve(problem) == best


def test_the_cvar_form_has_the_best_cvar_of_the_policies_it_met():
    better = 0
    for seed in range(10):
        problem = random_problem(n_models=20, seed=seed)
        policies = [MultiModel().solve(problem), MultiModelCVaR(0.25).solve(problem)]
        U = np.sort(ts.performances(problem.posterior, problem.task, policies, 0, 20, 0), axis=1)
        plain, tail = (CVaR(0.25).value(u) for u in U)
        assert tail >= plain - 1e-12
        better += tail > plain + 1e-9
    assert better >= 3


def test_the_tail_is_played_against_with_the_mean_of_all_answers_so_far(monkeypatch):
    weights = np.random.default_rng(2).dirichlet(np.ones(7))
    problem, asked = random_problem(weights=weights, seed=3), []

    def spied(given, models, played):
        policy = selected(given, models, played)
        asked.append((played, policy))
        return policy

    monkeypatch.setattr("tailsafe.solvers.multi_model.selected", spied)
    found = MultiModelCVaR(0.25, rounds=4).solve(problem)
    answers, values = [weights], []
    for played, policy in asked:
        assert played == pytest.approx(np.mean(answers, axis=0))
        u = ts.performances(problem.posterior, problem.task, [policy], 0, 7, 0)[0]
        left, answer = 0.25, np.zeros(7)
        for m in np.argsort(u):
            answer[m] = min(weights[m], left) / 0.25
            left -= min(weights[m], left)
        answers.append(answer)
        values.append(answer @ u)
    assert len(asked) == 4
    assert found == asked[int(np.argmax(np.round(values, 12)))][1]


def test_policies_are_judged_on_the_models_that_they_were_made_for(monkeypatch):
    asked = []

    def spied(posterior, task, policies, first, last, key, engine):
        asked.append((first, last, key))
        return ts.performances(posterior, task, policies, first, last, key, engine)

    monkeypatch.setattr("tailsafe.solvers.multi_model.performances", spied)
    domain = ring()
    batch = ts.simulate(domain, Policy.uniform(5, 3), 5, 8, 0)
    problem = ts.Problem(domain.task, batch, ts.Dirichlet.from_batch(batch))
    MultiModelCVaR(0.25, 9, rounds=2).solve(problem, seed=4)
    assert asked == [(0, 9, ts.Key(4, ts.Stream.CANDIDATES))] * 2


def test_selection_listens_to_the_weights():
    problem = random_problem()
    models = sampled_models(problem, 7, 0)
    for m in range(7):
        alone = selected(problem, models, np.eye(7)[m])
        mdp = ts.MDP(problem.task, models.table, models.probability[m])
        assert alone == ts.solve(mdp)[0]


def test_discount_0_looks_one_step_ahead_and_1_must_end():
    assert (
        MultiModel().solve(random_problem(discount=0.0))
        == ts.solve(random_problem(discount=0.0).mean())[0]
    )
    table = ts.Table.from_rows(2, 2, [[0], [0, 1], [1], [1]])
    task = ts.Task([[1.0, 0.0], [0.0, 0.0]], [1, 0], 1.0, terminal=[1])
    batch = ts.Batch([0], [0], [1], [0.0], [1], [True], 2, 2)
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    with pytest.raises(NotSupported, match="use a discount below 1"):
        MultiModel(5).solve(problem)


def test_parameters_are_checked():
    for kind in (MultiModelMean, MultiModel):
        with pytest.raises(InvalidData, match="n_models must be a positive whole number"):
            kind(0)
    with pytest.raises(InvalidData, match="level must be in"):
        MultiModelCVaR(0.0)
    with pytest.raises(InvalidData, match="rounds must be a positive whole number"):
        MultiModelCVaR(0.25, 10, 0)
