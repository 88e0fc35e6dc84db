"""Every estimator: equal policies, enumeration, refusals; and what is special to each."""

from itertools import product

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.estimators import choose
from tailsafe.estimators.doubly_robust import control_of, corrected
from tailsafe.estimators.fitted_q import Fitted, fitted
from tailsafe.estimators.magic import least_on_simplex
from tailsafe.estimators.weights import episodes_of, weighted
from tailsafe.unseen import Self, Zero
from tailsafe.values import action_values, state_values

E = ts.estimators
WEIGHTED = [E.IS, E.WIS, E.PDIS, E.WPDIS, E.DR, E.WDR, E.MAGIC]
EVERY = [
    *(kind(min_effective=0.0) for kind in WEIGHTED),
    *(E.UnO(ts.Mean(), 0.0), E.SelfNormalisedUnO(ts.Mean(), 0.0)),
    *(E.FQE(), E.DirectMethod(), E.PessimisticFQE(min_effective=0.0), E.BVFT()),
]
BEHAVIOUR = ts.Policy([[0.5, 0.5], [0.25, 0.75], [0.6, 0.4]])
TARGET = ts.Policy([[0.8, 0.2], [0.5, 0.5], [1.0, 0.0]])


def world():
    """Return a domain that ends after two steps: 0 -> 1 -> end, or ends at once."""
    T = np.zeros((3, 2, 3))
    T[0, 0, [1, 2]] = 0.75, 0.25
    T[0, 1, [1, 2]] = 0.5, 0.5
    T[1, :, 2] = T[2, :, 2] = 1.0
    R = np.array([[1.0, 0.2], [0.5, 2.0], [0.0, 0.0]])
    task = ts.Task(R, [1.0, 0.0, 0.0], 0.9, terminal=[2])
    return ts.domains.dense_domain("short", task, T, "made for this test")


def episodes_of_world(domain, policy):
    """Return all possible episodes as lists of (s, a, r, t), with their probabilities."""
    T, R = domain.truth.transition, domain.task.reward
    found = []
    for a, t in product(range(2), (1, 2)):
        p = policy.probs[0, a] * T[0, a, t]
        if t == 2:
            found.append(([(0, a, R[0, a], 2)], p))
            continue
        for b in range(2):
            steps = [(0, a, R[0, a], 1), (1, b, R[1, b], 2)]
            found.append((steps, p * policy.probs[1, b]))
    return found


def problem_of(domain, episodes, behaviour=BEHAVIOUR):
    rows = [(i, *step) for i, steps in enumerate(episodes) for step in steps]
    episode, s, a, r, t = np.array(rows).T
    log = ts.Batch(episode, s, a, r, t, t == 2, 3, 2)
    return ts.Problem(domain.task, log, ts.Dirichlet.from_batch(log), behaviour)


def expected(domain, estimate):
    """Return the expectation of an estimate from a log of one episode."""
    return sum(
        p * estimate(problem_of(domain, [steps]))
        for steps, p in episodes_of_world(domain, BEHAVIOUR)
    )


@pytest.mark.parametrize("kind", [E.IS, E.PDIS], ids=lambda kind: kind.__name__)
def test_unbiased_by_enumeration(kind):
    domain = world()
    value = expected(domain, lambda problem: kind(0.0).score(problem, [TARGET])[0])
    assert value == pytest.approx(ts.performance(domain.truth, TARGET), rel=1e-12)


def test_doubly_robust_is_unbiased_with_any_fixed_values():
    domain = world()
    # Past the end there is nothing, whatever the values say of the state it is called.
    Q = np.array([[0.3, -2.0], [5.0, 1.0], [7.0, 3.0]])
    V = (TARGET.probs * Q).sum(axis=1)

    def estimate(problem):
        log = weighted(problem, episodes_of(problem), TARGET)
        return corrected(control_of(log, Q, V), log.cumulative)

    assert expected(domain, estimate) == pytest.approx(ts.performance(domain.truth, TARGET))


