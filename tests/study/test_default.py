"""The package's own profile: what it asks for, and what it records of a race."""

from dataclasses import replace

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.estimators import IS
from tailsafe.mc2ps import PrintedRule
from tailsafe.risk import CVaR, Mean, VaR
from tailsafe.solvers import Nominal, PosteriorMean, SampledModel, Uniform
from tailsafe.study import default
from tailsafe.study.default import Default
from tailsafe.study.profile import Case
from tailsafe.study.trial import logged_problem

RING = ts.domains.ring()
CASE = Case(RING, logged_problem(RING, 3, 8, 0), 24, 0, 0)
QUICK = Default(
    risks=(VaR(0.25), CVaR(0.25)),
    portfolio=(Nominal(), PosteriorMean()),
    eps_rel=0.5,
    max_models=512,
)


def found(profile, case=CASE):
    return {finding.method: finding for finding in profile.judge(case).findings}


@pytest.mark.parametrize(("above", "kept"), [(-1e-6, 1), (0.0, 1), (1e-6, 0)])
def test_a_bound_is_kept_by_a_truth_that_reaches_it(above, kept, monkeypatch):
    raced = {}

    def select(*arguments, **known):
        selection = ts.select(*arguments, **known)
        truth = ts.performance(RING.truth, selection.best.policy)
        raced["estimate"] = selection.ranking[0].estimate
        certificate = replace(selection.certificate, bound=truth + above)
        return replace(selection, certificate=certificate)

    monkeypatch.setattr(default, "select", select)
    profile = replace(QUICK, risks=(VaR(0.25),), portfolio=(Uniform(), Nominal(), SampledModel(0)))
    race = found(profile)["race VaR(0.25)"]
    assert race.n_candidates > 1
    assert race.covered == kept
    assert race.bound == pytest.approx(race.u_exact + above)
    assert race.estimate == raced["estimate"]


def test_the_race_is_asked_what_the_profile_says(monkeypatch):
    asked = []

    def select(problem, candidates, risk, **known):
        asked.append((risk, known["eps_rel"], known["max_models"], known["seed"]))
        return ts.select(problem, candidates, risk, **known)

    monkeypatch.setattr(default, "select", select)
    by_method = found(QUICK, replace(CASE, seed=7))
    assert asked == [(VaR(0.25), 0.5, 512, 7), (CVaR(0.25), 0.5, 512, 7)]
    race = by_method["race CVaR(0.25)"]
    assert (race.role, race.confidence) == ("selector", 0.75)
    assert race.n_models > 0


def test_the_standard_portfolio_is_set_to_the_level_of_the_last_measure(monkeypatch):
    asked = []

    def propose(problem, portfolio, seed, engine, *, risk):
        asked.append((portfolio, risk))
        return ts.propose(problem, (Nominal(),), seed, engine, risk=risk)

    monkeypatch.setattr(default, "propose", propose)
    found(replace(QUICK, portfolio=(), risks=(VaR(0.5), CVaR(0.1))))
    assert asked == [(None, CVaR(0.1))]


def test_each_method_that_proposed_a_policy_has_its_row():
    by_method = found(QUICK)
    for solver in QUICK.portfolio:
        policy = solver.solve(CASE.problem, 0)
        row = by_method[solver.name]
        assert (row.role, row.u) == ("baseline", ts.performance(RING.truth, policy))
        assert solver.name in row.chosen.split(" + ")
    assert by_method["trivial"].gain == 0.0


def test_the_printed_rule_and_the_estimators_choose_among_the_same_candidates():
    wide = Default(
        **{name: getattr(QUICK, name) for name in ("portfolio", "eps_rel", "max_models")}
    )
    rule = PrintedRule(eps_rel=0.5, block=500)
    by_method = found(replace(wide, printed=rule, estimators=(IS(),), risks=(Mean(), VaR(0.25))))
    # It is printed for VaR and CVaR only.
    assert "printed rule mean" not in by_method
    selectors = ["printed rule VaR(0.25)", "race VaR(0.25)", "race mean", "IS"]
    assert {n for n, one in by_method.items() if one.role == "selector"} == set(selectors)
    kept = [by_method[name] for name in selectors if not by_method[name].status.startswith("ref")]
    assert len({one.n_candidates for one in kept}) == 1
    assert all(np.isfinite(one.u) and one.regret >= -1e-12 for one in kept)


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"risks": ()}, "at least one risk measure"),
        ({"risks": (Mean(), Mean())}, "risk measures must differ, got mean, mean"),
        ({"eps_rel": 0.0}, "eps_rel must be a positive number, got 0.0"),
        ({"eps_rel": float("nan")}, "eps_rel must be a positive number, got nan"),
        ({"max_models": 0}, "max_models must be a positive whole number"),
    ],
)
def test_what_every_unit_would_fail_on_is_refused_at_once(known, words):
    with pytest.raises(InvalidData, match=words):
        Default(**known)
