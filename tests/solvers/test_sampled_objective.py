"""The sampled objective: exact responses, weights of models, and the gradient they make."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.engine import Engine
from tailsafe.keys import Stream, stream_key
from tailsafe.policy import Policy
from tailsafe.risk import CVaR, Mean, MeanDeviation, VaR, soft_robust
from tailsafe.solvers.sampled_objective import Objective, drawn

KEY = stream_key(3, Stream.IMPROVEMENT)


def problem(discount=0.9):
    rng = np.random.default_rng(0)
    reward = rng.normal(size=(5, 3, 5))
    task = ts.Task(reward, [0.5, 0.5, 0, 0, 0], discount, terminal=[4])
    table = ts.Table.from_mask((rng.uniform(size=(5, 3, 5)) < 0.5) | (np.arange(5) == 4))
    batch = ts.Batch([0], [0], [0], [0.0], [4], [True], 5, 3)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))


def objective(risk, n_models=80, first=20, **rest):
    given, engine = problem(**rest), Engine(workers=2)
    return Objective(given, risk, drawn(given, (first, first + n_models), KEY, engine), engine)


def mixed_policy():
    return Policy(np.random.default_rng(1).dirichlet(np.ones(3), size=5))


@pytest.mark.parametrize("discount", [0.9, 1.0])
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_responses_are_exact_for_every_state_and_action(discount, share):
    judge, policy = objective(Mean(), discount=discount), mixed_policy()
    answer = judge.responses(policy)
    moved, expected = [], []
    for s in range(5):
        for a in range(3):
            probs = policy.probs.copy()
            probs[s] = (1 - share) * probs[s] + share * np.eye(3)[a]
            moved.append(Policy(probs))
            change = share * answer.slope[:, s, a] / (1 - share * answer.bend[:, s, a])
            expected.append(answer.performance + change)
    p = judge.problem
    U = ts.performances(p.posterior, p.task, moved, 20, 100, KEY)
    assert np.allclose(U, expected, rtol=0, atol=1e-10)


def test_visits_add_up_to_the_length_of_the_discounted_future():
    rng = np.random.default_rng(0)
    models = rng.dirichlet(np.ones(3), size=(7, 3, 2))
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 3, 2)
    task = ts.Task(np.zeros((3, 2)), [1, 0, 0], 0.9)
    posterior = ts.Samples(models)
    judge = Objective(ts.Problem(task, batch, posterior), Mean(), posterior, Engine(workers=1))
    visits = judge.responses(Policy.uniform(3, 2)).visits
    assert np.allclose(visits.sum(axis=1), 10.0, rtol=1e-12)


def test_the_value_is_the_risk_of_the_performances_of_the_named_models():
    judge, policy = objective(CVaR(0.25)), mixed_policy()
    p = judge.problem
    u = ts.performances(p.posterior, p.task, [policy], 20, 100, KEY)[0]
    assert judge([policy])[0] == pytest.approx(CVaR(0.25).value(np.sort(u)), abs=1e-12)


def test_cvar_listens_to_the_tail_only_and_var_to_the_ranks_around_it():
    values = np.random.default_rng(0).permutation(80) * 1.0
    tail = objective(CVaR(0.25)).model_weights(values)
    assert np.allclose(tail, np.where(values < 20, 1 / 20, 0.0), atol=1e-8)
    around = objective(VaR(0.25)).model_weights(values)
    assert np.allclose(around, np.where((values == 18) | (values == 19), 0.5, 0.0), atol=1e-8)
    mixed = objective(soft_robust(0.25, 0.5)).model_weights(values)
    assert np.allclose(mixed, 0.5 / 80 + 0.5 * tail, atol=1e-8)


def test_models_of_an_explicit_list_count_by_their_weight():
    weights = np.array([0.4, 0.1, 0.3, 0.2])
    models = np.random.default_rng(0).dirichlet(np.ones(2), size=(4, 2, 1))
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 2, 1)
    task = ts.Task(np.zeros((2, 1)), [1, 0], 0.9)
    posterior = ts.Samples(models, weights)
    judge = Objective(ts.Problem(task, batch, posterior), Mean(), posterior, Engine(workers=1))
    found = judge.model_weights(np.array([3.0, 1.0, 2.0, 0.0]))
    assert np.allclose(found, weights, atol=1e-8)
    assert judge.of_values(np.array([3.0, 1.0, 2.0, 0.0])) == pytest.approx(1.9)


@pytest.mark.parametrize("pay", [1.0, 0.0, -1.0])
def test_at_discount_1_a_switch_that_never_ends_must_not_be_done(pay):
    # Action 0 stays for pay, action 1 ends.
    table = ts.Table.from_rows(2, 2, [[0], [1], [1], [1]])
    task = ts.Task([[pay, 0.5], [0.0, 0.0]], [1, 0], 1.0, terminal=[1])
    batch = ts.Batch([0], [0], [1], [0.5], [1], [True], 2, 2)
    given = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    sample = drawn(given, (0, 3), KEY, Engine(workers=1))
    judge = Objective(given, CVaR(0.5), sample, Engine(workers=1))
    values = judge.switch_values(Policy.from_actions([1, 0], 2))
    assert values[0].tolist() == [-np.inf, 0.5]


class Backwards:
    """An engine whose workers finish in the opposite order."""

    def map_keyed(self, work, keys):
        return [(key, work(key)) for key in reversed(keys)]


def test_models_keep_their_order_whichever_worker_is_first(monkeypatch):
    given, policy = problem(), mixed_policy()
    whole = objective(Mean(), n_models=7)
    expected = whole.responses(policy)
    monkeypatch.setattr("tailsafe.solvers.sampled_objective.ELEMENTS_AT_ONCE", 150)
    sample = drawn(given, (20, 27), KEY, Backwards())
    assert np.array_equal(sample.probability, whole.sample.probability)
    answer = Objective(given, Mean(), sample, Backwards()).responses(policy)
    assert np.allclose(answer.performance, expected.performance, rtol=1e-12)
    assert np.allclose(answer.slope, expected.slope, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "risk", [CVaR(0.25), Mean(), MeanDeviation(0.5), soft_robust(0.25, 0.5)], ids=repr
)
def test_weights_and_slopes_make_the_gradient_of_the_objective(risk):
    judge, policy = objective(risk, n_models=40), mixed_policy()
    answer = judge.responses(policy)
    w = judge.model_weights(answer.performance)
    G = np.tensordot(w, answer.slope, axes=1)
    direction = np.random.default_rng(2).dirichlet(np.ones(3), size=5) - policy.probs
    h = 1e-6
    ahead, behind = (Policy(policy.probs + sign * h * direction) for sign in (1, -1))
    difference = np.diff(judge([behind, ahead]))[0] / (2 * h)
    assert difference == pytest.approx((G * direction).sum(), rel=1e-5)