@pytest.mark.parametrize("kind", [E.DR, E.WDR], ids=lambda kind: kind.__name__)
def test_the_corrections_are_those_of_the_definition(golden_case, kind):
    problem = golden_case("garnet2").problem(name="episodes_short")
    policy, log, g = ts.Policy(golden_case("garnet2")["pi_b2"]), problem.batch, 0.9
    fit = fitted(problem, policy)
    s, a, r, after = (x.reshape(-1, 3) for x in (log.state, log.action, log.reward, log.next_state))
    rho = np.cumprod(policy.probs[s, a] / problem.behaviour.probs[s, a], axis=1)
    surprise = g ** np.arange(3) * (r + g * fit.V[after] - fit.Q[s, a])
    total = len(rho) if kind is E.DR else rho.sum(axis=0)
    correction = (rho * surprise / total).sum()
    assert abs(correction) > 1e-3
    value = kind(0.0).score(problem, [policy])[0]
    assert value == pytest.approx(fit.V[s[:, 0]].mean() + correction, rel=1e-12)


@pytest.fixture(scope="module")
def logged():
    domain = world()
    log = ts.simulate(domain, BEHAVIOUR, 4_000, 5, seed=2)
    return domain, ts.Problem(domain.task, log, ts.Dirichlet.from_batch(log), BEHAVIOUR)


@pytest.mark.parametrize("estimator", EVERY[:-2], ids=lambda e: e.name)
def test_a_long_log_gives_the_true_value(estimator, logged):
    domain, problem = logged
    truth = ts.performance(domain.truth, TARGET)
    margin = 0.08 if "se" not in estimator.name else 0.12
    assert estimator.score(problem, [TARGET])[0] == pytest.approx(truth, abs=margin)


@pytest.mark.parametrize("kind", WEIGHTED, ids=lambda kind: kind.__name__)
def test_the_behaviour_policy_has_weight_one_everywhere(kind, logged):
    _, problem = logged
    log = weighted(problem, episodes_of(problem), BEHAVIOUR)
    assert np.array_equal(log.cumulative, np.ones(len(problem.batch)))
    estimator = kind()
    assert estimator.effective_sizes(problem, [BEHAVIOUR])[0] == pytest.approx(4_000)
    mean = episodes_of(problem).returns().mean()
    if kind in (E.IS, E.WIS, E.PDIS):
        assert estimator.score(problem, [BEHAVIOUR])[0] == pytest.approx(mean, rel=1e-12)
    else:
        assert estimator.score(problem, [BEHAVIOUR])[0] == pytest.approx(mean, rel=0.02)


@pytest.mark.parametrize("estimator", EVERY, ids=lambda e: e.name)
def test_scores_do_not_depend_on_the_other_policies_unless_it_is_a_tournament(estimator, logged):
    _, problem = logged
    together = estimator.score(problem, [TARGET, BEHAVIOUR])
    assert together.shape == (2,)
    assert np.isfinite(together).all()
    if estimator.name != "BVFT":
        assert estimator.score(problem, [BEHAVIOUR])[0] == together[1]
    assert estimator.score(problem, []).shape == (0,)
    assert estimator.effective_sizes(problem, []).shape == (0,)


@pytest.mark.parametrize("estimator", EVERY, ids=lambda e: e.name)
def test_a_policy_that_must_not_be_taken_is_refused(estimator, logged):
    domain, problem = logged
    task = ts.Task(domain.task.reward, [1.0, 0, 0], 0.9, [2], [[1, 1], [1, 0], [1, 1]])
    seen = problem.batch
    keep = ~((seen.state == 1) & (seen.action == 1))
    columns = (seen.episode, seen.state, seen.action, seen.reward, seen.next_state, seen.terminated)
    log = ts.Batch(*(column[keep] for column in columns), 3, 2)
    narrow = ts.Problem(task, log, ts.Dirichlet.from_batch(log))
    with pytest.raises(InvalidData, match="not admissible"):
        estimator.score(narrow, [ts.Policy.uniform(3, 2)])


