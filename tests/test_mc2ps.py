"""The paper's Algorithm 1 as printed: golden index pairs and values, stopping, refusals."""

from pathlib import Path

import numpy as np
import pytest

import tailsafe as ts
from tailsafe import ranks
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.mc2ps import PrintedRule, printed_estimates
from tailsafe.race.sheet import Sheet

GOLDEN = np.load(Path(__file__).parent / "golden" / "selection.npz")
CASES = ["ring", "chain", "garnet1", "garnet2"]


@pytest.mark.parametrize("name", CASES)
def test_index_pairs_and_estimates_are_the_golden_ones(golden_case, name):
    case = golden_case(name)
    problem = case.problem(samples=True)
    policies = [ts.Policy(pi) for pi in case["perf_policies"]]
    distinct = list(dict.fromkeys(policies))
    rule = PrintedRule(block=200)
    for k, q in enumerate(case["mc2ps_q"].tolist()):
        for risk, column in ((ts.VaR(q), 0), (ts.CVaR(q), 1)):
            choice = ts.mc2ps(problem, policies, risk, rule)
            for candidate, estimate in choice.estimates:
                i = policies.index(candidate.policy)
                assert estimate.ranks == tuple(case["mc2ps_gh"][k].tolist())
                assert estimate.value == pytest.approx(
                    case["mc2ps_values"][i, k, column], rel=1e-9, abs=1e-12
                )
            best = max(distinct, key=lambda p: case["mc2ps_values"][policies.index(p), k, column])
            assert choice.best.policy == best


@pytest.fixture(scope="module")
def ring():
    world = ts.domains.ring_published()
    log = ts.simulate(world, ts.Policy.uniform(5, 3), episodes=6, length=8, seed=3)
    return ts.Problem(world.task, log, ts.Dirichlet.from_batch(log))


def test_the_rule_stops_when_the_interval_is_narrow_in_units_of_the_range():
    rng = np.random.default_rng(0)
    u = rng.normal(size=(1, 400_000))
    sheet = Sheet(lambda first, last, who: u[who, first:last], 1)
    rule = PrintedRule(eps_rel=0.01, block=500)
    (estimate,) = printed_estimates(sheet, ts.VaR(0.25), rule)
    assert estimate.converged
    n = estimate.n_models

    def narrow(size):
        g, h = ranks.printed_interval(size, 0.25, 0.01)
        s = np.sort(u[0, :size])
        return s[h - 1] - s[g - 1] < 0.01 * (s[-1] - s[0])

    assert narrow(n)
    assert not any(narrow(size) for size in range(500, n, 500))
    g, _ = ranks.printed_interval(n, 0.25, 0.01)
    assert estimate.value == np.sort(u[0, :n])[g - 1]


def test_cvar_is_the_mean_of_the_g_lowest():
    u = np.random.default_rng(1).gamma(2.0, size=(1, 3_000))
    sheet = Sheet(lambda first, last, who: u[who, first:last], 1)
    (estimate,) = printed_estimates(sheet, ts.CVaR(0.25), PrintedRule(max_models=3_000))
    n, (g, _) = estimate.n_models, estimate.ranks
    assert estimate.value == pytest.approx(np.sort(u[0, :n])[:g].mean(), rel=1e-13)


def test_a_policy_that_never_varies_stops_after_one_block():
    sheet = Sheet(lambda first, last, who: np.full((len(who), last - first), 20.0), 1)
    (estimate,) = printed_estimates(sheet, ts.VaR(0.25), PrintedRule(block=500))
    assert (estimate.value, estimate.n_models, estimate.converged) == (20.0, 500, True)


def test_spent_models_are_said_and_not_taken_for_a_stop(ring):
    rule = PrintedRule(max_models=64, block=64)
    choice = ts.mc2ps(ring, [ts.Policy.uniform(5, 3)], ts.VaR(0.25), rule)
    assert choice.status == "budget"
    assert choice.evaluations == 64


def test_too_few_models_give_no_pair_and_no_estimate(ring):
    rule = PrintedRule(max_models=4, block=2)
    choice = ts.mc2ps(ring, [ts.Policy.uniform(5, 3)], ts.VaR(0.05), rule)
    assert choice.estimates[0][1].ranks is None
    assert choice.estimates[0][1].value == -np.inf


