"""The paper as it is written: its parameters, its columns, its ties."""

from types import SimpleNamespace

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.candidate import Candidate
from tailsafe.errors import InvalidData
from tailsafe.mc2ps import PrintedRule
from tailsafe.policy import Policy
from tailsafe.propose import Proposal
from tailsafe.risk import VaR
from tailsafe.solvers import BCR, NORBU, Nominal, SampledModel
from tailsafe.study import text
from tailsafe.study.profile import Case
from tailsafe.study.scale import judge_of
from tailsafe.study.text import Text, baselines
from tailsafe.study.trial import logged_problem

RING = ts.domains.ring()
CASE = Case(RING, logged_problem(RING, 3, 8, 0), 24, 0, 0)
ORIGINS = (("Nominal", "BCR(0.75)"), ("SPIBB(10)",), ("NORBU(0.25)", "SPIBB(1)"))
CANDIDATES = tuple(
    Candidate(Policy.from_actions([a] * 5, 3), names) for a, names in enumerate(ORIGINS)
)
JUDGE = judge_of(CASE, CANDIDATES, CANDIDATES[0].policy)


def test_the_robust_methods_are_set_to_the_level_of_the_risk(monkeypatch):
    asked = []

    def propose(problem, portfolio, seed, engine):
        asked.extend(portfolio)
        return ts.propose(problem, (Nominal(),), seed, engine)

    monkeypatch.setattr(text, "propose", propose)
    Text(n_models=5, level=0.1, rule=PrintedRule(eps_rel=0.5)).judge(CASE)
    assert {BCR(0.9), NORBU(0.1, 0.5)} <= set(asked)
    assert len({one.index for one in asked if isinstance(one, SampledModel)}) == 5


def test_the_columns_are_those_of_the_tables_and_of_no_method_with_a_longer_name():
    found = baselines(JUDGE, Proposal(CANDIDATES, (), {}))
    u = [ts.performance(RING.truth, candidate.policy) for candidate in CANDIDATES]
    assert [(one.method, one.u) for one in found] == [
        ("SPIBB", u[2]),
        ("BCR", u[0]),
        ("NORBU", u[2]),
    ]


@pytest.mark.parametrize(
    ("scores", "best", "estimate"),
    [
        ([-0.5, np.nan, -0.2], 1, 0.0),
        ([0.0, np.nan, -0.2], 0, 0.0),
        ([0.1, 0.3, 0.3], 1, 0.3),
    ],
)
def test_uno_gives_nothing_to_a_policy_without_weights_and_ties_to_the_first(
    scores, best, estimate, monkeypatch
):
    stub = SimpleNamespace(score=lambda *_: np.array(scores))
    monkeypatch.setattr(text, "UnO", lambda *_, **__: stub)
    found = text._chosen_by_uno(JUDGE, VaR(0.25))
    assert (found.u_exact, found.estimate, found.n_candidates) == (
        ts.performance(RING.truth, CANDIDATES[best].policy),
        estimate,
        3,
    )
    assert found.chosen == " + ".join(ORIGINS[best])


def test_the_estimate_of_a_choice_is_that_of_the_chosen_policy(monkeypatch):
    estimates = tuple(
        (candidate, SimpleNamespace(value=float(i), n_models=100 * (3 - i)))
        for i, candidate in enumerate(CANDIDATES)
    )
    choice = SimpleNamespace(
        best=CANDIDATES[2], estimates=estimates, status="selected", evaluations=600
    )
    monkeypatch.setattr(text, "mc2ps", lambda *_: choice)
    found = text._chosen_by_evc(Text(), JUDGE, VaR(0.25))
    assert (found.method, found.estimate) == ("EvC VaR(0.25)", 2.0)
    assert (found.n_models, found.evaluations) == (300, 600)


@pytest.mark.parametrize("known", [{"n_models": 0}, {"level": 1.0}, {"level": 0.0}])
def test_what_every_unit_would_fail_on_is_refused_at_once(known):
    with pytest.raises(InvalidData):
        Text(**known)
