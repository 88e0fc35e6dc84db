"""The departures of the published program: against its own numbers, and what each one distorts."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import tailsafe as ts
from tailsafe.estimators.weights import episodes_of
from tailsafe.evaluate import performances
from tailsafe.solvers.spibb import SPIBB
from tailsafe.study.published import quantile, scoring, uno
from tailsafe.study.published.bopah import program_bopah

CASES = ["ring", "chain", "garnet1", "garnet2", "garnet3", "lake4"]
LOGS = {"main": "episodes", "short": "episodes_short"}
RUN = np.load(Path(__file__).parents[1] / "golden" / "official_run.npz")


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("name", CASES)
def test_the_programs_reading_of_uno_is_reproduced(golden_case, name, log):
    case = golden_case(name)
    problem = case.problem(name=LOGS[log])
    for i, pi in enumerate(case["uno_policies"]):
        policy = ts.Policy(pi)
        weights = uno.program_weights(problem, policy)
        assert weights == pytest.approx(case[f"uno_{log}_evc_ratios_{i}"], rel=1e-9, abs=1e-12)
        law = uno.program_law(problem, policy)
        assert law.values == pytest.approx(case[f"uno_{log}_evc_values_{i}"], abs=1e-11)
        assert pytest.approx(case[f"uno_{log}_evc_F_{i}"], rel=1e-9, abs=1e-12) == law.F
        for k, q in enumerate(case["uno_q"].tolist()):
            var, cvar = case[f"uno_{log}_evc_var_{i}"][k], case[f"uno_{log}_evc_cvar_{i}"][k]
            assert law.value_at_risk(q) == pytest.approx(var, rel=1e-9)
            assert law.tail_mean(q) == pytest.approx(cvar, rel=1e-9, abs=1e-12)


def test_the_programs_weights_are_not_importance_weights(golden_case):
    # In Ring a step counts 5 instead of 3.
    problem = golden_case("ring").problem(name="episodes_short")
    weights = uno.program_weights(problem, ts.Policy.uniform(5, 3))
    assert weights == pytest.approx(np.full(len(episodes_of(problem).starts), (5 / 3) ** 3))


def test_its_index_pair_has_the_mass_but_is_not_the_shortest():
    r, s = quantile.widened_ranks(20_001, 0.25, 0.01)
    g, h = ts.ranks.printed_interval(20_001, 0.25, 0.01)
    assert r < 0.25 * 20_001 < s
    assert s - r >= h - g
    assert quantile.widened_ranks(10, 0.25, 0.01)[0] == 1


def test_the_value_at_level_q_is_one_of_about_half_that_level():
    draws = np.random.default_rng(0).normal(size=100_000)
    found = quantile.estimate(lambda first, last: draws[first:last], 0.0, 0.25, 0.01)
    level = norm.cdf(found.var)
    assert 0.11 < level < 0.175
    blocks = (found.n_models - 1) // quantile.BLOCK
    r, _ = quantile.widened_ranks((blocks - 1) * quantile.BLOCK + 1, 0.25, 0.01)
    assert level == pytest.approx(r / found.n_models, abs=0.005)
    tail = np.sort(draws[: found.n_models - 1])[:r]
    assert found.cvar == pytest.approx(tail.mean() - tail.std() / np.sqrt(r), abs=1e-3)


@pytest.mark.slow
def test_a_real_run_of_the_program_is_met_within_the_error_of_its_draws():
    ring = ts.domains.ring_published().task
    for batch in (1, 2):
        concentration = RUN["N"][batch - 1].astype(float) + 1.0
        table = ts.Table.full(5, 3)
        posterior = ts.Dirichlet(table, table.entries(concentration), np.zeros(15, bool))
        which = np.nonzero(RUN["batch"] == batch - 1)[0]
        policies = [ts.Policy.from_actions(a, 3) for a in RUN["policies"][which].astype(int)]
        U = performances(posterior, ring, policies, 0, 40_000, 1)
        nominal = ts.MDP(ring, table, posterior.mode())
        for i, policy, u in zip(which, policies, U, strict=True):
            value = ts.performance(nominal, policy)
            found = quantile.estimate(lambda a, b, u=u: u[a:b], value, 0.25, 0.01)
            assert found.n_models == RUN["n_models"][i]
            # Both are draws: three standard errors of a quantile difference near its level.
            spread = 3 * np.sqrt(2 * 0.12 * 0.88 / 40_000)
            low, high = np.quantile(u, [0.121 - spread, 0.121 + spread])
            assert low <= RUN["var"][i] <= high
            assert found.var == pytest.approx(RUN["var"][i], abs=high - low)
            assert found.cvar == pytest.approx(RUN["cvar"][i], abs=4 * u.std() / np.sqrt(4_800))
            assert found.mean == pytest.approx(RUN["mean"][i], abs=5 * u.std() / 200)


def test_spibb_and_bopah_of_a_real_run_with_one_trajectory_are_reproduced():
    # The order of its steps is not recorded, and with one trajectory it plays no part.
    ring = ts.domains.ring_published()
    counts = RUN["N"][0].astype(int)
    s, a, t = np.repeat(np.argwhere(counts > 0), counts[counts > 0], axis=0).T
    ended = np.zeros(len(s), bool)
    log = ts.Batch(ended * 0, s, a, ring.task.reward[s, a, t], t, ended, 5, 3)
    posterior = ts.Dirichlet.from_batch(log)
    problem = ts.Problem(ring.task, log, posterior, ts.Policy.uniform(5, 3))
    plain = scoring.with_mean_reward(problem)
    u_star = ts.performance(ring.truth, ts.solve(ring.truth)[0])
    for policy, printed in ((SPIBB(1).solve(plain), "out_s"), (program_bopah(plain), "out_b")):
        u = scoring.lazy_performance(ring.truth, policy) / u_star
        assert u == pytest.approx(RUN[printed].ravel()[0], rel=1e-6)


@pytest.mark.parametrize("name", ["ring", "chain"])
@pytest.mark.parametrize("which", ["uniform", "opt_as_stochastic"])
def test_stochastic_policies_are_scored_on_the_lazy_chain(golden_case, name, which):
    case = golden_case(name)
    truth = case.truth()
    n_actions = truth.table.n_actions
    policy = ts.Policy.uniform(5, n_actions) if which == "uniform" else ts.solve(truth)[0]
    exact, program, lazy, _ = RUN[f"stocheval_{name}_{which}"]
    assert ts.performance(truth, policy) == pytest.approx(exact, rel=1e-9)
    assert scoring.lazy_performance(truth, policy) == pytest.approx(lazy, rel=1e-9)
    assert lazy == pytest.approx(program, rel=1e-6)


def test_the_plain_mean_of_rewards_ignores_the_probabilities(golden_case):
    case = golden_case("ring")
    plain = scoring.with_mean_reward(case.problem())
    assert plain.task.reward == pytest.approx(case["R_mean"])
    assert plain.batch is case.problem().batch or len(plain.batch) == len(case.problem().batch)