@pytest.mark.parametrize("kind", WEIGHTED, ids=lambda kind: kind.__name__)
def test_below_the_stated_effective_size_there_is_no_score(kind, logged):
    _, problem = logged
    size = kind().effective_sizes(problem, [TARGET])[0]
    assert np.isnan(kind(min_effective=size + 1e-6).score(problem, [TARGET])[0])
    assert np.isfinite(kind(min_effective=size - 1e-6).score(problem, [TARGET])[0])


def test_where_all_weights_are_0_there_is_nothing_to_divide_by():
    problem = problem_of(world(), [[(0, 0, 1.0, 2)], [(0, 0, 1.0, 1), (1, 0, 0.5, 2)]])
    other = [ts.Policy.from_actions([1, 0, 0], 2)]
    for kind in (E.WIS, E.WPDIS):
        assert np.isnan(kind(0.0).score(problem, other)).all()
    for kind in (E.IS, E.PDIS):
        assert kind(0.0).score(problem, other).tolist() == [0.0]


@pytest.mark.parametrize("kind", WEIGHTED, ids=lambda kind: kind.__name__)
def test_five_episodes_are_enough_and_four_are_not(kind):
    problems = [problem_of(world(), [[(0, 0, 1.0, 2)]] * n) for n in (4, 5)]
    scores = [kind().score(problem, [BEHAVIOUR])[0] for problem in problems]
    assert np.isnan(scores).tolist() == [True, False]


def test_weights_are_kept_past_the_end_of_a_short_episode():
    domain = world()
    episodes = [[(0, 0, 1.0, 2)], [(0, 1, 0.2, 1), (1, 0, 0.5, 2)]]
    problem = problem_of(domain, episodes)
    log = weighted(problem, episodes_of(problem), TARGET)
    rho = [0.8 / 0.5, 0.2 / 0.5, 0.2 / 0.5 * 0.5 / 0.25]
    assert log.cumulative == pytest.approx(rho)
    first, second = rho[0] + rho[1], rho[0] + rho[2]
    value = (rho[0] * 1.0 + rho[1] * 0.2) / first + 0.9 * rho[2] * 0.5 / second
    assert E.WPDIS(0.0).score(problem, [TARGET])[0] == pytest.approx(value, rel=1e-12)


def test_the_weights_of_a_step_sum_over_episodes_that_ended_before_it():
    log = ts.Batch([0, 0, 1, 1, 1], [0, 1, 0, 1, 0], [0, 1, 1, 0, 0], [0.0] * 5, [1, 0] * 2 + [1],
                   [0] * 5, 2, 2)  # fmt: skip
    problem = ts.Problem(
        ts.Task(np.zeros((2, 2)), [1, 0], 0.9), log, ts.Dirichlet.from_batch(log), _half()
    )
    target = ts.Policy([[0.8, 0.2], [0.3, 0.7]])
    weights = weighted(problem, episodes_of(problem), target)
    assert weights.cumulative == pytest.approx([1.6, 1.6 * 1.4, 0.4, 0.4 * 0.6, 0.4 * 0.6 * 1.6])
    last = 0.4 * 0.6 * 1.6
    assert weights.normalised[-1] == pytest.approx(last / (1.6 * 1.4 + last))


def _half():
    return ts.Policy([[0.5, 0.5]] * 2)


