"""The program's choices: its candidates, their order, its models, how what it chose is scored."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binom

import tailsafe as ts
from tailsafe.solvers.bcr import BCR
from tailsafe.solvers.norbu import NORBU, NORBUVaR
from tailsafe.study.profile import Case
from tailsafe.study.published import profile as program
from tailsafe.study.published import quantile
from tailsafe.study.published.profile import Published
from tailsafe.study.published.scoring import lazy_performance
from tailsafe.study.published.uno import ProgramLaw
from tailsafe.study.scale import judge_of
from tailsafe.study.trial import logged_problem

RING = ts.domains.ring_published()
SEED = 2
CASE = Case(RING, logged_problem(RING, 3, 8, SEED), 24, 0, SEED)


@pytest.fixture(scope="module")
def candidates():
    return program.program_candidates(Published(), CASE.problem, SEED)


def origins(candidates):
    return [origin for candidate in candidates for origin in candidate.origins]


def test_the_first_candidate_is_the_plan_on_the_first_model_at_the_largest_discount(candidates):
    assert candidates[0].origins[0] == "SampledModel(0, discount 0.9)"
    assert len(origins(candidates)) == 5 * (3 + 1) + 4
    places = {origin: i for i, one in enumerate(candidates) for origin in one.origins}
    firsts = [places[one.origins[0]] for one in candidates]
    assert firsts == sorted(firsts)
    # A policy that several plans share stands where the first of them does.
    assert places["Nominal(discount 0.9)"] <= 3


def test_bcr_and_norbu_have_the_programs_parameters_and_see_models_of_their_own(candidates):
    rivals = dict(program.program_rivals(Published(norbu_weight=0.25)))
    assert rivals == {
        "BCR": BCR(0.01, 0.25, 900),
        "NORBU": NORBU(0.99, 0.25, 900),
        "NORBU CVaR": NORBU(0.99, 1.0, 900),
        "NORBU VaR": NORBUVaR(0.99, 1.0, 900),
    }
    chosen = {origin: one.policy for one in candidates for origin in one.origins}
    for name, solver in program.program_rivals(Published()):
        assert chosen[name] == solver.solve(CASE.problem, SEED + 2**31)
    assert chosen["NORBU"] != NORBU(0.99, 0.75, 900).solve(CASE.problem, SEED)


def test_without_weights_a_policy_loses_by_cvar_and_ties_with_the_largest_return_by_var():
    values = np.array([-2.0, 1.0])
    none, some = ProgramLaw(values, np.zeros(2)), ProgramLaw(values, np.array([1.0, 1.0]))
    assert program._tail_scores([none, some], 0.25) == [-np.inf, some.tail_mean(0.25)]
    assert none.value_at_risk(0.25) == 1.0


def test_a_rival_that_uno_chose_is_scored_on_the_lazy_chain_and_named(candidates, monkeypatch):
    judge = judge_of(CASE, candidates, candidates[0].policy)
    rivals = program.stochastic_rivals(CASE.problem)
    assert [rival.name for rival in rivals] == ["SPIBB", "BOPAH"]

    def law(_, policy):
        best = policy == rivals[0].policy
        score = 3.0 if best else 1.0
        return SimpleNamespace(
            value_at_risk=lambda _: score, tail_mean=lambda _: score, F=np.ones(1)
        )

    monkeypatch.setattr(program, "program_law", law)
    for found in program._chosen_by_uno(Published(), judge, rivals):
        assert found.u == lazy_performance(RING.truth, rivals[0].policy)
        assert found.u_exact == ts.performance(RING.truth, rivals[0].policy)
        assert (found.chosen, found.estimate) == ("SPIBB", 3.0)
        assert found.n_candidates == len(candidates) + 2


def test_evc_takes_the_first_of_the_best_by_each_of_its_two_estimates(candidates, monkeypatch):
    judge = judge_of(CASE, candidates, candidates[0].policy)
    n = len(candidates)
    estimates = [
        quantile.ProgramEstimate(0.0, float(i in (1, 2)), float(i == n - 1), 40_001)
        for i in range(n)
    ]
    monkeypatch.setattr(program, "program_estimates", lambda *_: estimates)
    var, cvar = program._chosen_by_evc(Published(), judge)
    assert (var.method, cvar.method) == ("EvC VaR(0.25)", "EvC CVaR(0.25)")
    assert var.chosen == " + ".join(candidates[1].origins)
    assert cvar.chosen == " + ".join(candidates[-1].origins)
    assert (var.estimate, var.n_models, var.evaluations) == (1.0, 40_001, n * 40_001)


def test_models_beyond_the_common_ones_are_those_of_the_same_stream(monkeypatch):
    drawn = []

    def evaluated(_, policies, first, last, *__):
        drawn.append((policies, first, last))
        return np.tile(np.arange(first, last, dtype=float), (len(policies), 1))

    def estimate(draw, nominal, *_):
        parts = [draw(20 * k, 20 * k + 20) for k in range(4)]
        assert np.array_equal(np.concatenate(parts), np.arange(80.0))
        return nominal

    monkeypatch.setattr(program, "_evaluated", evaluated)
    monkeypatch.setattr(program, "BLOCK", 20)
    monkeypatch.setattr(program, "estimate", estimate)
    policies = [ts.Policy.uniform(5, 3), ts.Policy.from_actions([0] * 5, 3)]
    worth = program.program_estimates(Published(), CASE.problem, policies, 0)
    nominal = CASE.problem.nominal()
    assert worth == [ts.performance(nominal, policy) for policy in policies]
    beyond = [([policy], first, first + 20) for policy in policies for first in (40, 60)]
    assert drawn == [(policies, 0, 40), *beyond]


@pytest.mark.parametrize("n", [200, 500, 1_001, 20_001])
def test_ranks_are_widened_below_first(n):
    r, s = quantile.widened_ranks(n, 0.25, 0.01)
    first, last = binom.interval(0.5, n, 0.25)
    below, above = first - r, s - last
    assert below - above in (0, 1)
    mass = lambda r, s: binom.cdf(s - 1, n, 0.25) - binom.cdf(r - 1, n, 0.25)  # noqa: E731
    assert mass(r, s) > 0.99
    before = (r + 1, s) if below > above else (r, s - 1)
    assert mass(*before) <= 0.99


def test_the_value_stands_at_the_old_index_of_the_grown_sample():
    draws = np.random.default_rng(4).random(4_000)
    draws[0] = 1_000.0  # beside this range any pair is narrow, so one block is enough
    found = quantile.estimate(lambda a, b: draws[a:b], 0.5, 0.25, 0.01, block=200)
    assert found.n_models == 401
    r, _ = quantile.widened_ranks(201, 0.25, 0.01)
    sample = np.sort([*draws[:400], 0.5])
    assert found.var == sample[r - 1]
    assert found.cvar == pytest.approx(sample[:r].mean() - sample[:r].std() / np.sqrt(r))
    assert found.mean == pytest.approx(sample.mean())


def test_the_rule_stops_when_the_pair_is_within_half_a_per_cent_of_the_range():
    # Of n uniform draws the pair is about 2 * 2.58 * sqrt(3 / (16 n)) of the range apart.
    draws = np.random.default_rng(5).random(400_000)
    found = quantile.estimate(lambda a, b: draws[a:b], 0.5, 0.25, 0.01)
    stopped = found.n_models - 1 - quantile.BLOCK
    assert 180_000 <= stopped <= 240_000
