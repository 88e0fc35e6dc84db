"""UnO: the textbook values and SCOPE-RL's, its bands, and its known weakness."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.estimators import SelfNormalisedUnO, UnO, choose
from tailsafe.estimators.bands import return_bands
from tailsafe.estimators.weights import effective_size, episodes_of, weighted

CASES = ["ring", "chain", "garnet1", "garnet2", "garnet3", "lake4"]
LOGS = {"main": "episodes", "short": "episodes_short"}
KINDS = {"is": UnO, "sn": SelfNormalisedUnO}


def problem_of(case, log):
    return case.problem(name=LOGS[log])


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("name", CASES)
def test_returns_and_ratios_are_the_golden_ones(golden_case, name, log):
    case = golden_case(name)
    problem = problem_of(case, log)
    episodes = episodes_of(problem)
    assert episodes.returns() == pytest.approx(case[f"uno_{log}_returns"], rel=1e-12, abs=1e-12)
    for i, pi in enumerate(case["uno_policies"]):
        ratios = weighted(problem, episodes, ts.Policy(pi)).final
        assert ratios == pytest.approx(case[f"uno_{log}_ratios_{i}"], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("name", CASES)
def test_the_textbook_values_are_reproduced(golden_case, name, log, kind):
    case = golden_case(name)
    problem = problem_of(case, log)
    policies = [ts.Policy(pi) for pi in case["uno_policies"]]
    for i, policy in enumerate(policies):
        law = KINDS[kind]().law(problem, policy)
        key = f"uno_{log}_own_{kind}"
        assert law.values == pytest.approx(case[f"{key}_values_{i}"], rel=1e-12, abs=1e-12)
        assert law.cumulative == pytest.approx(
            case[f"{key}_F_{i}"], rel=1e-12, abs=1e-12, nan_ok=True
        )
    for column, q in enumerate(case["uno_q"].tolist()):
        for risk, what in ((ts.VaR(q), "var"), (ts.CVaR(q), "cvar")):
            scores = KINDS[kind](risk, min_effective=0.0).score(problem, policies)
            golden = [case[f"{key}_{what}_{i}"][column] for i in range(len(policies))]
            assert scores == pytest.approx(golden, rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("kind", ["tis", "sntis"])
@pytest.mark.parametrize("name", ["ring", "chain", "garnet1", "garnet2", "garnet3"])
def test_scope_rl_agrees_with_its_conventions_stated(golden_case, name, kind):
    # SCOPE-RL's F on its scale of distinct returns is the left limit, the last bin closed, and of
    # the plain estimator cut to [0, 1].
    case = golden_case(name)
    problem = problem_of(case, "short")
    scale = case["uno_short_scope_uniq_scale"]
    for i, pi in enumerate(case["uno_policies"]):
        estimator = UnO() if kind == "tis" else SelfNormalisedUnO()
        law = estimator.law(problem, ts.Policy(pi))
        below = np.searchsorted(law.values, np.round(scale, 12) - 1e-9)
        F = np.concatenate([[0.0], law.cumulative])[below]
        F[-1] = law.cumulative[-1]
        golden = case[f"uno_short_scope_uniq_{kind}_F_{i}"]
        assert np.minimum(F, 1.0)[1:] == pytest.approx(golden[1:], rel=1e-9, abs=1e-9)


def test_a_deterministic_policy_on_long_episodes_has_no_effective_episode(golden_case):
    case = golden_case("ring")
    problem = problem_of(case, "main")
    policy = ts.Policy(case["uno_policies"][0])
    assert policy.deterministic
    estimator = UnO(ts.VaR(0.25))
    assert estimator.effective_sizes(problem, [policy]).tolist() == [0.0]
    assert np.isnan(estimator.score(problem, [policy])).all()
    choice = choose(estimator, problem, [policy])
    assert choice.best is None
    assert "0 effective samples" in choice.refused[0][1]
    assert "asks for 5" in choice.refused[0][1]


def test_refusals_tell_no_weight_from_too_little(golden_case):
    ring = problem_of(golden_case("ring"), "main")
    nothing = choose(
        UnO(ts.VaR(0.25), 0.0), ring, [ts.Policy(golden_case("ring")["uno_policies"][0])]
    )
    assert "0 effective samples" in nothing.refused[0][1]
    # Twenty episodes of weight 0.2: F ends there and never comes to 0.25.
    zero = np.zeros(20, int)
    log = ts.Batch(np.arange(20), zero, zero, np.ones(20), zero, zero, 1, 2)
    task = ts.Task(np.ones((1, 2)), [1], 0.9)
    problem = ts.Problem(task, log, ts.Dirichlet.from_batch(log), ts.Policy.uniform(1, 2))
    little = choose(UnO(ts.VaR(0.25)), problem, [ts.Policy([[0.1, 0.9]])])
    assert little.effective_sizes == pytest.approx([20.0])
    assert "does not reach the risk level" in little.refused[0][1]


def test_the_mean_of_uno_is_importance_sampling(golden_case):
    problem = golden_case("garnet2").problem(name="episodes_short")
    policies = [ts.Policy(pi) for pi in golden_case("garnet2")["uno_policies"]]
    for uno, mean in (
        (UnO(ts.Mean(), 0.0), ts.estimators.IS(0.0)),
        (SelfNormalisedUnO(ts.Mean(), 0.0), ts.estimators.WIS(0.0)),
    ):
        assert uno.score(problem, policies) == pytest.approx(
            mean.score(problem, policies), rel=1e-9, nan_ok=True
        )


def test_effective_sizes_are_those_of_kish():
    assert effective_size(np.ones(7)) == pytest.approx(7.0)
    assert effective_size(np.array([0.0, 0.0, 3.0])) == pytest.approx(1.0)
    assert effective_size(np.array([1.0, 2.0])) == pytest.approx(9.0 / 5.0)
    assert effective_size(np.array([1e200, 1e200])) == pytest.approx(2.0)
    assert effective_size(np.zeros(3)) == 0.0


def test_returns_that_differ_by_rounding_are_one_value():
    zero, rewards = np.zeros(3, int), [0.1 + 0.2, 0.3, 0.4]
    log = ts.Batch(np.arange(3), zero, zero, rewards, zero, zero, 1, 1)
    task = ts.Task(np.zeros((1, 1)), [1], 0.9)
    problem = ts.Problem(task, log, ts.Dirichlet.from_batch(log))
    law = UnO().law(problem, ts.Policy.uniform(1, 1))
    assert law.values.tolist() == [0.3, 0.4]
    assert law.cumulative == pytest.approx([2 / 3, 1.0])


def test_other_measures_are_refused():
    with pytest.raises(NotSupported, match="VaR, CVaR and the mean"):
        UnO(ts.Optimistic(0.1))


def two_step_world():
    """Return a domain of two steps whose returns can be enumerated."""
    T = np.zeros((4, 2, 4))
    T[0, 0, [1, 2]] = 0.7, 0.3
    T[0, 1, [1, 2]] = 0.2, 0.8
    T[1, :, 3] = T[2, :, 3] = T[3, :, 3] = 1.0
    R = np.zeros((4, 2))
    R[0, 0], R[1, 1], R[2, 0] = 0.25, 1.0, 0.5
    task = ts.Task(R, np.eye(4)[0], 0.9, terminal=[3])
    return ts.domains.dense_domain("two steps", task, T, "made for this test")


def law_of_returns(world, policy):
    """Return the exact values and probabilities of the return in the two-step world."""
    T, R, g = world.truth.transition, world.task.reward, world.task.discount
    law = {}
    for a in range(2):
        for s in (1, 2):
            for b in range(2):
                p = policy.probs[0, a] * T[0, a, s] * policy.probs[s, b]
                v = round(R[0, a] + g * R[s, b], 12)
                law[v] = law.get(v, 0.0) + p
    values = np.array(sorted(law))
    return values, np.array([law[v] for v in values])


def test_bands_hold_the_law_and_its_risks_as_often_as_promised():
    world, alpha, runs = two_step_world(), 0.2, 300
    behaviour = ts.Policy([[0.5, 0.5]] * 4)
    target = ts.Policy([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3], [1.0, 0.0]])
    values, mass = law_of_returns(world, target)
    truth = {r: r.value(values, mass) for r in (ts.VaR(0.25), ts.CVaR(0.25), ts.Mean())}
    kept = 0
    for seed in range(runs):
        log = ts.simulate(world, behaviour, 400, 5, seed=seed)
        problem = ts.Problem(world.task, log, ts.Dirichlet.from_batch(log), behaviour)
        bands = return_bands(problem, target, (0.0, 1.3), alpha)
        F = np.array([mass[values <= v].sum() for v in bands.points])
        held = (bands.lower <= F + 1e-12).all() and (bands.upper >= F - 1e-12).all()
        for risk, value in truth.items():
            low, high = bands.bounds(risk)
            assert low <= high
            if held:
                assert low - 1e-12 <= value <= high + 1e-12
        kept += held
    assert kept / runs >= 1 - alpha
    assert bands.lower.max() == 1.0
    assert 0.0 < bands.lower[-2] < bands.upper[-2]


def test_bands_refuse_a_support_that_the_log_contradicts():
    world = two_step_world()
    behaviour = ts.Policy.uniform(4, 2)
    log = ts.simulate(world, behaviour, 20, 5)
    problem = ts.Problem(world.task, log, ts.Dirichlet.from_batch(log), behaviour)
    with pytest.raises(InvalidData, match="outside of"):
        return_bands(problem, behaviour, (0.0, 0.5))