def test_where_an_episode_was_cut_the_model_completes_it():
    domain = world()
    log = ts.Batch([0, 1, 1], [0, 0, 1], [0, 0, 1], [1.0, 1.0, 2.0], [1, 1, 2], [0, 0, 1], 3, 2)
    problem = ts.Problem(domain.task, log, ts.Dirichlet.from_batch(log), BEHAVIOUR)
    only = ts.Policy([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    assert E.DR(0.0).score(problem, [only])[0] == pytest.approx(1.0 + 0.9 * 2.0)


def test_fitted_values_solve_the_equation_of_the_log(golden_case):
    case = golden_case("garnet2")
    problem, policy = case.problem(), ts.Policy(case["pi_b2"])
    fit = fitted(problem, policy)
    batch, g = problem.batch, float(case["gamma"])
    assert pytest.approx((policy.probs * fit.Q).sum(axis=1)) == fit.V
    for s, a in {(0, 0), (3, 1), (7, 2)}:
        at = (batch.state == s) & (batch.action == a)
        target = np.mean(batch.reward[at] + g * fit.V[batch.next_state[at]]) if at.any() else 0.0
        assert fit.Q[s, a] == pytest.approx(target)


@pytest.mark.parametrize("discount", [0.9, 1.0])
def test_what_the_log_has_of_terminal_states_is_worth_nothing(discount):
    domain = world()
    task = ts.Task(domain.task.reward, [1, 0, 0], discount, terminal=[2])
    log = ts.Batch([0, 0, 0], [0, 2, 2], [0, 1, 0], [1.0, 5.0, 7.0], [2] * 3, [0] * 3, 3, 2)
    problem = ts.Problem(task, log, ts.Dirichlet.from_batch(log), BEHAVIOUR)
    fit = fitted(problem, ts.Policy.from_actions([0, 0, 0], 2))
    assert fit.Q[2].tolist() == [0.0, 0.0]
    assert fit.V.tolist() == [1.0, 0.0, 0.0]
    assert fit.visited.tolist() == [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]


def test_effective_visits_are_the_harmonic_mean_over_what_the_policy_comes_to():
    d, n = np.array([[1.0, 3.0, 0.0]]), np.array([[2.0, 12.0, 0.0]])
    fit = Fitted(d, d[0], d, n, np.ones(1))
    assert fit.effective_visits() == pytest.approx(4.0 / (1.0 / 2.0 + 3.0 / 12.0))


def test_fitted_values_refuse_a_policy_that_leaves_the_log():
    # Action 1 was never tried in state 1.
    problem = problem_of(world(), [[(0, 0, 1.0, 1), (1, 0, 0.5, 2)], [(0, 1, 0.2, 2)]])
    inside, outside = (ts.Policy.from_actions([0, b, 0], 2) for b in (0, 1))
    choice = choose(E.FQE(), problem, [outside, inside])
    assert choice.scores == pytest.approx([np.nan, 1.0 + 0.9 * 0.5], nan_ok=True)
    assert choice.effective_sizes.tolist() == [0.0, 1.0]
    assert choice.best.policy == inside
    assert choice.refused == (
        ("policy 0", "the log amounts to 0 effective samples for this policy; FQE asks for 1"),
    )


def test_the_direct_method_is_the_value_in_the_most_likely_model(golden_case):
    case = golden_case("ring")
    policies = [ts.Policy(pi) for pi in case["perf_policies"]]
    scores = E.DirectMethod().score(case.problem(), policies)
    assert scores == pytest.approx(case["perf_u_mle"], rel=1e-9)


def test_the_direct_method_fills_untried_pairs_by_convention():
    # Action 1 was never tried in state 1, where it pays 2.
    problem = problem_of(world(), [[(0, 0, 1.0, 1), (1, 0, 0.5, 2)], [(0, 1, 0.2, 2)]])
    outside = ts.Policy.from_actions([0, 1, 0], 2)
    zero = E.DirectMethod(Zero()).score(problem, [outside])
    assert zero == pytest.approx([1.0])
    stays = E.DirectMethod(Self()).score(problem, [outside])
    assert stays == pytest.approx([1.0 + 0.9 * 2.0 / (1 - 0.9)])


@pytest.mark.parametrize("kind", [E.DirectMethod, E.BVFT])
def test_methods_that_need_no_data_refuse_if_told_to(kind):
    problem = problem_of(world(), [[(0, 0, 1.0, 1), (1, 0, 0.5, 2)], [(0, 1, 0.2, 2)]])
    inside, outside = (ts.Policy.from_actions([0, b, 0], 2) for b in (0, 1))
    assert np.isfinite(kind().score(problem, [outside, inside])).all()
    told = kind(min_effective=1.0).score(problem, [outside, inside])
    assert np.isnan(told).tolist() == [True, False]


def test_the_standard_error_shrinks_with_the_root_of_the_log(logged):
    domain, problem = logged
    few = ts.simulate(domain, BEHAVIOUR, 1_000, 5, seed=2)
    short = ts.Problem(domain.task, few, ts.Dirichlet.from_batch(few), BEHAVIOUR)

    def error(p):
        return E.FQE().score(p, [TARGET])[0] - E.PessimisticFQE().score(p, [TARGET])[0]

    assert error(short) == pytest.approx(2.0 * error(problem), rel=0.15)


def test_the_standard_error_of_one_choice_is_that_of_a_mean():
    rewards = np.array([1.0, 2.0, 4.0, 9.0, 9.0])
    log = ts.Batch(range(5), [0] * 5, [0, 0, 0, 1, 1], rewards, [1] * 5, [1] * 5, 2, 2)
    task = ts.Task(np.zeros((2, 2)), [1, 0], 0.9, terminal=[1])
    problem = ts.Problem(task, log, ts.Dirichlet.from_batch(log))
    policy = ts.Policy.from_actions([0, 0], 2)
    error = rewards[:3].std(ddof=1) / np.sqrt(3)
    for weight in (0.0, 1.0, 2.0):
        score = E.PessimisticFQE(weight).score(problem, [policy])
        assert score == pytest.approx([7 / 3 - weight * error], rel=1e-12)


def test_pairs_tried_once_show_no_spread_to_be_pessimistic_about():
    problem = problem_of(world(), [[(0, 0, 1.0, 1), (1, 0, 0.5, 2)]])
    policy = ts.Policy.from_actions([0, 0, 0], 2)
    assert E.FQE().score(problem, [policy]) == pytest.approx([1.0 + 0.9 * 0.5])
    assert np.isnan(E.PessimisticFQE().score(problem, [policy])).all()


def test_the_standard_error_is_the_spread_of_the_fitted_value():
    domain, values, errors = world(), [], []
    for seed in range(300):
        log = ts.simulate(domain, BEHAVIOUR, 300, 5, seed=seed)
        problem = ts.Problem(domain.task, log, ts.Dirichlet.from_batch(log), BEHAVIOUR)
        values.append(E.FQE().score(problem, [TARGET])[0])
        errors.append(values[-1] - E.PessimisticFQE().score(problem, [TARGET])[0])
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.15)


def test_the_tournament_prefers_the_optimal_policy_on_a_long_log():
    domain = ts.domains.garnet(6, 3, 3, seed=4, rewards=ts.domains.transition_rewards)
    uniform = ts.Policy.uniform(6, 3)
    log = ts.simulate(domain, uniform, 2_000, 20, seed=1)
    problem = ts.Problem(domain.task, log, ts.Dirichlet.from_batch(log), uniform)
    best, _ = ts.solve(domain.truth)
    others = [uniform, ts.Policy.from_actions([0] * 6, 3), ts.Policy.from_actions([2] * 6, 3)]
    choice = choose(E.BVFT(), problem, [*others, best])
    assert choice.best.policy == best
    # The optimal values solve Bellman's equation on any cells that tell values apart.
    assert choice.scores[-1] > 5.0 * choice.scores[:-1].max()


def test_the_blend_is_the_least_on_the_simplex():
    A = np.diag([1.0, 4.0])
    assert least_on_simplex(A) == pytest.approx([0.8, 0.2])
    rng = np.random.default_rng(3)
    B = rng.normal(size=(6, 6))
    A = B @ B.T
    x = least_on_simplex(A)
    assert x.sum() == pytest.approx(1.0)
    assert (x >= 0.0).all()
    for y in rng.dirichlet(np.full(6, 0.3), size=300):
        assert x @ A @ x <= y @ A @ y + 1e-9


def test_where_nothing_is_left_to_blend_all_weights_are_the_same():
    assert least_on_simplex(np.zeros((3, 3))) == pytest.approx(np.full(3, 1 / 3))


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_the_blend_does_not_depend_on_the_unit_of_rewards(scale):
    assert least_on_simplex(scale * np.diag([1.0, 4.0])) == pytest.approx([0.8, 0.2])


@pytest.mark.parametrize("estimator", EVERY, ids=lambda e: e.name)
def test_a_log_that_never_pays_is_worth_nothing_to_any_estimator(estimator):
    domain = world()
    log = ts.simulate(domain, BEHAVIOUR, 50, 5, seed=1)
    nothing = np.zeros(len(log))
    columns = (log.episode, log.state, log.action, nothing, log.next_state, log.terminated)
    unpaid, task = ts.Batch(*columns, 3, 2), ts.Task(np.zeros((3, 2)), [1, 0, 0], 0.9, [2])
    problem = ts.Problem(task, unpaid, ts.Dirichlet.from_batch(unpaid), BEHAVIOUR)
    assert estimator.score(problem, [TARGET, BEHAVIOUR]).tolist() == [0.0, 0.0]


def test_magic_lies_between_the_model_and_the_full_correction(logged):
    _, problem = logged
    full, blend = (e.score(problem, [TARGET])[0] for e in (E.WDR(), E.MAGIC()))
    model = fitted(problem, TARGET).V[0]
    assert min(model, full) - 1e-9 <= blend <= max(model, full) + 1e-9


@pytest.mark.parametrize("resamples", [1, 200])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_magic_is_its_definition_with_any_fixed_values(sign, resamples):
    domain, n = world(), 60
    batch = ts.simulate(domain, BEHAVIOUR, n, 5, seed=1)
    problem = ts.Problem(domain.task, batch, ts.Dirichlet.from_batch(batch), BEHAVIOUR)
    log = weighted(problem, episodes_of(problem), TARGET)
    Q = sign * np.array([[4.0, 3.0], [5.0, 1.0], [0.0, 0.0]])
    model = control_of(log, Q, (TARGET.probs * Q).sum(axis=1))
    rho, earned = np.empty((n, 2)), np.zeros((n, 2))
    for i, first in enumerate(batch.starts):
        rho[i] = log.cumulative[first]
        earned[i, 0] = rho[i, 0] * model.surprise[first]
        if batch.next_state[first] == 1:
            rho[i, 1] = log.cumulative[first + 1]
            earned[i, 1] = rho[i, 1] * model.surprise[first + 1]
    assert (batch.next_state[batch.starts] == 2).sum() > 5
    steps = np.cumsum(np.insert(earned / rho.sum(axis=0), 0, 0.0, axis=1), axis=1)
    parts = model.start[:, None] / n + steps
    g = parts.sum(axis=0)
    times = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), resamples)
    drawn = np.sort([c @ model.start / n + (c @ earned / (c @ rho)).sum() for c in times])
    low, high = (drawn[0], drawn[0]) if resamples == 1 else (drawn[9], drawn[190])
    distance = g - np.clip(g, min(low, g[-1]), max(high, g[-1]))
    assert (distance[:2] * sign > 0.0).all()
    A = n * np.cov(parts, rowvar=False) + np.outer(distance, distance)
    blend = E.MAGIC(resamples=resamples)._blend(log, model)
    assert blend == pytest.approx(least_on_simplex(A) @ g, rel=1e-9)


