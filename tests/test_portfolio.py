"""Portfolios: what they must hold, and that they run."""

import pytest

import tailsafe as ts
from tailsafe import solvers
from tailsafe.domains import chain, ring

PORTFOLIOS = {
    "paper": ts.paper_portfolio(),
    "standard": ts.standard_portfolio(),
    "full": ts.full_portfolio(),
}


def problem_of(domain, episodes, seed):
    task = domain.task
    batch = ts.simulate(domain, ts.Policy.uniform(task.n_states, task.n_actions), episodes, 8, seed)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))


@pytest.mark.parametrize("name", PORTFOLIOS)
def test_names_of_methods_are_unique(name):
    names = [method.name for method in PORTFOLIOS[name]]
    assert sorted(set(names)) == sorted(names)


def test_the_papers_portfolio_solves_each_model_at_each_discount():
    paper = ts.paper_portfolio(n_models=2, discounts=(0.2, 0.9))
    names = [method.name for method in paper]
    assert names[:7] == [
        "Nominal",
        *("Nominal(discount 0.2)", "Nominal(discount 0.9)"),
        *("SampledModel(0, discount 0.2)", "SampledModel(0, discount 0.9)"),
        *("SampledModel(1, discount 0.2)", "SampledModel(1, discount 0.9)"),
    ]
    assert {solvers.SPIBB(1), solvers.BOPAH()} < set(paper)
    assert solvers.BCR(0.75, 1.0) in paper
    assert solvers.NORBU(0.25, 0.5) in paper


def test_behaviour_and_uniform_are_always_in_and_improvement_comes_last():
    for name in ("standard", "full"):
        kinds = [type(method).__name__ for method in PORTFOLIOS[name]]
        assert {"Behaviour", "Uniform", "Nominal"} <= set(kinds)
        assert kinds[-1] == "Improvement"
        assert kinds.count("Improvement") == 1


def test_the_full_portfolio_holds_every_method_and_all_of_the_standard_one():
    kinds = {type(method).__name__ for method in PORTFOLIOS["full"]}
    assert kinds == set(solvers.__all__) - {"Solver", "Given"}
    assert set(PORTFOLIOS["standard"]) <= set(PORTFOLIOS["full"])


def test_robust_methods_follow_the_risk_level():
    assert solvers.NORBU(0.1, 0.5) in ts.standard_portfolio(0.1)
    assert solvers.BCR(0.9, 1.0) in ts.standard_portfolio(0.1)


@pytest.mark.parametrize("domain", [chain(), ring()], ids=["chain", "ring"])
def test_the_standard_portfolio_proposes_fewer_than_60_candidates_and_skips_nothing(domain):
    proposal = ts.propose(problem_of(domain, 3, 0))
    assert 5 < len(proposal) < 60
    assert proposal.skipped == ()


@pytest.mark.slow
def test_the_full_portfolio_runs_and_skips_nothing():
    proposal = ts.propose(problem_of(ring(), 3, 0), ts.full_portfolio())
    assert proposal.skipped == ()
    assert set(proposal.seconds) == {method.name for method in ts.full_portfolio()}