def test_each_policy_stops_by_itself_and_equal_ones_are_judged_once(ring):
    policies = [ts.Policy.uniform(5, 3), ts.Policy.from_actions([0] * 5, 3)] * 2
    choice = ts.mc2ps(ring, policies, ts.VaR(0.25), PrintedRule(block=250))
    assert len(choice.estimates) == 2
    assert choice.evaluations == sum(e.n_models for _, e in choice.estimates)
    alone = ts.mc2ps(ring, policies[1:2], ts.VaR(0.25), PrintedRule(block=250))
    assert alone.estimates[0][1] == choice.estimates[1][1]


def test_evc_chooses_among_what_its_portfolio_proposes(ring):
    from tailsafe.solvers.nominal import Nominal
    from tailsafe.solvers.sampled_model import SampledModel

    portfolio = [Nominal(), Nominal(0.2), SampledModel(0), SampledModel(10**9)]
    rule = PrintedRule(block=250)
    few = ts.evc(ring, ts.CVaR(0.25), rule, portfolio[:3], seed=5)
    proposal = ts.propose(ring, portfolio[:3], seed=5)
    assert few == ts.mc2ps(ring, proposal, ts.CVaR(0.25), rule, seed=5)
    assert "Nominal" in few.estimates[0][0].origins


def test_evc_reports_what_could_not_propose(ring):
    choice = ts.evc(ring, portfolio=[ts.solvers.BCR(n_models=50), _Refuses()], seed=1)
    assert choice.skipped == (("Refuses", "not here: use another"),)


class _Refuses:
    name = "Refuses"

    def solve(self, problem, **_):
        del problem
        raise NotSupported("not here: use another")


def test_bad_input_is_refused(ring):
    with pytest.raises(InvalidData, match="no candidate"):
        ts.mc2ps(ring, [])
    with pytest.raises(NotSupported, match="knows VaR and CVaR"):
        ts.mc2ps(ring, [ts.Policy.uniform(5, 3)], ts.Mean())
    with pytest.raises(InvalidData, match="eps_rel"):
        PrintedRule(eps_rel=0.0)
    weighted = ts.Samples(np.full((2, 5, 3, 5), 0.2), [0.25, 0.75])
    problem = ts.Problem(ring.task, ring.batch, weighted)
    with pytest.raises(NotSupported, match="equally likely"):
        ts.mc2ps(problem, [ts.Policy.uniform(5, 3)])


def test_one_policy_that_has_not_stopped_is_enough_to_leave_it_undecided():
    # Action 0 stays, in every model; what action 1 does is uncertain.
    models = np.random.default_rng(0).dirichlet(np.ones(2), size=(200, 2, 2))
    models[:, :, 0] = np.eye(2)
    log = ts.Batch([0], [0], [0], [1.0], [0], [False], 2, 2)
    task = ts.Task([[1.0, 1.0], [0.0, 0.0]], [1.0, 0.0], 0.9)
    policies = [ts.Policy.from_actions([a, a], 2) for a in (0, 1)]
    choice = ts.mc2ps(ts.Problem(task, log, ts.Samples(models)), policies, ts.VaR(0.25))
    assert [estimate.converged for _, estimate in choice.estimates] == [True, False]
    assert choice.status == "budget"


def test_a_policy_worth_the_same_in_every_model_is_done_after_one_block():
    # Going back for ever is worth 20 in Chain, but for rounding.
    domain = ts.domains.chain_published()
    log = ts.simulate(domain, ts.Policy.uniform(5, 2), 3, 8, seed=0)
    problem = ts.Problem(domain.task, log, ts.Dirichlet.from_batch(log))
    back = ts.Policy.from_actions([1] * 5, 2)
    choice = ts.mc2ps(problem, [back], ts.VaR(0.25))
    ((_, estimate),) = choice.estimates
    assert (estimate.n_models, estimate.converged) == (1_000, True)
    assert estimate.value == pytest.approx(20.0)