def test_magic_keeps_to_a_model_that_the_log_agrees_with(logged):
    domain, problem = logged
    log = weighted(problem, episodes_of(problem), TARGET)
    V = state_values(domain.truth, TARGET)
    model = control_of(log, action_values(domain.truth, V), V)
    # All episodes start in state 0: the model has no spread, its corrections do.
    assert abs(corrected(model, log.normalised) - V[0]) > 1e-4
    assert E.MAGIC()._blend(log, model) == pytest.approx(V[0], abs=1e-9)


def test_magic_leaves_a_model_that_the_log_contradicts():
    # A model of no spread but a gross bias: without the bias term it would get all the weight.
    domain = world()
    log = ts.simulate(domain, BEHAVIOUR, 500, 5, seed=1)
    problem = ts.Problem(domain.task, log, ts.Dirichlet.from_batch(log), BEHAVIOUR)
    weights = weighted(problem, episodes_of(problem), BEHAVIOUR)
    lie = control_of(weights, np.full((3, 2), 50.0), np.array([50.0, 50.0, 0.0]))
    blend = E.MAGIC()._blend(weights, lie)
    truth = ts.performance(domain.truth, BEHAVIOUR)
    assert abs(blend - truth) < 0.3


def test_the_tournament_takes_the_worst_opponent_and_the_best_resolution(logged):
    _, problem = logged
    policies = [TARGET, BEHAVIOUR, ts.Policy.from_actions([1, 1, 0], 2)]
    alone = [E.BVFT(cells=(n,)).score(problem, policies) for n in (2, 4)]
    together = E.BVFT(cells=(2, 4)).score(problem, policies)
    assert together == pytest.approx(np.maximum(*alone), rel=1e-12)


def test_the_tournament_looks_forward_to_admissible_actions_only():
    # All rewards are -1; what is not tried would be worth 0, and nothing may be done at the end.
    task = ts.Task(
        -np.ones((3, 2)), [1, 0, 0], 0.9, [2], [[True, True], [False, True], [False, False]]
    )
    log = ts.Batch([0, 0], [0, 1], [0, 1], [-1.0, -1.0], [1, 2], [0, 1], 3, 2)
    problem = ts.Problem(task, log, ts.Dirichlet.from_batch(log))
    score = E.BVFT().score(problem, [ts.Policy.from_actions([0, 1, 0], 2)])
    assert score == pytest.approx([0.0], abs=1e-12)


def test_the_tournament_is_its_definition(golden_case):
    problem = golden_case("ring").problem()
    policies = [ts.Policy(pi) for pi in golden_case("ring")["perf_policies"]]
    batch, g, n_cells = problem.batch, problem.task.discount, 5
    Q = np.stack([fitted(problem, policy).Q for policy in policies])
    logged_q = Q[:, batch.state, batch.action]
    width = np.ptp(logged_q) / n_cells

    def loss(i, j):
        cells = {}
        for k in range(len(batch)):
            cell = tuple(
                min(int((logged_q[p, k] - logged_q.min()) / width), n_cells - 1) for p in (i, j)
            )
            target = batch.reward[k] + g * Q[i, batch.next_state[k]].max()
            cells.setdefault(cell, []).append((logged_q[i, k], target))
        squares = [(np.array(c)[:, 0] - np.array(c)[:, 1].mean()) ** 2 for c in cells.values()]
        return np.sqrt(np.concatenate(squares).mean())

    every = range(len(policies))
    expected_scores = [-max(loss(i, j) for j in every) for i in every]
    scores = E.BVFT(cells=(n_cells,)).score(problem, policies)
    assert scores == pytest.approx(expected_scores, rel=1e-9)


def test_an_action_that_the_behaviour_never_takes_is_an_error():
    domain = world()
    problem = problem_of(domain, [[(0, 0, 1.0, 2)]], ts.Policy([[0.0, 1.0]] * 3))
    with pytest.raises(InvalidData, match="takes action 0 in state 0, which the behaviour"):
        E.IS().score(problem, [TARGET])


def test_an_empty_log_and_no_candidates_are_errors():
    domain = world()
    nothing = ts.Batch([], [], [], [], [], [], 3, 2)
    problem = ts.Problem(domain.task, nothing, ts.Dirichlet.from_batch(nothing), BEHAVIOUR)
    with pytest.raises(InvalidData, match="log is empty"):
        E.IS().score(problem, [TARGET])
    with pytest.raises(InvalidData, match="no candidate"):
        choose(E.IS(), problem, [])


def test_each_name_is_public_and_satisfies_the_protocol():
    for estimator in EVERY:
        assert type(estimator).__name__ in E.__all__
        assert isinstance(estimator.name, str)
        assert estimator.min_effective >= 0.0
